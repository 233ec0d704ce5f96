import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { en } from '#contract/language.ts'
import type { Post } from '#contract/posts/posts.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { Avatar } from '#web/ui/images/avatar.tsx'
import { discardPendingComment, useCommentBox } from './comment-box-state.ts'
import { CommentLine } from './comment-item.tsx'
import type { PendingComment } from './pending-comment-storage.ts'
import { retryComment } from './send-comment.ts'
import { useScrollToPostedComment } from './use-scroll-to-posted-comment.ts'

/** Pending comments appear where they will be after posting. */
export function PendingComments({ post, threadId }: { post: Post; threadId?: string }) {
  const { pending } = useCommentBox(post.$id)
  return pending
    .filter(({ reply }) => reply?.threadId === threadId)
    .map((comment) => <Pending key={comment.commentId} post={post} comment={comment} />)
}

function Pending({ post, comment }: { post: Post; comment: PendingComment }) {
  const me = useSignedInMember()
  const client = useQueryClient()
  const { state, content, reply, commentId } = comment
  const article = useScrollToPostedComment(post.$id, commentId, false)

  // Retries when the device goes online, as for messages.
  useEffect(() => {
    if (state !== 'failed') return
    const retry = () => void retryComment(client, post.$id, comment)
    addEventListener('online', retry)
    return () => removeEventListener('online', retry)
  }, [state, client, post.$id, comment])

  return (
    <article
      ref={article}
      aria-label={en(`${me.name}, not posted yet`, `${me.name}, sin publicar todavía`)}
      className={`flex gap-3 py-2 ${reply ? 'ml-11' : ''}`}
    >
      <Avatar person={me} size={reply ? 28 : 36} />
      <div className="min-w-0 flex-1">
        <p dir="auto" className="text-body whitespace-pre-line [overflow-wrap:anywhere]">
          <span className="mr-2 font-[650]">{me.name}</span>
          {content}
        </p>
        <CommentLine>
          {state === 'sending' ? (
            <span>{en('Posting…', 'Publicando…')}</span>
          ) : (
            <>
              <span role="alert" className="font-[620] text-danger">
                {en('Not posted', 'Sin publicar')}
              </span>
              <button
                type="button"
                className="hit-44 min-h-9 font-[640] hover:text-text"
                onClick={() => void retryComment(client, post.$id, comment)}
              >
                {en('Try again', 'Volver a intentar')}
              </button>
              <button
                type="button"
                className="hit-44 min-h-9 font-[640] hover:text-text"
                onClick={() => discardPendingComment(client, post.$id, commentId)}
              >
                {en('Discard', 'Descartar')}
              </button>
            </>
          )}
        </CommentLine>
      </div>
    </article>
  )
}
