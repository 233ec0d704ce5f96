import { ImageOff, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '#web/ui/button.tsx'
import { usePhotoThumbnail } from '../form/photos/use-photo-thumbnail.ts'
import { describePostDraft } from './describe-post-draft.ts'
import type { PostDraftSummary } from './post-draft-store.ts'

type Props = {
  draft: PostDraftSummary
  note: ReactNode
  /** Screen readers read this label before the caption. */
  deleteLabel: string
  onOpen: () => void
  onDelete: () => void
}

export function DraftRow({ draft, note, deleteLabel, onOpen, onDelete }: Props) {
  const thumbnail = usePhotoThumbnail(draft.cover)
  const words = describePostDraft(draft)
  return (
    <li className="flex items-center gap-2">
      <button
        type="button"
        onClick={onOpen}
        className="flex min-h-16 min-w-0 flex-1 items-center gap-3 rounded-input px-3 py-2 text-left hover:bg-sunken"
      >
        <span className="grid size-12 flex-none place-items-center overflow-hidden rounded-input bg-sunken text-text-2">
          {thumbnail ? (
            <img src={thumbnail} alt="" className="size-full object-cover" />
          ) : (
            <ImageOff aria-hidden size={20} strokeWidth={1.9} />
          )}
        </span>
        <span className="min-w-0">
          <span className="block truncate font-semibold">{words}</span>
          <span className="block text-meta wrap-anywhere text-text-2">{note}</span>
        </span>
      </button>
      <IconButton label={`${deleteLabel}${words}`} onClick={onDelete}>
        <Trash2 aria-hidden size={18} strokeWidth={2} />
      </IconButton>
    </li>
  )
}
