import { useState } from 'react'
import type { Message } from '#contract/chat/messages.ts'
import { en } from '#contract/language.ts'
import type { PersonSummary } from '#contract/people/people.ts'
import { messagePreviewText } from './photos/message-preview-text.ts'

const maxAnnounced = 5

export function NewMessageAnnouncer({
  messages,
  other,
}: {
  messages: readonly Message[]
  other: PersonSummary
}) {
  const [opened] = useState(messages.at(-1)?.$createdAt ?? '')
  const arrived = messages.filter(
    ({ senderId, $createdAt, unsentAt }) =>
      senderId === other.$id && $createdAt > opened && unsentAt === null,
  )
  return (
    <div role="log" aria-label={en('New messages', 'Mensajes nuevos')} className="sr-only">
      {arrived.slice(-maxAnnounced).map(({ $id, content, photos }) => (
        <p key={$id}>
          {other.name}: {messagePreviewText({ content, photos })}
        </p>
      ))}
    </div>
  )
}
