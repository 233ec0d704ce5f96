import {
  getMuteOperation,
  listMutedMembersOperation,
  muteMemberOperation,
  unmuteMemberOperation,
} from '#contract/people/mutes-and-restrictions.ts'
import { createAppwriteDocumentsClient } from '#tests/support/appwrite-documents-client.ts'
import {
  type AccessAttempt,
  checkResponseMentions,
  defineReadAttempts,
  defineWriteAttempts,
  toMatrixOutcome,
} from './access-attempt.ts'

export const muteAccessAttempts: AccessAttempt[] = [
  ...defineReadAttempts('MU1', {
    listMutedMembers: async (who, { cast }) =>
      checkResponseMentions(await who.ask(listMutedMembersOperation, { limit: 100 }), cast.mute),
  }),
  ...defineReadAttempts('MU3', {
    getMute: async (who, { cast }) =>
      toMatrixOutcome(await who.ask(getMuteOperation, { personId: cast.ana.id })),
  }),
  ...defineReadAttempts('MU4', {
    'document list': async (who) => toMatrixOutcome(await createAppwriteDocumentsClient(who, 'mutes').list()),
    document: async (who, { cast }) =>
      toMatrixOutcome(await createAppwriteDocumentsClient(who, 'mutes').get(cast.mute)),
    'document created': async (who, { cast }) =>
      toMatrixOutcome(await createAppwriteDocumentsClient(who, 'mutes').create({ mutedId: cast.ana.id })),
  }),
  ...defineWriteAttempts('MU2 end', {
    unmuteMember: async (who, { cast, column }) => {
      if (column === 'O') await who.call(muteMemberOperation, { personId: cast.eva.id })
      const personId = column === 'O' ? cast.eva.id : cast.boss.id
      return toMatrixOutcome(await who.ask(unmuteMemberOperation, { personId }))
    },
  }),
  ...defineWriteAttempts('MU2', {
    muteMember: async (who, { cast }) => {
      const answer = await who.ask(muteMemberOperation, { personId: cast.ana.id })
      if (answer.status === 200) await who.call(unmuteMemberOperation, { personId: cast.ana.id })
      return toMatrixOutcome(answer)
    },
  }),
]
