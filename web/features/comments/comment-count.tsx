import { MessageCircle } from 'lucide-react'
import { useRef } from 'react'
import { Link } from 'react-router'
import { en } from '#contract/language.ts'
import type { Post } from '#contract/posts/posts.ts'
import { formatNumber } from '#web/format-number.ts'
import { screenPaths } from '#web/paths.ts'
import { useLiveCommentCount } from './use-live-comment-count.ts'
import { commentsAnchor } from './use-scroll-to-comments.ts'

export function CommentCount({ post }: { post: Post }) {
  const { commentCount } = post
  const link = useRef<HTMLAnchorElement>(null)
  useLiveCommentCount(post.$id, link)
  return (
    <Link
      ref={link}
      to={screenPaths.post(post.$id) + commentsAnchor}
      aria-label={`${commentCount} ${commentCount === 1 ? en('comment', 'comentario') : en('comments', 'comentarios')}`}
      className="flex min-h-11 min-w-11 items-center gap-2 rounded-full px-3 tabular-nums hover:bg-sunken hover:text-text"
    >
      <MessageCircle aria-hidden size={24} strokeWidth={1.9} />
      <span aria-hidden>{formatNumber(commentCount)}</span>
    </Link>
  )
}
