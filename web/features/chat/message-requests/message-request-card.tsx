import { useQueryClient } from '@tanstack/react-query'
import { Ban, Flag, UserRoundCheck, UsersRound } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Link } from 'react-router'
import type { MessageRequest } from '#contract/chat/message-requests.ts'
import { en } from '#contract/language.ts'
import { messagePreviewText } from '#web/features/chat/photos/message-preview-text.ts'
import { openReport } from '#web/features/moderation/report-dialog/open-report.ts'
import { BlockDialog } from '#web/features/people/blocks/block-dialog.tsx'
import { blockPreviewQuery } from '#web/features/people/blocks/queries.ts'
import { useUnrestrictMember } from '#web/features/people/mutes-and-restrictions/restriction-mutations.ts'
import { screenPaths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Avatar } from '#web/ui/images/avatar.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { type MessageRequestDecision, useDecideMessageRequest } from './mutations.ts'

type Props = {
  request: MessageRequest
  /** The card, which has the focus, is about to disappear. */
  onDecided: () => void
}

/**
 * Shows messages as plain text without links. The header opens the conversation, where an answer accepts the request.
 */
export function MessageRequestCard({ request, onDecided }: Props) {
  const { conversation, messages } = request
  const { other } = conversation
  const nameId = useId()
  return (
    <li aria-labelledby={nameId} className="card px-4 py-4 md:px-5">
      <Link
        to={screenPaths.chat(conversation.$id)}
        className="flex items-start gap-3.5 focus-visible:rounded-photo"
      >
        <Avatar person={other} size={44} />
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-baseline gap-x-1.5">
            <span id={nameId} className="text-name leading-[1.25rem] font-[680] wrap-anywhere">
              {other.name}
            </span>
            <span className="text-meta text-text-2">@{other.username}</span>
          </span>
          <Why request={request} />
        </span>
        <span className="flex-none text-meta text-text-2">
          <RelativeTime at={conversation.$updatedAt} />
        </span>
      </Link>
      <ul
        aria-label={en(`Messages from ${other.name}`, `Mensajes de ${other.name}`)}
        className="mt-3 flex flex-col gap-1 md:ml-11"
      >
        {messages.map(({ $id, content, photos }) => (
          <li
            key={$id}
            dir="auto"
            className="w-fit max-w-full rounded-card-small rounded-tl-[6px] rounded-bl-[6px] bg-bubble-them px-3.5 py-2 leading-[1.3125rem] wrap-anywhere whitespace-pre-wrap"
          >
            {messagePreviewText({ content, photos })}
          </li>
        ))}
      </ul>
      <div className="mt-3.5 flex flex-wrap gap-2 max-md:grid max-md:grid-cols-2 md:ml-11">
        {conversation.restricted ? (
          <Unrestrict person={other} onUnrestricted={onDecided} />
        ) : (
          <Decide request={request} onDecided={onDecided} />
        )}
        <span className="flex-1 max-md:hidden" />
        <Report request={request} />
        {conversation.can.block && <Block person={other} />}
      </div>
    </li>
  )
}

function Why({ request: { why, conversation } }: { request: MessageRequest }) {
  if (conversation.restricted) return <WhyLine>{en('You restricted her', 'La restringiste')}</WhyLine>
  if (!why) return null
  const known = why.followsMe || why.groupsInCommon > 0
  return (
    <WhyLine>
      {why.groupsInCommon > 0 && (
        <span className="flex items-center gap-1.5">
          <UsersRound aria-hidden size={16} strokeWidth={2} className="flex-none" />
          {why.groupsInCommon === 1
            ? en('1 group in common', '1 grupo en común')
            : en(`${why.groupsInCommon} groups in common`, `${why.groupsInCommon} grupos en común`)}
        </span>
      )}
      {why.followsMe && (
        <span className="flex items-center gap-1.5">
          <UserRoundCheck aria-hidden size={16} strokeWidth={2} className="flex-none" />
          {en('Follows you', 'Te sigue')}
        </span>
      )}
      {!known && (
        <>
          <span>
            {en('Joined ', 'Se unió ')}
            <RelativeTime at={why.joinedAt} inSentence />
          </span>
          <span>{en('Nothing in common', 'Nada en común')}</span>
        </>
      )}
    </WhyLine>
  )
}

const WhyLine = ({ children }: { children: ReactNode }) => (
  <span className="mt-1 flex flex-wrap items-center gap-x-3.5 gap-y-0.5 text-meta text-text-2">
    {children}
  </span>
)

function Decide({ request: { conversation }, onDecided }: Props) {
  const decision = useDecideMessageRequest(conversation, onDecided)
  const decide = (what: MessageRequestDecision) => () => decision.mutate(what)
  const { name } = conversation.other
  return (
    <>
      <Button
        size="sm"
        disabled={decision.isPending}
        aria-label={en(`Accept ${name}`, `Aceptar a ${name}`)}
        onClick={decide('accept')}
      >
        {en('Accept', 'Aceptar')}
      </Button>
      <Button
        kind="quiet"
        size="sm"
        disabled={decision.isPending}
        aria-label={en(`Decline ${name}`, `Rechazar a ${name}`)}
        onClick={decide('decline')}
      >
        {en('Decline', 'Rechazar')}
      </Button>
    </>
  )
}

type PersonProps = { person: { $id: string; name: string } }

function Unrestrict({ person, onUnrestricted }: PersonProps & { onUnrestricted: () => void }) {
  const unrestrict = useUnrestrictMember(person, onUnrestricted)
  return (
    <Button
      kind="quiet"
      size="sm"
      busy={unrestrict.isPending}
      aria-label={en(`Unrestrict ${person.name}`, `Quitar la restricción a ${person.name}`)}
      onClick={() => unrestrict.mutate()}
    >
      {en('Unrestrict', 'Quitar la restricción')}
    </Button>
  )
}

function Report({ request: { messages, conversation } }: { request: MessageRequest }) {
  const { other } = conversation
  const newest = messages.at(-1)
  if (!newest) return null
  return (
    <Button
      kind="ghost"
      size="sm"
      aria-label={en(`Report ${other.name}`, `Denunciar a ${other.name}`)}
      onClick={() =>
        void openReport({
          kind: 'message',
          id: newest.$id,
          person: { $id: other.$id, name: other.name },
          messages: messages.map(({ $id, content, photos, $createdAt }) => ({
            $id,
            content: messagePreviewText({ content, photos }),
            at: $createdAt,
            mine: false,
          })),
        })
      }
    >
      <Flag aria-hidden size={18} strokeWidth={2} />
      {en('Report', 'Denunciar')}
    </Button>
  )
}

function Block({ person }: PersonProps) {
  const client = useQueryClient()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        kind="ghost"
        size="sm"
        className="text-danger!"
        aria-label={en(`Block ${person.name}`, `Bloquear a ${person.name}`)}
        onClick={() => {
          void client.prefetchQuery(blockPreviewQuery(person.$id))
          setOpen(true)
        }}
      >
        <Ban aria-hidden size={18} strokeWidth={2} />
        {en('Block', 'Bloquear')}
      </Button>
      <BlockDialog person={person} open={open} onClose={() => setOpen(false)} />
    </>
  )
}
