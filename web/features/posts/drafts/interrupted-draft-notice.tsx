import { FilePen } from 'lucide-react'
import { en } from '#contract/language.ts'
import { moveFocusToContent } from '#web/navigation/move-focus-to-content.ts'
import { Button } from '#web/ui/button.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import type { PostDraftSummary } from './post-draft-store.ts'

type Props = { draft: PostDraftSummary; onContinue: () => void; onDismiss: () => void }

export const InterruptedDraftNotice = ({ draft, onContinue, onDismiss }: Props) => (
  <section
    aria-label={en('Draft', 'Borrador')}
    className="card mb-3.5 flex flex-wrap items-center gap-x-3 gap-y-2 px-5 py-3.5 md:px-8"
  >
    <FilePen aria-hidden size={20} strokeWidth={2} className="flex-none text-text-2" />
    <p className="min-w-40 flex-1">
      {en('Draft from ', 'Borrador de ')}
      <RelativeTime at={new Date(draft.savedAt).toISOString()} inSentence />
      {en('. Continue?', '. ¿Seguimos?')}
    </p>
    <div className="flex gap-2">
      <Button
        kind="ghost"
        size="sm"
        onClick={(event) => {
          moveFocusToContent(event.currentTarget)
          onDismiss()
        }}
      >
        {en('Not now', 'Ahora no')}
      </Button>
      <Button kind="soft" size="sm" onClick={onContinue}>
        {en('Continue', 'Continuar')}
      </Button>
    </div>
  </section>
)
