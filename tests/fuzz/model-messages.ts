/** The model of messages: sending, reading, unsending, reactions. */
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

/** The newest message with text, counted from one. */
const lastSaid = ({ messages }: Conversation) => messages.findLastIndex(({ content }) => content !== '') + 1

const isUnread = (talk: Conversation, who: number) =>
  talk.people.includes(who) && lastSaid(talk) > (talk.read.get(who) ?? 0)

export async function expectMessagesMatch(
  { talks }: FuzzModelState,
  person: MemberClient,
  who: number,
): Promise<void> {
  const count = talks.filter((talk) => isUnread(talk, who)).length
  expect(await person.call(countUnreadConversationsOperation, {})).toEqual({ count })
  for (const { id, people, messages } of talks) {
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

export const messageCommands: fc.Arbitrary<ModelCommand>[] = [
  fc.tuple(memberIndexArbitrary, memberIndexArbitrary).map(([who, whom]) =>
    defineModelCommand(`${who} writes to ${whom}`, async ({ talks, follows }, { people }) => {
      const personId = people[whom]?.id ?? ''
      const opened = await callOrExpectRefusal(
        people[who],
        openConversationOperation,
        { personId },
        who !== whom,
      )
      if (!opened) return
      let talk = talks.find(({ people: [a, b] }) => (a === who && b === whom) || (a === whom && b === who))
      if (!talk) {
        const limited = !follows.has(`${whom} ${who}`)
        talk = { id: opened.$id, people: [who, whom], read: new Map(), messages: [], limited }
        talks.push(talk)
      }
      expect(opened.$id).toBe(talk.id)
      const content = `hola ${talk.messages.length}`
      if (talk.limited && talk.messages.some(({ sender }) => sender !== who)) talk.limited = false
      const sent = await callOrExpectRefusal(
        people[who],
        sendMessageOperation,
        { conversationId: talk.id, content },
        !talk.limited || talk.messages.length < maxStrangerMessages,
      )
      if (!sent) return
      talk.messages.push({ id: sent.$id, sender: who, content, reactions: new Map() })
      talk.read.set(who, talk.messages.length)
    }),
  ),
  fc.tuple(memberIndexArbitrary, itemNumberArbitrary).map(([who, which]) =>
    defineModelCommand(`${who} reads ${which}`, async ({ talks }, { people }) => {
      const talk = pickByNumber(talks, which)
      if (!talk) return
      const may = talk.people.includes(who)
      await callOrExpectRefusal(people[who], markConversationReadOperation, { conversationId: talk.id }, may)
      if (may) talk.read.set(who, talk.messages.length)
    }),
  ),
  fc.tuple(memberIndexArbitrary, itemNumberArbitrary, itemNumberArbitrary).map(([who, which, whose]) =>
    defineModelCommand(`${who} unsends ${whose} of ${which}`, async ({ talks }, { people }) => {
      const message = pickByNumber(pickByNumber(talks, which)?.messages ?? [], whose)
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
        async ({ talks }, { people }) => {
          const talk = pickByNumber(talks, which)
          const message = pickByNumber(talk?.messages ?? [], whose)
          if (!talk || !message || message.content === '') return
          const may = talk.people.includes(who)
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
