import { useQueryClient } from '@tanstack/react-query'
import { Heart, MessageCircleOff } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { Link } from 'react-router'
import { type Comment, commentContentSchema } from '#contract/comments/comments.ts'
import {
  deleteCommentEndpoint,
  likeCommentEndpoint,
  unlikeCommentEndpoint,
  updateCommentEndpoint,
} from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import type { Post } from '#contract/posts/posts.ts'
import { callApiOperation } from '#web/api/client.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import {
  messageDraftStorageKey,
  readMessageDraft,
  saveMessageDraft,
} from '#web/features/chat/messages/message-drafts.ts'
import { openReport } from '#web/features/moderation/report-dialog/open-report.ts'
import { formatNumber } from '#web/format-number.ts'
import { formatRelativeTime } from '#web/format-time.ts'
import { screenPaths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { Avatar } from '#web/ui/images/avatar.tsx'
import { RelativeTime, useCurrentTime } from '#web/ui/relative-time.tsx'
import { toast } from '#web/ui/toast/toast-store.ts'
import { useConfirm } from '#web/ui/use-confirm.tsx'
import { waitForNextPaint } from '#web/ui/wait-for-next-paint.ts'
import { startReply, toCommentReplyTarget } from './comment-box-state.ts'
import { CommentTextArea } from './comment-text-area.tsx'
import { reloadComments } from './send-comment.ts'
import { TextWithMentionsAndHashtags } from './text-with-mentions-and-hashtags.tsx'
import { useScrollToPostedComment } from './use-scroll-to-posted-comment.ts'

type Props = {
  post: Post
  comment: Comment
  /** Set for the first comment of a thread. */
  replyCount?: number
  open: boolean
}

const row = 'flex gap-3 py-2'
const action = 'hit-44 -mx-1 min-h-9 px-1 font-[640] hover:text-text'

const failed = () =>
  toast({
    title: en('Error', 'Error'),
    text: en('That didn’t work. Try again.', 'No funcionó. Inténtalo de nuevo.'),
    kind: 'destructive',
  })

export function CommentItem(props: Props) {
  const { comment } = props
  return comment.removed || !comment.author ? <RemovedComment {...props} /> : <LivingComment {...props} />
}

function RemovedComment({ post, comment, replyCount = 0 }: Props) {
  const { dialog, remove } = useRemoval(post, comment, { isOwn: false, replyCount })
  return (
    <div className={cx(row, 'items-center text-body text-text-2', comment.parentId !== null && 'ml-11')}>
      <span className="grid size-9 flex-none place-items-center rounded-full bg-sunken text-text-3">
        <MessageCircleOff aria-hidden size={18} strokeWidth={2} />
      </span>
      <p>{en('Comment removed', 'Comentario retirado')}</p>
      {comment.can.delete && (
        <button type="button" className={cx(action, 'text-meta')} onClick={() => void remove()}>
          {en('Remove', 'Quitar')}
        </button>
      )}
      {dialog}
    </div>
  )
}

/** Browsers move the focus to the body if the focused button was removed. */
function focusIfLost(next: HTMLElement | null): void {
  if (document.activeElement === document.body) next?.focus({ preventScroll: true })
}

type Removal = { isOwn: boolean; replyCount: number }

function useRemoval(post: Post, comment: Comment, { isOwn, replyCount }: Removal) {
  const me = useSignedInMember()
  const client = useQueryClient()
  const goes = replyCount > 0 && !(isOwn && post.creator?.$id !== me.$id)
  const { dialog, ask } = useConfirm({
    title: isOwn
      ? en('Delete this comment?', '¿Borrar este comentario?')
      : en('Remove this comment?', '¿Quitar este comentario?'),
    text: en('You can’t undo this.', 'No se puede deshacer.'),
    confirm: isOwn ? en('Delete', 'Borrar') : en('Remove', 'Quitar'),
    cancel: en('Keep', 'Conservarlo'),
    ...(goes && { title: questionOf(isOwn, replyCount) }),
  })

  async function remove() {
    if (!(await ask())) return
    await callApiOperation(deleteCommentEndpoint, { commentId: comment.$id }).catch(failed)
    await reloadComments(client, post.$id)
    await waitForNextPaint()
    focusIfLost(document.querySelector<HTMLElement>('[data-comments-title]'))
  }
  return { dialog, remove }
}

function LivingComment({ post, comment, replyCount = 0, open }: Props) {
  const me = useSignedInMember()
  const client = useQueryClient()
  const [editing, setEditing] = useState(false)
  const edit = useRef<HTMLButtonElement>(null)
  const now = useCurrentTime()
  const article = useScrollToPostedComment(post.$id, comment.$id)
  const { author, parentId, content, can } = comment
  const isOwn = author?.$id === me.$id
  const { dialog, remove } = useRemoval(post, comment, { isOwn, replyCount })
  if (!author) return null

  function reply() {
    if (parentId !== null && author) {
      const key = messageDraftStorageKey(me.accountId, `comment:${post.$id}`)
      const begun = `@${author.username} `
      if (!readMessageDraft(key).startsWith(begun)) saveMessageDraft(key, begun + readMessageDraft(key))
    }
    startReply(client, post.$id, toCommentReplyTarget(comment))
  }

  async function endEditing() {
    setEditing(false)
    await waitForNextPaint()
    focusIfLost(edit.current)
  }

  const time = formatRelativeTime(new Date(comment.$createdAt ?? now), new Date(now))
  return (
    <article
      ref={article}
      aria-label={`${author.name}, ${time.replace('Just', 'just')}`}
      className={cx(row, parentId !== null && 'ml-11')}
    >
      <Link
        to={screenPaths.profile(author.$id)}
        aria-label={author.name}
        className="mt-0.5 self-start focus-visible:rounded-full"
      >
        <Avatar person={author} size={parentId === null ? 36 : 28} />
      </Link>
      <div className="min-w-0 flex-1">
        {editing ? (
          <EditComment post={post} comment={comment} onDone={() => void endEditing()} />
        ) : (
          <p dir="auto" className="text-body text-pretty whitespace-pre-line [overflow-wrap:anywhere]">
            <Link
              to={screenPaths.profile(author.$id)}
              tabIndex={-1}
              className="mr-1 font-[650] underline-offset-3 hover:underline"
            >
              {author.name}
            </Link>{' '}
            {author.$id === post.creator?.$id && (
              <span className="mr-1 rounded-full bg-brand-soft px-[7px] py-0.5 text-micro font-[680] text-brand-text">
                {en('Author', 'Autora')}
              </span>
            )}{' '}
            <TextWithMentionsAndHashtags text={content} mentions={comment.mentions} />
          </p>
        )}
        <CommentLine>
          {comment.$createdAt && <RelativeTime at={comment.$createdAt} />}
          {comment.edited && <span>{en('Edited', 'Editado')}</span>}
          {open && (
            <button type="button" className={action} onClick={reply}>
              {en('Reply', 'Responder')}
            </button>
          )}
          {can.edit && !editing && (
            <button ref={edit} type="button" className={action} onClick={() => setEditing(true)}>
              {en('Edit', 'Editar')}
            </button>
          )}
          {can.delete && (
            <button type="button" className={action} onClick={() => void remove()}>
              {isOwn ? en('Delete', 'Borrar') : en('Remove', 'Quitar')}
            </button>
          )}
          {!isOwn && (
            <button
              type="button"
              className={action}
              onClick={() => void openReport({ kind: 'comment', id: comment.$id, person: author })}
            >
              {en('Report…', 'Denunciar…')}
            </button>
          )}
        </CommentLine>
      </div>
      <LikeButton post={post} comment={comment} />
      {dialog}
    </article>
  )
}

const questionOf = (isOwn: boolean, replyCount: number) =>
  en(
    `${isOwn ? 'Delete' : 'Remove'} this comment and its ${replyCount === 1 ? 'reply' : `${replyCount} replies`}?`,
    `¿${isOwn ? 'Borrar' : 'Quitar'} este comentario y ${replyCount === 1 ? 'su respuesta' : `sus ${replyCount} respuestas`}?`,
  )

export const CommentLine = ({ children }: { children: ReactNode }) => (
  <div className="mt-[3px] flex flex-wrap items-center gap-x-3.5 gap-y-1 text-meta text-text-2">
    {children}
  </div>
)

function LikeButton({ post, comment }: { post: Post; comment: Comment }) {
  const client = useQueryClient()
  const [wanted, setWanted] = useState<boolean>()
  const liked = wanted ?? comment.liked
  const likeCount = comment.likeCount + Number(liked) - Number(comment.liked)

  async function press() {
    setWanted(!liked)
    const endpoint = liked ? unlikeCommentEndpoint : likeCommentEndpoint
    await callApiOperation(endpoint, { commentId: comment.$id }).catch(failed)
    await reloadComments(client, post.$id)
    setWanted(undefined)
  }

  return (
    <button
      type="button"
      aria-pressed={liked}
      aria-label={en(`Like, ${likeCount} ${likeCount === 1 ? 'like' : 'likes'}`, `Me gusta, ${likeCount}`)}
      onClick={() => void press()}
      className={cx(
        'flex min-h-11 min-w-11 flex-none flex-col items-center rounded-input pt-1.5 text-micro font-[620] text-text-2 tabular-nums hover:text-text',
        liked && 'text-like! [&_svg]:fill-current',
      )}
    >
      <Heart aria-hidden size={19} strokeWidth={1.9} />
      <span aria-hidden>{likeCount > 0 && formatNumber(likeCount)}</span>
    </button>
  )
}

function EditComment({ post, comment, onDone }: { post: Post; comment: Comment; onDone: () => void }) {
  const client = useQueryClient()
  const [text, setText] = useState(comment.content)
  const [refusal, setRefusal] = useState<string>()
  const [saving, setSaving] = useState(false)
  const canSave = commentContentSchema.safeParse(text).success

  async function save() {
    if (!canSave || saving) return
    setSaving(true)
    try {
      await callApiOperation(updateCommentEndpoint, { commentId: comment.$id, content: text })
      await reloadComments(client, post.$id)
      onDone()
    } catch (error) {
      setRefusal(
        error instanceof Error && error.message
          ? error.message
          : en('That didn’t work. Try again.', 'No funcionó. Inténtalo de nuevo.'),
      )
      setSaving(false)
    }
  }

  return (
    <div>
      <CommentTextArea
        autoFocus
        aria-label={en('Edit comment', 'Editar el comentario')}
        value={text}
        postId={post.$id}
        onType={setText}
        onSend={() => void save()}
      />
      {refusal && (
        <p role="alert" className="pt-1 text-meta font-[620] text-danger">
          {refusal}
        </p>
      )}
      <div className="flex gap-2 pt-2">
        <Button size="sm" busy={saving} disabled={!canSave} onClick={() => void save()}>
          {en('Save', 'Guardar')}
        </Button>
        <Button size="sm" kind="ghost" onClick={onDone}>
          {en('Cancel', 'Cancelar')}
        </Button>
      </div>
    </div>
  )
}
