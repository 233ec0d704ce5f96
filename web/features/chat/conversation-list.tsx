import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Conversation } from '#contract/chat/conversations.ts'
import { en } from '#contract/language.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { screenPaths } from '#web/paths.ts'
import { PersonSkeleton } from '#web/ui/avatar-with-name.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Avatar } from '#web/ui/images/avatar.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { conversationQuery, conversationsQuery } from './queries.ts'

type Props = { selected: string | undefined; onSelect: () => void }

const skeletonRows = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

export function ConversationList({ selected, onSelect }: Props) {
  const query = useQuery(conversationsQuery)
  const begun = useBegun(selected, query.data)
  return (
    <div className="min-h-0 flex-1 overflow-y-auto px-2 pb-4">
      <QueryView
        query={query}
        skeleton={skeletonRows.map((row) => (
          <PersonSkeleton
            key={row}
            avatar="size-12"
            lines={['h-3 w-1/2', 'h-2.5 w-4/5']}
            className="min-h-18 px-3 py-2.5"
          />
        ))}
        failure={<ErrorState onRetry={query.refetch} />}
        isEmpty={(conversations) => conversations.length === 0 && !begun}
        empty={
          <EmptyState
            title={en('No conversations yet', 'Todavía no hay conversaciones')}
            text={en(
              "Start a conversation by visiting someone's profile",
              'Empieza una conversación desde el perfil de alguien',
            )}
          >
            <ButtonLink to={screenPaths.people()} kind="soft">
              {en('Find people', 'Buscar personas')}
            </ButtonLink>
          </EmptyState>
        }
      >
        {(conversations) => (
          <ul aria-label={en('Conversations', 'Conversaciones')}>
            {[...(begun ? [begun] : []), ...conversations].map((conversation) => (
              <Row
                key={conversation.$id}
                conversation={conversation}
                current={conversation.$id === selected}
                onSelect={onSelect}
              />
            ))}
          </ul>
        )}
      </QueryView>
    </div>
  )
}

/** The server does not list empty conversations, so the open one is added. */
function useBegun(selected: string | undefined, listed: readonly Conversation[] | undefined) {
  const { data: open } = useQuery({ ...conversationQuery(selected ?? ''), enabled: false })
  const known = !open || listed?.some(({ $id }) => $id === open.$id)
  return selected && !known && open.lastMessage === null ? open : undefined
}

type RowProps = { conversation: Conversation; current: boolean; onSelect: () => void }

function Row({ conversation, current, onSelect }: RowProps) {
  const me = useSignedInMember()
  const { $id, $updatedAt, other, lastMessage, lastMessageTime, lastMessageSender, unread } = conversation
  return (
    <li>
      <Link
        to={screenPaths.chat($id)}
        aria-current={current || undefined}
        onClick={onSelect}
        className="flex min-h-18 items-center gap-3 rounded-photo px-3 py-2.5 hover:bg-sunken focus-visible:rounded-photo focus-visible:-outline-offset-2 aria-[current=true]:bg-brand-soft"
      >
        <Avatar person={other} size={48} />
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline gap-2">
            <span className={cx('truncate leading-[1.25rem]', unread ? 'font-[740]' : 'font-[640]')}>
              {other.name}
            </span>
            <span className="ml-auto flex-none text-micro text-text-2">
              <RelativeTime at={lastMessageTime ?? $updatedAt} />
            </span>
          </span>
          <span
            className={cx(
              'flex items-center gap-2 text-label',
              unread ? 'font-[620] text-text' : 'text-text-2',
            )}
          >
            <span className="truncate">
              {lastMessageSender === me.$id && en('You: ', 'Tú: ')}
              {lastMessage === '' ? en('Message unsent', 'Mensaje retirado') : lastMessage}
            </span>
            {unread && (
              <span className="ml-auto size-2.5 flex-none rounded-full bg-brand forced-colors:bg-[Highlight]">
                <span className="sr-only">{en('Unread', 'Sin leer')}</span>
              </span>
            )}
          </span>
        </span>
      </Link>
    </li>
  )
}
