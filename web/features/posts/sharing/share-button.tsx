import { Send } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { en } from '#contract/language.ts'
import type { Post } from '#contract/posts/posts.ts'

const ShareDialog = lazy(async () => ({ default: (await import('./share-dialog.tsx')).ShareDialog }))

export function ShareButton({ post }: { post: Post }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        aria-label={en('Share', 'Compartir')}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="flex min-h-11 min-w-11 items-center justify-center rounded-full px-3 hover:bg-sunken hover:text-text"
      >
        <Send aria-hidden size={22} strokeWidth={1.9} />
      </button>
      {open && (
        <Suspense>
          <ShareDialog post={post} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
