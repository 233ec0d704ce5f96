import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Conversation } from '#contract/chat.ts'
import { useMe } from '#web/features/account/queries.ts'
import { paths } from '#web/paths.ts'
import { isLoading } from '#web/query-state.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { classes } from '#web/ui/classes.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton, SkeletonRegion, useSkeleton } from '#web/ui/skeleton.tsx'
import { StaleBar } from '#web/ui/stale-bar.tsx'
import { Time } from '#web/ui/time.tsx'
import { conversationsQuery } from './queries.ts'

type Props = { selected: string | undefined; onSelect: () => void }

const skeletonRows = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

/** Her newest fifty by last message. */
export function ConversationList({ selected, onSelect }: Props) {
  const query = useQuery(conversationsQuery)
  const loading = useSkeleton(isLoading(query))
  return (
    <div className="min-h-0 flex-1 overflow-y-auto px-2 pb-4">
      {loading ? (
        <SkeletonRegion>
          {skeletonRows.map((row) => (
            <div key={row} className="flex min-h-18 items-center gap-3 px-3 py-2.5">
              <Skeleton className="size-12 flex-none rounded-full" />
              <div className="flex-1 space-y-2">
                <Skeleton className="h-3 w-1/2" />
                <Skeleton className="h-2.5 w-4/5" />
              </div>
            </div>
          ))}
        </SkeletonRegion>
      ) : !query.data ? (
        <ErrorState text="We couldn’t load this." onRetry={query.refetch} />
      ) : (
        <>
          {query.isError && <StaleBar onRetry={query.refetch} />}
          {query.data.length === 0 ? (
            <EmptyState
              title="No conversations yet"
              text="Start a conversation by visiting someone's profile"
            />
          ) : (
            <ul aria-label="Conversations">
              {query.data.map((conversation) => (
                <Row
                  key={conversation.$id}
                  conversation={conversation}
                  current={conversation.$id === selected}
                  onSelect={onSelect}
                />
              ))}
            </ul>
          )}
        </>
      )}
    </div>
  )
}

type RowProps = { conversation: Conversation; current: boolean; onSelect: () => void }

function Row({ conversation, current, onSelect }: RowProps) {
  const me = useMe()
  const { $id, $updatedAt, other, lastMessage, lastMessageTime, lastMessageSender, unread } = conversation
  return (
    <li>
      <Link
        to={paths.conversation($id)}
        aria-current={current || undefined}
        onClick={onSelect}
        className="flex min-h-18 items-center gap-3 rounded-photo px-3 py-2.5 hover:bg-sunken focus-visible:rounded-photo focus-visible:-outline-offset-2 aria-[current=true]:bg-brand-soft"
      >
        <Avatar person={other} size={48} />
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline gap-2">
            <span className={classes('truncate leading-5', unread ? 'font-[740]' : 'font-[640]')}>
              {other.name}
            </span>
            <span className="ml-auto flex-none text-micro text-text-2">
              <Time at={lastMessageTime ?? $updatedAt} />
            </span>
          </span>
          <span
            className={classes(
              'flex items-center gap-2 text-label',
              unread ? 'font-[620] text-text' : 'text-text-2',
            )}
          >
            <span className="truncate">
              {lastMessageSender === me.$id && 'You: '}
              {lastMessage}
            </span>
            {unread && (
              <span className="ml-auto size-2.5 flex-none rounded-full bg-brand forced-colors:bg-[Highlight]">
                <span className="sr-only">Unread</span>
              </span>
            )}
          </span>
        </span>
      </Link>
    </li>
  )
}
