import { FilePen, ImageOff, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { en } from '#contract/language.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { ListDialog } from '#web/ui/modal.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { usePhotoThumbnail } from '../form/photos/use-photo-thumbnail.ts'
import { describePostDraft } from './describe-post-draft.ts'
import type { PostDraftSummary } from './post-draft-store.ts'

type Props = {
  drafts: readonly PostDraftSummary[]
  onOpen: (id: string) => void
  onDelete: (id: string) => void
}

/** Lists the drafts on this device; nothing where there are none. */
export function PostDraftsButton({ drafts, onOpen, onDelete }: Props) {
  const [open, setOpen] = useState(false)
  if (drafts.length === 0) return null
  return (
    <>
      <Button kind="quiet" size="sm" className="ml-auto" onClick={() => setOpen(true)}>
        <FilePen aria-hidden size={18} strokeWidth={2} />
        {en('Drafts (', 'Borradores (')}
        {drafts.length})
      </Button>
      <ListDialog title={en('Drafts', 'Borradores')} open={open} onClose={() => setOpen(false)}>
        <p className="mx-3 mb-2 text-label text-text-2">
          {en(
            'On this device alone, for thirty days. Logging out deletes them.',
            'Solo en este dispositivo, durante treinta días. Al cerrar sesión se borran.',
          )}
        </p>
        <ul>
          {drafts.map((draft) => (
            <DraftRow
              key={draft.id}
              draft={draft}
              onOpen={() => {
                setOpen(false)
                onOpen(draft.id)
              }}
              onDelete={() => onDelete(draft.id)}
            />
          ))}
        </ul>
      </ListDialog>
    </>
  )
}

type RowProps = { draft: PostDraftSummary; onOpen: () => void; onDelete: () => void }

function DraftRow({ draft, onOpen, onDelete }: RowProps) {
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
          <span className="block text-meta text-text-2">
            <RelativeTime at={new Date(draft.savedAt).toISOString()} />
          </span>
        </span>
      </button>
      <IconButton label={en(`Delete draft: ${words}`, `Borrar el borrador: ${words}`)} onClick={onDelete}>
        <Trash2 aria-hidden size={18} strokeWidth={2} />
      </IconButton>
    </li>
  )
}
