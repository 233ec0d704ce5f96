import { useQueryClient } from '@tanstack/react-query'
import { Bookmark, Heart } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { Post } from '#contract/posts.ts'
import { classes } from '#web/ui/classes.ts'
import { toast } from '#web/ui/toast-store.ts'
import type { ToggleKind } from './toggles.ts'

/** Not part of the first load (reading W-04): asked for when the page has come to rest, or with the first press. */
const loadToggles = () => import('./toggles.ts')
const rest = 1000

const action = 'flex min-h-11 min-w-11 items-center gap-2 rounded-full px-3 hover:bg-sunken hover:text-text'

/** Like, with how many do, and save (spec §4). */
export function PostActions({ post, className }: { post: Post; className?: string }) {
  const client = useQueryClient()
  const heart = useRef<SVGSVGElement>(null)

  useEffect(() => {
    const timer = setTimeout(() => loadToggles().catch(() => {}), rest)
    return () => clearTimeout(timer)
  }, [])

  function press(kind: ToggleKind) {
    if (kind === 'like' && !post.liked) beat(heart.current)
    loadToggles().then(
      ({ pressToggle }) => pressToggle(client, kind, post),
      () => toast({ title: 'Error', text: 'Something went wrong. Please try again.', kind: 'destructive' }),
    )
  }

  return (
    <div className={classes('flex items-center gap-1 text-body font-[620] text-text-2', className)}>
      <button
        type="button"
        aria-pressed={post.liked}
        aria-label={`Like, ${post.likeCount} ${post.likeCount === 1 ? 'like' : 'likes'}`}
        onClick={() => press('like')}
        className={classes(action, 'tabular-nums', post.liked && 'text-like! [&_svg]:fill-current')}
      >
        <Heart ref={heart} aria-hidden size={24} strokeWidth={1.9} />
        <span aria-hidden>{post.likeCount.toLocaleString('en')}</span>
      </button>
      <button
        type="button"
        aria-pressed={post.saved}
        aria-label="Save"
        onClick={() => press('save')}
        className={classes(action, 'ml-auto', post.saved && 'text-save! [&_svg]:fill-current')}
      >
        <Bookmark aria-hidden size={24} strokeWidth={1.9} />
      </button>
    </div>
  )
}

function beat(heart: Element | null) {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
  heart?.animate({ scale: [1, 1.25, 1] }, { duration: 240, easing: 'cubic-bezier(.2,.7,.2,1)' })
}
