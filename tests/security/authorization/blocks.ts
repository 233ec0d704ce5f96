/** These attempts run last, because each permitted block ends a follow. */
import {
  blockMemberOperation,
  listBlocksOperation,
  previewBlockOperation,
  setBlockNewerAccountsOperation,
  unblockMemberOperation,
} from '#contract/people/blocks.ts'
import { createAppwriteDocumentsClient } from '#tests/support/appwrite-documents-client.ts'
import {
  type AccessAttempt,
  checkResponseMentions,
  defineReadAttempts,
  defineWriteAttempts,
  toMatrixOutcome,
} from './access-attempt.ts'

export const blockAccessAttempts: AccessAttempt[] = [
  ...defineReadAttempts('BL1', {
    listBlocks: async (who, { cast }) =>
      checkResponseMentions(await who.ask(listBlocksOperation, { limit: 100 }), cast.block),
  }),
  ...defineReadAttempts('BL4', {
    previewBlock: async (who, { cast }) =>
      toMatrixOutcome(await who.ask(previewBlockOperation, { personId: cast.ana.id })),
  }),
  ...defineReadAttempts('BL5', {
    'document list': async (who) =>
      toMatrixOutcome(await createAppwriteDocumentsClient(who, 'blocks').list()),
    document: async (who, { cast }) =>
      toMatrixOutcome(await createAppwriteDocumentsClient(who, 'blocks').get(cast.block)),
    'document created': async (who, { cast }) =>
      toMatrixOutcome(await createAppwriteDocumentsClient(who, 'blocks').create({ blockedId: cast.ana.id })),
    'document list of pairs': async (who) =>
      toMatrixOutcome(await createAppwriteDocumentsClient(who, 'blockPairs').list()),
  }),
  ...defineWriteAttempts('BL3', {
    // A wrongly permitted attempt would turn newer accounts off in Ana's block.
    updateBlock: async (who, { cast, succeeds }) =>
      toMatrixOutcome(
        await who.ask(setBlockNewerAccountsOperation, { blockId: cast.block, newerAccounts: succeeds }),
      ),
  }),
  ...defineWriteAttempts('BL3 end', {
    unblockMember: async (who, { cast, column }) => {
      if (column === 'O') await who.call(blockMemberOperation, { personId: cast.eva.id })
      const personId = column === 'O' ? cast.eva.id : cast.boss.id
      return toMatrixOutcome(await who.ask(unblockMemberOperation, { personId }))
    },
  }),
  ...defineWriteAttempts('BL2', {
    // Unblocks a participant in a conversation with Ana, who may block her.
    blockMember: async (who, { cast, column }) => {
      const answer = await who.ask(blockMemberOperation, { personId: cast.ana.id })
      if (answer.status === 200 && column !== 'C')
        await who.call(unblockMemberOperation, { personId: cast.ana.id })
      return toMatrixOutcome(answer)
    },
  }),
]
