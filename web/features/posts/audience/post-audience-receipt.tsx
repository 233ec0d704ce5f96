import { Eye } from 'lucide-react'
import { en } from '#contract/language.ts'
import type { Post } from '#contract/posts/posts.ts'
import { formatDateAndTime } from '#web/format-time.ts'
import { formatRemovedMetadata, formatShareReceipt } from './share-receipt-texts.ts'

/** The server sends a receipt only to the author. */
export function PostAudienceReceipt({ post }: { post: Post }) {
  const said = formatShareReceipt(post)
  if (!said || !post.receipt) return null
  const { at, removed } = post.receipt
  return (
    <section
      aria-label={en('How you shared this', 'Cómo compartiste esto')}
      className="mt-3.5 flex items-start gap-[7px] border-t border-border pt-3 text-meta text-text-2"
    >
      <Eye aria-hidden size={16} strokeWidth={2} className="mt-px flex-none" />
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <p>{said}</p>
        <p>
          <time dateTime={at}>{formatDateAndTime(new Date(at))}</time>
        </p>
        {removed.length > 0 && <p>{formatRemovedMetadata(removed)}</p>}
        <p>{en('Only you see this.', 'Solo tú ves esto.')}</p>
      </div>
    </section>
  )
}
