import { useState } from 'react'
import type { Message } from '#contract/chat/conversations.ts'
import type { PersonSummary } from '#contract/people.ts'

/** How many messages are announced at once. */
const maxAnnounced = 5

/** Announces to screen readers what the other member writes while the thread is open. */
export function NewMessageAnnouncer({
  messages,
  other,
}: {
  messages: readonly Message[]
  other: PersonSummary
}) {
  const [opened] = useState(messages.at(-1)?.$createdAt ?? '')
  const arrived = messages.filter(({ senderId, $createdAt }) => senderId === other.$id && $createdAt > opened)
  return (
    <div role="log" aria-label="New messages" className="sr-only">
      {arrived.slice(-maxAnnounced).map(({ $id, content }) => (
        <p key={$id}>
          {other.name}: {content}
        </p>
      ))}
    </div>
  )
}
