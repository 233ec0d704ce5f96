import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { commentContentSchema } from '#contract/comments/comments.ts'
import { en } from '#contract/language.ts'
import type { Post } from '#contract/posts/posts.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import {
  messageDraftStorageKey,
  restoreMessageDraft,
  saveMessageDraft,
  useMessageDraft,
} from '#web/features/chat/messages/message-drafts.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Avatar } from '#web/ui/images/avatar.tsx'
import { startReply, useCommentBox } from './comment-box-state.ts'
import { CommentTextArea } from './comment-text-area.tsx'
import { describeClosedComments } from './commenter-choices.ts'
import { commentsQuery } from './queries.ts'
import { sendComment } from './send-comment.ts'

export function CommentComposer({ post }: { post: Post }) {
  const me = useSignedInMember()
  const client = useQueryClient()
  const key = messageDraftStorageKey(me.accountId, `comment:${post.$id}`)
  const text = useMessageDraft(key)
  const { reply } = useCommentBox(post.$id)
  const { data } = useInfiniteQuery(commentsQuery(post.$id))
  const box = useRef<HTMLTextAreaElement>(null)
  const [tooFast, setTooFast] = useState(false)
  const canPost = commentContentSchema.safeParse(text).success

  useEffect(() => {
    if (reply) box.current?.focus()
  }, [reply])

  async function send(event?: FormEvent) {
    event?.preventDefault()
    if (!canPost) return
    const content = text.trim()
    setTooFast(false)
    saveMessageDraft(key, '')
    box.current?.focus()
    const result = await sendComment(client, post.$id, content)
    if (result === 'too-fast' || result === 'refused') restoreMessageDraft(key, content)
    setTooFast(result === 'too-fast')
  }

  const [newest] = data?.pages ?? []
  if (!newest) return null
  if (!newest.open)
    return <ClosedComments reason={describeClosedComments(post, newest.commentsFrom)} kept={text} />
  return (
    <form onSubmit={send} className="@container pt-2 pb-1">
      {reply && (
        <p className="mb-1 flex items-center gap-2 text-meta text-text-2">
          <span className="min-w-0 truncate">
            {en('Replying to ', 'Respondiendo a ')}
            {reply.name}
          </span>
          <IconButton
            label={en('Stop replying', 'Dejar de responder')}
            onClick={() => startReply(client, post.$id, undefined)}
          >
            <X aria-hidden size={16} strokeWidth={2} />
          </IconButton>
        </p>
      )}
      <div className="flex flex-wrap items-end justify-end gap-2.5">
        <span className="mb-1 hidden flex-none @min-[30rem]:block">
          <Avatar person={me} size={40} />
        </span>
        <CommentTextArea
          ref={box}
          aria-label={en('Comment', 'Comentario')}
          placeholder={en('Add a comment…', 'Añade un comentario…')}
          value={text}
          postId={post.$id}
          onType={(typed) => saveMessageDraft(key, typed)}
          onSend={() => void send()}
        />
        <Button
          type="submit"
          disabled={!canPost}
          onMouseDown={(event) => event.preventDefault()}
          className="min-h-12!"
        >
          {en('Post', 'Publicar')}
        </Button>
      </div>
      {tooFast && (
        <p role="alert" className="pt-1.5 text-label font-[620] text-danger">
          {en('Too fast. Try again in a moment.', 'Demasiado rápido. Inténtalo en un momento.')}
        </p>
      )}
    </form>
  )
}

function ClosedComments({ reason, kept }: { reason: string; kept: string }) {
  return (
    <div className="pt-2 pb-1 text-label text-text-2">
      <p role="status">{reason}</p>
      {kept.trim() && (
        <textarea
          readOnly
          aria-label={en('What you wrote', 'Lo que escribiste')}
          value={kept}
          rows={2}
          className="field-sizing-content mt-2 max-h-72 w-full resize-none rounded-card bg-sunken px-4.5 py-[11px] text-body text-text"
        />
      )}
    </div>
  )
}
