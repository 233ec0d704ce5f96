import fc from 'fast-check'
import { expect } from 'vitest'
import type { MemberClient } from '#api-client/member-client.ts'
import {
  countUnreadConversationsOperation,
  markConversationReadOperation,
  openConversationOperation,
} from '#contract/chat/conversations.ts'
import { reactionEmojis, sendMessageOperation, unsendMessageOperation } from '#contract/chat/messages.ts'
import { reactOperation, unreactOperation } from '#contract/chat/reactions.ts'
import { maxStrangerMessages } from '#contract/limits.ts'
import {
  type Conversation,
  callOrExpectRefusal,
  defineModelCommand,
  type FuzzModelState,
  itemNumberArbitrary,
  type ModelCommand,
  memberIndexArbitrary,
  pickByNumber,
} from './model-state.ts'

/** Only messages with a text count, starting with one. */
const lastSaid = ({ messages }: Conversation) => messages.findLastIndex(({ content }) => content !== '') + 1

const isUnread = (conversation: Conversation, who: number) =>
  conversation.people.includes(who) && lastSaid(conversation) > (conversation.read.get(who) ?? 0)

export async function expectMessagesMatch(
  { conversations }: FuzzModelState,
  person: MemberClient,
  who: number,
): Promise<void> {
  const count = conversations.filter((conversation) => isUnread(conversation, who)).length
  expect(await person.call(countUnreadConversationsOperation, {})).toEqual({ count })
  for (const { id, people, messages } of conversations) {
    const answer = await person.request<{ documents: unknown[] }>(
      'GET',
      `/v1/conversations/${id}/messages?limit=50`,
    )
    if (!people.includes(who)) expect(answer.status).toBe(404)
    else
      expect(answer.body.documents).toMatchObject(
        messages.toReversed().map(({ id: $id, content, reactions }) => ({
          $id,
          content,
          reactions: [...new Set(reactions.values())].map((emoji) => ({ emoji })),
        })),
      )
  }
}

export const messageModelCommands: fc.Arbitrary<ModelCommand>[] = [
  fc.tuple(memberIndexArbitrary, memberIndexArbitrary).map(([who, whom]) =>
    defineModelCommand(`${who} writes to ${whom}`, async ({ conversations, follows }, { people }) => {
      const personId = people[whom]?.id ?? ''
      const opened = await callOrExpectRefusal(
        people[who],
        openConversationOperation,
        { personId },
        who !== whom,
      )
      if (!opened) return
      let conversation = conversations.find(
        ({ people: [a, b] }) => (a === who && b === whom) || (a === whom && b === who),
      )
      if (!conversation) {
        const limited = !follows.has(`${whom} ${who}`)
        conversation = { id: opened.$id, people: [who, whom], read: new Map(), messages: [], limited }
        conversations.push(conversation)
      }
      expect(opened.$id).toBe(conversation.id)
      const content = `hola ${conversation.messages.length}`
      if (conversation.limited && conversation.messages.some(({ sender }) => sender !== who))
        conversation.limited = false
      const sent = await callOrExpectRefusal(
        people[who],
        sendMessageOperation,
        { conversationId: conversation.id, content },
        !conversation.limited || conversation.messages.length < maxStrangerMessages,
      )
      if (!sent) return
      conversation.messages.push({ id: sent.$id, sender: who, content, reactions: new Map() })
      conversation.read.set(who, conversation.messages.length)
    }),
  ),
  fc.tuple(memberIndexArbitrary, itemNumberArbitrary).map(([who, which]) =>
    defineModelCommand(`${who} reads ${which}`, async ({ conversations }, { people }) => {
      const conversation = pickByNumber(conversations, which)
      if (!conversation) return
      const may = conversation.people.includes(who)
      await callOrExpectRefusal(
        people[who],
        markConversationReadOperation,
        { conversationId: conversation.id },
        may,
      )
      if (may) conversation.read.set(who, conversation.messages.length)
    }),
  ),
  fc.tuple(memberIndexArbitrary, itemNumberArbitrary, itemNumberArbitrary).map(([who, which, whose]) =>
    defineModelCommand(`${who} unsends ${whose} of ${which}`, async ({ conversations }, { people }) => {
      const message = pickByNumber(pickByNumber(conversations, which)?.messages ?? [], whose)
      if (!message || message.content === '') return
      await callOrExpectRefusal(
        people[who],
        unsendMessageOperation,
        { messageId: message.id },
        message.sender === who,
      )
      if (message.sender !== who) return
      message.content = ''
      message.reactions.clear()
    }),
  ),
  fc
    .tuple(
      memberIndexArbitrary,
      itemNumberArbitrary,
      itemNumberArbitrary,
      fc.option(fc.constantFrom(...reactionEmojis)),
    )
    .map(([who, which, whose, emoji]) =>
      defineModelCommand(
        `${who} reacts to ${whose} of ${which} by ${emoji ?? 'nothing'}`,
        async ({ conversations }, { people }) => {
          const conversation = pickByNumber(conversations, which)
          const message = pickByNumber(conversation?.messages ?? [], whose)
          if (!conversation || !message || message.content === '') return
          const isWaiting = conversation.limited && conversation.messages[0]?.sender === who
          const may = conversation.people.includes(who) && !(emoji && isWaiting)
          const { id: messageId } = message
          if (emoji) await callOrExpectRefusal(people[who], reactOperation, { messageId, emoji }, may)
          else await callOrExpectRefusal(people[who], unreactOperation, { messageId }, may)
          if (!may) return
          if (emoji) message.reactions.set(who, emoji)
          else message.reactions.delete(who)
        },
      ),
    ),
]
