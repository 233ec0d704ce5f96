import { openConversationOperation } from '#contract/chat/conversations.ts'
import {
  acceptMessageRequestOperation,
  countMessageRequestsOperation,
  declineMessageRequestOperation,
  listMessageRequestsOperation,
} from '#contract/chat/message-requests.ts'
import {
  getRestrictionOperation,
  listRestrictedMembersOperation,
  restrictMemberOperation,
  unrestrictMemberOperation,
} from '#contract/people/mutes-and-restrictions.ts'
import { createAppwriteDocumentsClient } from '#tests/support/appwrite-documents-client.ts'
import {
  type AccessAttempt,
  checkResponseCount,
  checkResponseMentions,
  defineReadAttempts,
  defineWriteAttempts,
  toMatrixOutcome,
} from './access-attempt.ts'

export const messageRequestAttempts: AccessAttempt[] = [
  ...defineReadAttempts('MR1', {
    listMessageRequests: async (who, { cast }) =>
      checkResponseMentions(await who.ask(listMessageRequestsOperation, {}), cast.messageRequest),
    countMessageRequests: async (who) =>
      checkResponseCount(await who.ask(countMessageRequestsOperation, {}), ({ count }) => count, 1),
  }),
  ...defineWriteAttempts('MR4', {
    openConversation: async (who, { cast }) =>
      toMatrixOutcome(await who.ask(openConversationOperation, { personId: cast.nora.id })),
  }),
  {
    row: 'MR4',
    path: 'document',
    writes: true,
    act: async (who, { cast }) =>
      toMatrixOutcome(
        await createAppwriteDocumentsClient(who, 'conversations').create({
          participants: [who.id, cast.nora.id],
        }),
      ),
  },
  ...defineWriteAttempts('MR3', {
    declineMessageRequest: async (who, { cast }) =>
      toMatrixOutcome(await who.ask(declineMessageRequestOperation, { conversationId: cast.messageRequest })),
  }),
  ...defineWriteAttempts('MR2', {
    acceptMessageRequest: async (who, { cast }) =>
      toMatrixOutcome(await who.ask(acceptMessageRequestOperation, { conversationId: cast.messageRequest })),
  }),

  ...defineReadAttempts('RS1', {
    listRestrictedMembers: async (who, { cast }) =>
      checkResponseMentions(await who.ask(listRestrictedMembersOperation, { limit: 100 }), cast.restriction),
  }),
  ...defineReadAttempts('RS3', {
    getRestriction: async (who, { cast }) =>
      toMatrixOutcome(await who.ask(getRestrictionOperation, { personId: cast.ana.id })),
  }),
  ...defineReadAttempts('RS4', {
    'document list': async (who) =>
      toMatrixOutcome(await createAppwriteDocumentsClient(who, 'restrictions').list()),
    document: async (who, { cast }) =>
      toMatrixOutcome(await createAppwriteDocumentsClient(who, 'restrictions').get(cast.restriction)),
    'document created': async (who, { cast }) =>
      toMatrixOutcome(
        await createAppwriteDocumentsClient(who, 'restrictions').create({ restrictedId: cast.ana.id }),
      ),
  }),
  ...defineWriteAttempts('RS2 end', {
    unrestrictMember: async (who, { cast, column }) => {
      if (column === 'O') await who.call(restrictMemberOperation, { personId: cast.eva.id })
      const personId = column === 'O' ? cast.eva.id : cast.boss.id
      return toMatrixOutcome(await who.ask(unrestrictMemberOperation, { personId }))
    },
  }),
  ...defineWriteAttempts('RS2', {
    restrictMember: async (who, { cast }) => {
      const answer = await who.ask(restrictMemberOperation, { personId: cast.ana.id })
      if (answer.status === 200) await who.call(unrestrictMemberOperation, { personId: cast.ana.id })
      return toMatrixOutcome(answer)
    },
  }),
]
