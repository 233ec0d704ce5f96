import { useQueryClient } from '@tanstack/react-query'
import { Bookmark, Heart } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { en } from '#contract/language.ts'
import type { Post } from '#contract/posts/posts.ts'
import { getErrorMessageOrOffline } from '#web/api/error-message.ts'
import { prefersReducedMotion } from '#web/appearance/prefers-reduced-motion.ts'
import { formatNumber } from '#web/format-number.ts'
import { lazyPart } from '#web/navigation/lazy-part.tsx'
import { cx } from '#web/ui/cx.ts'
import { toast } from '#web/ui/toast/toast-store.ts'
import type { PostToggleKind } from './like-and-save-mutations.ts'

/** These parts load after the first paint. After a failure, a press tries again. */
const loadLater = () => import('./deferred-post-parts.ts')
const LazyCommentCount = lazyPart(async () => (await loadLater()).CommentCount)
export const LazyTextWithLinks = lazyPart(async () => (await loadLater()).TextWithMentionsAndHashtags)
const LazyShareButton = lazyPart(async () => (await loadLater()).ShareButton)

const action = 'flex min-h-11 min-w-11 items-center gap-2 rounded-full px-3 hover:bg-sunken hover:text-text'

type Props = {
  post: Post
  className?: string
  children?: ReactNode
}

export function PostActionButtons({ post, className, children }: Props) {
  const client = useQueryClient()
  const heart = useRef<SVGSVGElement>(null)

  function press(kind: PostToggleKind) {
    if (kind === 'like' && !post.liked) beat(heart.current)
    loadLater().then(
      ({ togglePostLikeOrSave }) => togglePostLikeOrSave(client, kind, post),
      () => toast({ title: en('Error', 'Error'), text: getErrorMessageOrOffline(), kind: 'destructive' }),
    )
  }

  return (
    <div className={cx('flex flex-wrap items-center gap-1 text-body font-[620] text-text-2', className)}>
      <button
        type="button"
        aria-pressed={post.liked}
        aria-label={en(
          `Like, ${post.likeCount} ${post.likeCount === 1 ? 'like' : 'likes'}`,
          `Me gusta, ${post.likeCount}`,
        )}
        onClick={() => press('like')}
        className={cx(action, 'tabular-nums', post.liked && 'text-like! [&_svg]:fill-current')}
      >
        <Heart ref={heart} aria-hidden size={24} strokeWidth={1.9} />
        <span aria-hidden>{formatNumber(post.likeCount)}</span>
      </button>
      <LazyCommentCount post={post} />
      <LazyShareButton post={post} />
      {children}
      <button
        type="button"
        aria-pressed={post.saved}
        aria-label={en('Save', 'Guardar')}
        onClick={() => press('save')}
        className={cx(action, 'ml-auto', post.saved && 'text-save! [&_svg]:fill-current')}
      >
        <Bookmark aria-hidden size={24} strokeWidth={1.9} />
      </button>
    </div>
  )
}

function beat(heart: Element | null) {
  if (prefersReducedMotion()) return
  heart?.animate({ scale: [1, 1.25, 1] }, { duration: 240, easing: 'cubic-bezier(.2,.7,.2,1)' })
}
