import { MapPin } from 'lucide-react'
import { hasPlace } from '#contract/posts/no-place.ts'
import type { PostEdit } from '#contract/posts/post-edits.ts'

export function PostVersionText({ caption, location, tags }: Omit<PostEdit, 'until'>) {
  return (
    <div className="[overflow-wrap:anywhere]">
      {hasPlace(location) && (
        <p className="mb-2 flex items-start gap-[7px] text-label text-text-2">
          <MapPin aria-hidden size={16} strokeWidth={2} className="mt-0.5 flex-none" />
          {location}
        </p>
      )}
      <p dir="auto" className="text-pretty whitespace-pre-line">
        {caption}
      </p>
      {tags.length > 0 && (
        <p className="mt-2 text-label font-[550] text-accent">{tags.map((tag) => `#${tag}`).join(' ')}</p>
      )}
    </div>
  )
}
