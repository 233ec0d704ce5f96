/** Messages as the model has them: sent, read, unsent and reacted to. */
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
import {
  ask,
  type Doing,
  doing,
  type FuzzModelState,
  pick,
  some,
  somebody,
  type Talk,
} from './model-state.ts'

/** The place of the newest message that still says something, from one; of a talk that says nothing any more there is none. */
const lastSaid = ({ messages }: Talk) => messages.findLastIndex(({ content }) => content !== '') + 1

const isUnread = (talk: Talk, who: number) =>
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

export const messageDoings: fc.Arbitrary<Doing>[] = [
  fc.tuple(somebody, somebody).map(([who, whom]) =>
    doing(`${who} writes to ${whom}`, async ({ talks }, { people }) => {
      const personId = people[whom]?.id ?? ''
      const opened = await ask(people[who], openConversationOperation, { personId }, who !== whom)
      if (!opened) return
      let talk = talks.find(({ people: [a, b] }) => (a === who && b === whom) || (a === whom && b === who))
      if (!talk) {
        talk = { id: opened.$id, people: [who, whom], read: new Map(), messages: [] }
        talks.push(talk)
      }
      expect(opened.$id).toBe(talk.id)
      const content = `hola ${talk.messages.length}`
      const sent = await people[who]?.call(sendMessageOperation, { conversationId: talk.id, content })
      talk.messages.push({ id: sent?.$id ?? '', sender: who, content, reactions: new Map() })
      talk.read.set(who, talk.messages.length)
    }),
  ),
  fc.tuple(somebody, some).map(([who, which]) =>
    doing(`${who} reads ${which}`, async ({ talks }, { people }) => {
      const talk = pick(talks, which)
      if (!talk) return
      const may = talk.people.includes(who)
      await ask(people[who], markConversationReadOperation, { conversationId: talk.id }, may)
      if (may) talk.read.set(who, talk.messages.length)
    }),
  ),
  fc.tuple(somebody, some, some).map(([who, which, whose]) =>
    doing(`${who} unsends ${whose} of ${which}`, async ({ talks }, { people }) => {
      const message = pick(pick(talks, which)?.messages ?? [], whose)
      if (!message || message.content === '') return
      await ask(people[who], unsendMessageOperation, { messageId: message.id }, message.sender === who)
      if (message.sender !== who) return
      message.content = ''
      message.reactions.clear()
    }),
  ),
  fc
    .tuple(somebody, some, some, fc.option(fc.constantFrom(...reactionEmojis)))
    .map(([who, which, whose, emoji]) =>
      doing(
        `${who} reacts to ${whose} of ${which} by ${emoji ?? 'nothing'}`,
        async ({ talks }, { people }) => {
          const talk = pick(talks, which)
          const message = pick(talk?.messages ?? [], whose)
          if (!talk || !message || message.content === '') return
          const may = talk.people.includes(who)
          const { id: messageId } = message
          if (emoji) await ask(people[who], reactOperation, { messageId, emoji }, may)
          else await ask(people[who], unreactOperation, { messageId }, may)
          if (!may) return
          if (emoji) message.reactions.set(who, emoji)
          else message.reactions.delete(who)
        },
      ),
    ),
]
