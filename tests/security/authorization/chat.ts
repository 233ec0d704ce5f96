import type { MemberClient } from '#api-client/member-client.ts'
import {
  countUnreadConversationsOperation,
  getConversationOperation,
  listConversationsOperation,
  markConversationReadOperation,
  openConversationOperation,
} from '#contract/chat/conversations.ts'
import {
  listMessagesOperation,
  sendMessageOperation,
  unsendMessageOperation,
} from '#contract/chat/messages.ts'
import { reactOperation, unreactOperation } from '#contract/chat/reactions.ts'
import {
  buildAppwriteEqualQuery,
  createAppwriteDocumentsClient,
} from '#tests/support/appwrite-documents-client.ts'
import {
  type AccessAttempt,
  type AccessAttemptContext,
  checkCatchUpReveals,
  checkResponseCount,
  checkResponseMentions,
  defineReadAttempts,
  defineWriteAttempts,
  toMatrixOutcome,
} from './access-attempt.ts'

const conversations = (who: Parameters<typeof createAppwriteDocumentsClient>[0]) =>
  createAppwriteDocumentsClient(who, 'conversations')
const messages = (who: Parameters<typeof createAppwriteDocumentsClient>[0]) =>
  createAppwriteDocumentsClient(who, 'messages')

const otherThan = ({ cast, column }: AccessAttemptContext) => (column === 'O' ? cast.bea : cast.ana)

const readerOf = ({ cast, column }: Pick<AccessAttemptContext, 'cast' | 'column'>, who: MemberClient) =>
  /[KC]/.test(column) ? who.id : cast.bea.id

export const chatAccessAttempts: AccessAttempt[] = [
  ...defineReadAttempts('CV1', {
    'document list': async (who, { cast }) =>
      checkResponseMentions(
        await conversations(who).list('limit(100)'),
        cast.conversationBetween(who).conversation,
      ),
    'document list by participant': async (who, { cast }) =>
      checkResponseMentions(
        await conversations(who).list(`contains("participants", ["${cast.ana.id}"])`),
        cast.conversationBetween(who).conversation,
      ),
    catchUp: (who, { cast }) =>
      checkCatchUpReveals(who, cast, 'conversations', cast.conversationBetween(who).conversation),
  }),
  {
    row: 'CV1',
    path: 'listConversations',
    // The conversation disappears for the participant who blocked the other participant.
    except: { C: 'E' },
    act: async (who, { cast }) =>
      checkResponseMentions(
        await who.ask(listConversationsOperation, {}),
        cast.conversationBetween(who).conversation,
      ),
  },
  {
    row: 'CV1',
    path: 'countUnreadConversations',
    // A member's own messages do not count as unread.
    except: { O: 'E', C: 'E' },
    act: async (who) =>
      checkResponseCount(await who.ask(countUnreadConversationsOperation, {}), ({ count }) => count, 1),
  },
  ...defineReadAttempts('CV2', {
    document: async (who, { cast }) =>
      toMatrixOutcome(await conversations(who).get(cast.conversationBetween(who).conversation)),
    getConversation: async (who, { cast }) =>
      toMatrixOutcome(
        await who.ask(getConversationOperation, {
          conversationId: cast.conversationBetween(who).conversation,
        }),
      ),
  }),
  ...defineWriteAttempts('CV3', {
    document: async (who, scene) =>
      toMatrixOutcome(
        await conversations(who).create({ participants: [who.id, otherThan(scene).id], type: 'direct' }),
      ),
    openConversation: async (who, scene) =>
      toMatrixOutcome(await who.ask(openConversationOperation, { personId: otherThan(scene).id })),
  }),
  ...defineWriteAttempts('CV3 of others', {
    document: async (who, { cast }) =>
      toMatrixOutcome(
        await conversations(who).create({ participants: [cast.ana.id, cast.bea.id], type: 'direct' }),
      ),
    openConversation: async (who, { cast }) =>
      toMatrixOutcome(
        await who.ask(openConversationOperation, { personId: cast.bea.id, currentUserId: cast.ana.id }),
      ),
  }),
  ...defineWriteAttempts('CV4', {
    document: async (who, { cast }) => {
      const forged = { lastMessage: 'te odio', lastMessageSender: cast.bea.id }
      return toMatrixOutcome(
        await conversations(who).patch(cast.conversationBetween(who).conversation, forged),
      )
    },
  }),
  ...defineWriteAttempts('CV4 of others', {
    document: async (who, { cast }) =>
      toMatrixOutcome(
        await conversations(who).patch(cast.conversationBetween(who).conversation, {
          participants: [cast.ana.id, cast.eva.id],
        }),
      ),
  }),
  ...defineWriteAttempts('CV5', {
    document: async (who, { cast }) =>
      toMatrixOutcome(await conversations(who).remove(cast.conversationBetween(who).conversation)),
  }),

  ...defineReadAttempts('MS1', {
    'document list': async (who, { cast }) =>
      checkResponseMentions(
        await messages(who).list('limit(100)'),
        cast.conversationBetween(who).message.$id,
      ),
    'document list by conversation': async (who, { cast }) =>
      checkResponseMentions(
        await messages(who).list(
          buildAppwriteEqualQuery('conversationId', cast.conversationBetween(who).conversation),
        ),
        cast.conversationBetween(who).message.$id,
      ),
    'total of a document list': async (who, { cast }) =>
      checkResponseCount(
        await messages(who).list(
          buildAppwriteEqualQuery('conversationId', cast.conversationBetween(who).conversation),
          buildAppwriteEqualQuery('senderId', cast.ana.id),
        ),
        ({ total }) => total,
        1,
      ),
    catchUp: (who, { cast }) =>
      checkCatchUpReveals(who, cast, 'messages', cast.conversationBetween(who).message.$id),
  }),
  {
    row: 'MS1',
    path: 'listMessages',
    worded: { E: '404' },
    act: async (who, { cast }) =>
      toMatrixOutcome(
        await who.ask(listMessagesOperation, { conversationId: cast.conversationBetween(who).conversation }),
      ),
  },
  ...defineReadAttempts('MS2', {
    document: async (who, { cast }) =>
      toMatrixOutcome(await messages(who).get(cast.conversationBetween(who).message.$id)),
  }),
  // This attempt precedes MS3, because a reply marks the message as read.
  ...defineWriteAttempts('MS4', {
    document: async (who, { cast, column }) =>
      toMatrixOutcome(
        await messages(who).patch(cast.conversationBetween(who).message.$id, {
          readBy: [cast.ana.id, readerOf({ cast, column }, who)],
        }),
      ),
  }),
  ...defineWriteAttempts('MS3', {
    document: async (who, { cast }) =>
      toMatrixOutcome(
        await messages(who).create({
          conversationId: cast.conversationBetween(who).conversation,
          senderId: who.id,
          content: 'Hola',
        }),
      ),
    sendMessage: async (who, { cast }) =>
      toMatrixOutcome(
        await who.ask(sendMessageOperation, {
          conversationId: cast.conversationBetween(who).conversation,
          content: 'Hola',
        }),
      ),
  }),
  ...defineWriteAttempts('MS3 as another', {
    document: async (who, scene) => {
      const { conversation } = scene.cast.conversationBetween(who)
      const sent = { conversationId: conversation, senderId: otherThan(scene).id, content: 'Te odio' }
      return toMatrixOutcome(await messages(who).create(sent))
    },
  }),
  {
    row: 'MS3 as another',
    path: 'sendMessage',
    writes: true,
    worded: { '404': '403' },
    act: async (who, scene) => {
      const { conversation } = scene.cast.conversationBetween(who)
      const sent = { conversationId: conversation, senderId: otherThan(scene).id, content: 'Te odio' }
      return toMatrixOutcome(await who.ask(sendMessageOperation, sent))
    },
  },
  ...defineWriteAttempts('MS4 own', {
    markRead: async (who, { cast }) =>
      toMatrixOutcome(
        await who.ask(markConversationReadOperation, {
          conversationId: cast.conversationBetween(who).conversation,
        }),
      ),
  }),
  ...defineWriteAttempts('MS5', {
    document: async (who, { cast }) =>
      toMatrixOutcome(
        await messages(who).patch(cast.conversationBetween(who).message.$id, { content: 'Otra' }),
      ),
  }),
  ...defineWriteAttempts('MS6', {
    document: async (who, { cast }) =>
      toMatrixOutcome(await messages(who).remove(cast.conversationBetween(who).message.$id)),
  }),
  ...defineWriteAttempts('MX1', {
    react: async (who, { cast }) =>
      toMatrixOutcome(
        await who.ask(reactOperation, { messageId: cast.conversationBetween(who).message.$id, emoji: '❤️' }),
      ),
    unreact: async (who, { cast }) =>
      toMatrixOutcome(
        await who.ask(unreactOperation, { messageId: cast.conversationBetween(who).message.$id }),
      ),
  }),
]

/** These attempts run last, because unsent messages can no longer be read, reported or answered. */
export const unsendAccessAttempts: AccessAttempt[] = [
  ...defineWriteAttempts('MS7', {
    unsendMessage: async (who, { cast }) =>
      toMatrixOutcome(
        await who.ask(unsendMessageOperation, { messageId: cast.conversationBetween(who).message.$id }),
      ),
  }),
]
