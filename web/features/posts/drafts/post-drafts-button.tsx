import { FilePen } from 'lucide-react'
import { useState } from 'react'
import { en } from '#contract/language.ts'
import { Button } from '#web/ui/button.tsx'
import { ListDialog } from '#web/ui/modal.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { DraftRow } from './draft-row.tsx'
import type { PostDraftSummary } from './post-draft-store.ts'

type Props = {
  drafts: readonly PostDraftSummary[]
  onOpen: (id: string) => void
  onDelete: (id: string) => void
}

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
            'Only on this device, for thirty days. Logging out deletes them.',
            'Solo en este dispositivo, durante treinta días. Al cerrar sesión se borran.',
          )}
        </p>
        <ul>
          {drafts.map((draft) => (
            <DraftRow
              key={draft.id}
              draft={draft}
              note={<RelativeTime at={new Date(draft.savedAt).toISOString()} />}
              deleteLabel={en('Delete draft: ', 'Borrar el borrador: ')}
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
