import { useState } from 'react'
import type { Message } from '#contract/chat.ts'
import type { Creator } from '#contract/people.ts'

/** Enough to be read out; a listener who wants more reads the thread. */
const most = 5

/** Says aloud what the other one writes while the thread is open, and nothing of one's own. */
export function Arrivals({ messages, other }: { messages: readonly Message[]; other: Creator }) {
  const [opened] = useState(messages.at(-1)?.$createdAt ?? '')
  const arrived = messages.filter(({ senderId, $createdAt }) => senderId === other.$id && $createdAt > opened)
  return (
    <div role="log" aria-label="New messages" className="sr-only">
      {arrived.slice(-most).map(({ $id, content }) => (
        <p key={$id}>
          {other.name}: {content}
        </p>
      ))}
    </div>
  )
}
