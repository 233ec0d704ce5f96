import { type ReactNode, useState } from 'react'
import { en } from '#contract/language.ts'
import type { Post } from '#contract/posts/posts.ts'
import { Button } from '#web/ui/button.tsx'

/** The admin can reveal the post. */
export function BlockedAuthorPostCover({ post, children }: { post: Post; children: ReactNode }) {
  const [shown, setShown] = useState(false)
  if (!post.blocked || shown) return children
  return (
    <section className="card flex flex-col items-center gap-4.5 px-6 py-14 text-center text-text-2">
      <p>{en('Hidden because you blocked her.', 'Oculta porque la bloqueaste.')}</p>
      <Button kind="outline" onClick={() => setShown(true)}>
        {en('Show', 'Mostrar')}
      </Button>
    </section>
  )
}
