import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowUp } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { type CommentThread, maxCountedThreads } from '#contract/comments/comments.ts'
import { updatePostEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import type { Post } from '#contract/posts/posts.ts'
import { callApiOperation } from '#web/api/client.ts'
import { hasQueryFailed } from '#web/api/query-status-predicates.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { patchCachedPost } from '#web/features/posts/post-cache.ts'
import { formatNumber } from '#web/format-number.ts'
import { onLiveConnectionStateChange, subscribeToLiveChanges } from '#web/realtime/live-connection.ts'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { expandThread, useCommentBox } from './comment-box-state.ts'
import { CommentItem } from './comment-item.tsx'
import { PendingComments } from './pending-comments.tsx'
import { commentsQuery, repliesQuery } from './queries.ts'
import { reloadComments } from './send-comment.ts'
import { useScrollToComments } from './use-scroll-to-comments.ts'
import { WhoCanCommentButton } from './who-can-comment-button.tsx'

const more =
  'flex min-h-9 items-center gap-2 text-label font-[640] text-brand-text hit-44 hover:underline underline-offset-3'

export function Comments({ post }: { post: Post }) {
  const titleId = useId()
  const me = useSignedInMember()
  const client = useQueryClient()
  const query = useInfiniteQuery(commentsQuery(post.$id))
  const { pending } = useCommentBox(post.$id)
  const [newest] = query.data?.pages ?? []
  const threads = query.data?.pages.toReversed().flatMap(({ documents }) => documents) ?? []
  const earlier = query.data?.pages.at(-1)?.earlier ?? 0
  const count = newest?.total ?? post.commentCount
  const heading = useScrollToComments(newest !== undefined || hasQueryFailed(query))
  useFreshComments(post.$id)

  useEffect(() => {
    if (newest)
      patchCachedPost(client, post.$id, () => ({
        commentCount: newest.total,
        commentsFrom: newest.commentsFrom,
      }))
  }, [client, post.$id, newest])

  async function choose(commentsFrom: Post['commentsFrom']) {
    await callApiOperation(updatePostEndpoint, { postId: post.$id, commentsFrom })
    patchCachedPost(client, post.$id, () => ({ commentsFrom }))
    await reloadComments(client, post.$id)
  }

  return (
    <section aria-labelledby={titleId} className="mt-4.5 border-t border-border pt-3.5">
      <header className="flex flex-wrap items-center justify-between gap-2.5 pb-1.5">
        <h2 ref={heading} id={titleId} data-comments-title tabIndex={-1} className="heading text-lead">
          {formatNumber(count)} {count === 1 ? en('comment', 'comentario') : en('comments', 'comentarios')}
        </h2>
        {post.creator?.$id === me.$id && (
          <WhoCanCommentButton value={post.commentsFrom} post={post} onSave={choose} />
        )}
      </header>
      {query.isPending && query.isFetching && <CommentsSkeleton />}
      {hasQueryFailed(query) && (
        <div className="flex flex-wrap items-center gap-3 py-3 text-label text-text-2">
          <p role="alert">{en('We couldn’t load the comments.', 'No pudimos cargar los comentarios.')}</p>
          <Button kind="outline" size="sm" onClick={() => void query.refetch()}>
            {en('Try again', 'Volver a intentar')}
          </Button>
        </div>
      )}
      {newest && threads.length === 0 && pending.length === 0 && (
        <p className="py-3 text-label text-text-2">
          {newest.open
            ? en('No comments yet. Be the first.', 'Todavía no hay comentarios. Sé la primera.')
            : en('No comments.', 'No hay comentarios.')}
        </p>
      )}
      {query.hasNextPage && (
        <button
          type="button"
          disabled={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
          className={more}
        >
          <ArrowUp aria-hidden size={16} strokeWidth={2} />
          {en('Show earlier comments (', 'Ver comentarios anteriores (')}
          {formatNumber(earlier)}
          {earlier === maxCountedThreads && '+'})
        </button>
      )}
      <ul>
        {threads.map((thread) => (
          <Thread key={thread.$id} post={post} thread={thread} open={newest?.open ?? false} />
        ))}
      </ul>
      <PendingComments post={post} />
      <CommentAnnouncer threads={threads} />
    </section>
  )
}

function useFreshComments(postId: string) {
  const client = useQueryClient()
  useEffect(() => {
    const reload = () => void reloadComments(client, postId)
    const ends = [
      subscribeToLiveChanges({
        changed: (changes) => {
          if (changes.some(({ collection, document }) => collection === 'posts' && document.$id === postId))
            reload()
        },
        resync: reload,
      }),
      onLiveConnectionStateChange(reload),
    ]
    return () => {
      for (const end of ends) end()
    }
  }, [client, postId])
}

type ThreadProps = {
  post: Post
  thread: CommentThread
  open: boolean
}

function Thread({ post, thread, open }: ThreadProps) {
  const client = useQueryClient()
  const { openThreads } = useCommentBox(post.$id)
  const isOpened = openThreads.includes(thread.$id) && thread.replyCount > thread.replies.length
  const query = useInfiniteQuery({ ...repliesQuery(post.$id, thread.$id), enabled: isOpened })
  const all = isOpened ? query.data?.pages.flatMap(({ documents }) => documents) : undefined
  const replies = all ?? thread.replies
  const left = thread.replyCount - replies.length

  function showMore() {
    if (all) void query.fetchNextPage()
    else expandThread(client, post.$id, thread.$id)
  }

  return (
    <li>
      <CommentItem post={post} comment={thread} replyCount={thread.replyCount} open={open} />
      {replies.length > 0 && (
        <ul>
          {replies.map((reply) => (
            <li key={reply.$id}>
              <CommentItem post={post} comment={reply} open={open} />
            </li>
          ))}
        </ul>
      )}
      {left > 0 && (
        <button type="button" onClick={showMore} className={`${more} ml-11`}>
          {en(
            `Show ${formatNumber(left)} more ${left === 1 ? 'reply' : 'replies'}`,
            `Ver ${formatNumber(left)} ${left === 1 ? 'respuesta' : 'respuestas'} más`,
          )}
        </button>
      )}
      <PendingComments post={post} threadId={thread.$id} />
    </li>
  )
}

function CommentAnnouncer({ threads }: { threads: readonly CommentThread[] }) {
  const me = useSignedInMember()
  const known = useRef<Set<string>>(undefined)
  const [said, setSaid] = useState<{ id: string; text: string }[]>([])

  useEffect(() => {
    const comments = threads.flatMap((thread) => [thread, ...thread.replies])
    const before = known.current
    known.current = new Set([...(before ?? []), ...comments.map(({ $id }) => $id)])
    if (!before) return
    const since = [...comments].filter(
      ({ $id, author, $createdAt }) =>
        !before.has($id) &&
        author &&
        author.$id !== me.$id &&
        Date.now() - Date.parse($createdAt ?? '') < 60_000,
    )
    if (since.length > 0)
      setSaid((lines) => [
        ...lines,
        ...since.map(({ $id, author }) => ({
          id: $id,
          text: en(`${author?.name} commented`, `${author?.name} comentó`),
        })),
      ])
  }, [threads, me.$id])

  return (
    <div role="log" aria-label={en('New comments', 'Comentarios nuevos')} className="sr-only">
      {said.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  )
}

const CommentsSkeleton = () => (
  <div role="status" aria-label={en('Loading comments', 'Cargando comentarios')}>
    {[1, 2, 3].map((row) => (
      <div key={row} className="flex gap-3 py-2">
        <Skeleton className="size-9 flex-none rounded-full" />
        <div className="flex-1 pt-1">
          <Skeleton className="h-3.5 w-11/12" />
          <Skeleton className="mt-2 h-3 w-2/5" />
        </div>
      </div>
    ))}
  </div>
)
