import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Conversation } from '#contract/chat.ts'
import type { Creator } from '#contract/people.ts'
import { ApiError } from '#web/api.ts'
import { paths } from '#web/paths.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Composer } from './composer.tsx'
import { chatKeys, conversationQuery, threadQuery } from './queries.ts'
import { useSending } from './sending.ts'
import { ThreadMessages } from './thread-messages.tsx'

type Props = { conversationId: string; opener: ReactNode }

/** One conversation: who it is with, what was said, and the box to say more. */
export function Thread({ conversationId, opener }: Props) {
  const listed = useQueryClient()
    .getQueryData<Conversation[]>(chatKeys.list)
    ?.find(({ $id }) => $id === conversationId)
  const conversation = useQuery({ ...conversationQuery(conversationId), placeholderData: listed })
  const thread = useQuery(threadQuery(conversationId))
  const sending = useSending(conversationId)
  const other = conversation.data?.other

  if (conversation.isError && !conversation.data) {
    return (
      <>
        {opener && <Head>{opener}</Head>}
        <div className="grid min-h-0 flex-1 place-items-center overflow-y-auto">
          {isMissing(conversation.error) ? (
            <EmptyState title="Conversation not found">
              <ButtonLink to={paths.chat()} kind="outline">
                <ArrowLeft aria-hidden size={18} strokeWidth={2} />
                Back to Chat
              </ButtonLink>
            </EmptyState>
          ) : (
            <ErrorState text="We couldn’t load this." onRetry={conversation.refetch} />
          )}
        </div>
      </>
    )
  }
  return (
    <>
      <Head>
        {opener}
        {other ? <Other person={other} /> : <OtherSkeleton />}
      </Head>
      <ThreadMessages
        conversationId={conversationId}
        other={other}
        query={thread}
        outgoing={sending.outgoing}
        onTryAgain={sending.sendAgain}
        onDiscard={sending.discard}
      />
      <Composer conversationId={conversationId} sending={sending.sending} onSend={sending.sendBox} />
    </>
  )
}

/** There is none, it is of others, or the address cannot be one: all the same to her. */
const isMissing = (error: unknown) => error instanceof ApiError && [400, 404].includes(error.code)

function Head({ children }: { children: ReactNode }) {
  return (
    <header className="flex min-h-16 flex-none items-center gap-2.5 border-b border-border bg-surface px-2 py-2 md:min-h-18 md:gap-3 md:px-6 md:py-3">
      {children}
    </header>
  )
}

function Other({ person }: { person: Creator }) {
  return (
    <Link to={paths.profile(person.$id)} className="flex min-h-11 min-w-0 items-center gap-3">
      <Avatar person={person} size={44} />
      <span className="min-w-0">
        <span className="block truncate text-name leading-5 font-[680]">{person.name}</span>
        <span className="block truncate text-meta text-text-2">@{person.username}</span>
      </span>
    </Link>
  )
}

function OtherSkeleton() {
  return (
    <span aria-hidden="true" className="flex items-center gap-3">
      <Skeleton className="size-11 rounded-full" />
      <Skeleton className="h-3.5 w-32" />
    </span>
  )
}
