/** Conversations and messages: every path of the matrix to them. */
import {
  countUnread,
  getConversation,
  listConversations,
  listMessages,
  markRead,
  openConversation,
  sendMessage,
} from '#contract/chat.ts'
import { documentsOf, equal } from '../appwrite/documents.ts'
import { type Attempt, catchesUp, counts, outcome, reading, type Scene, shows, writing } from './attempt.ts'

const conversations = (who: Parameters<typeof documentsOf>[0]) => documentsOf(who, 'conversations')
const messages = (who: Parameters<typeof documentsOf>[0]) => documentsOf(who, 'messages')

/** The other of the two, for whom nobody speaks. */
const otherThan = ({ cast, column }: Scene) => (column === 'O' ? cast.bea : cast.ana)

export const chatAttempts: Attempt[] = [
  ...reading('CV1', {
    'document list': async (who, { cast }) => shows(await conversations(who).list('limit(100)'), cast.talk),
    'document list by participant': async (who, { cast }) =>
      shows(await conversations(who).list(`contains("participants", ["${cast.ana.id}"])`), cast.talk),
    listConversations: async (who, { cast }) => shows(await who.ask(listConversations, {}), cast.talk),
    catchUp: (who, { cast }) => catchesUp(who, cast, 'conversations', cast.talk),
  }),
  {
    row: 'CV1',
    path: 'countUnread',
    // What she wrote herself is not unread.
    except: { O: 'E' },
    act: async (who) => counts(await who.ask(countUnread, {}), ({ count }) => count, 1),
  },
  ...reading('CV2', {
    document: async (who, { cast }) => outcome(await conversations(who).get(cast.talk)),
    getConversation: async (who, { cast }) =>
      outcome(await who.ask(getConversation, { conversationId: cast.talk })),
  }),
  ...writing('CV3', {
    document: async (who, scene) =>
      outcome(
        await conversations(who).create({ participants: [who.id, otherThan(scene).id], type: 'direct' }),
      ),
    openConversation: async (who, scene) =>
      outcome(await who.ask(openConversation, { personId: otherThan(scene).id })),
  }),
  ...writing('CV3 of others', {
    document: async (who, { cast }) =>
      outcome(await conversations(who).create({ participants: [cast.ana.id, cast.bea.id], type: 'direct' })),
    openConversation: async (who, { cast }) =>
      outcome(await who.ask(openConversation, { personId: cast.bea.id, currentUserId: cast.ana.id })),
  }),
  ...writing('CV4', {
    document: async (who, { cast }) => {
      const forged = { lastMessage: 'te odio', lastMessageSender: cast.bea.id }
      return outcome(await conversations(who).patch(cast.talk, forged))
    },
  }),
  ...writing('CV4 of others', {
    document: async (who, { cast }) =>
      outcome(await conversations(who).patch(cast.talk, { participants: [cast.ana.id, cast.eva.id] })),
  }),
  ...writing('CV5', {
    document: async (who, { cast }) => outcome(await conversations(who).remove(cast.talk)),
  }),

  ...reading('MS1', {
    'document list': async (who, { cast }) => shows(await messages(who).list('limit(100)'), cast.message.$id),
    'document list by conversation': async (who, { cast }) =>
      shows(await messages(who).list(equal('conversationId', cast.talk)), cast.message.$id),
    'total of a document list': async (who, { cast }) =>
      counts(await messages(who).list(equal('conversationId', cast.talk)), ({ total }) => total, 1),
    catchUp: (who, { cast }) => catchesUp(who, cast, 'messages', cast.message.$id),
  }),
  {
    row: 'MS1',
    path: 'listMessages',
    worded: { E: '404' },
    act: async (who, { cast }) => outcome(await who.ask(listMessages, { conversationId: cast.talk })),
  },
  ...reading('MS2', {
    document: async (who, { cast }) => outcome(await messages(who).get(cast.message.$id)),
  }),
  // Before she answers, by which she would have read it.
  ...writing('MS4', {
    document: async (who, { cast }) =>
      outcome(await messages(who).patch(cast.message.$id, { readBy: [cast.ana.id, cast.bea.id] })),
  }),
  ...writing('MS3', {
    document: async (who, { cast }) =>
      outcome(await messages(who).create({ conversationId: cast.talk, senderId: who.id, content: 'Hola' })),
    sendMessage: async (who, { cast }) =>
      outcome(await who.ask(sendMessage, { conversationId: cast.talk, content: 'Hola' })),
  }),
  ...writing('MS3 as another', {
    document: async (who, scene) => {
      const { talk } = scene.cast
      const sent = { conversationId: talk, senderId: otherThan(scene).id, content: 'Te odio' }
      return outcome(await messages(who).create(sent))
    },
  }),
  {
    row: 'MS3 as another',
    path: 'sendMessage',
    writes: true,
    worded: { '404': '403' },
    act: async (who, scene) => {
      const { talk } = scene.cast
      const sent = { conversationId: talk, senderId: otherThan(scene).id, content: 'Te odio' }
      return outcome(await who.ask(sendMessage, sent))
    },
  },
  ...writing('MS4 own', {
    markRead: async (who, { cast }) => outcome(await who.ask(markRead, { conversationId: cast.talk })),
  }),
  ...writing('MS5', {
    document: async (who, { cast }) =>
      outcome(await messages(who).patch(cast.message.$id, { content: 'Otra' })),
  }),
  ...writing('MS6', {
    document: async (who, { cast }) => outcome(await messages(who).remove(cast.message.$id)),
  }),
]
