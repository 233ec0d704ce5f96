import { EyeOff } from 'lucide-react'
import { useState } from 'react'
import { en } from '#contract/language.ts'
import type { Post } from '#contract/posts/posts.ts'
import { Button } from '#web/ui/button.tsx'
import { AppealDialog } from './appeal-dialog.tsx'

type Hidden = NonNullable<Post['hidden']>

const hiddenBy: Record<Hidden['by'], string> = {
  moderator: en('Hidden by the moderators', 'Oculta por las moderadoras'),
  group: en('Removed from the group by its admin', 'Sacada del grupo por su administradora'),
  author: en('Only you see this post', 'Solo tú ves esta publicación'),
}

export function HiddenPostNotice({ hidden }: { hidden: Hidden }) {
  const [confirming, setConfirming] = useState(false)
  const { caseId } = hidden
  return (
    <section
      aria-label={hiddenBy[hidden.by]}
      className="mb-4 flex gap-3 rounded-photo bg-warning-soft px-4 py-3 text-label text-warning"
    >
      <EyeOff aria-hidden size={20} strokeWidth={1.9} className="mt-px flex-none" />
      <div className="min-w-0">
        <p className="font-[650]">{hiddenBy[hidden.by]}</p>
        {hidden.reason && (
          <p dir="auto" className="text-pretty wrap-anywhere whitespace-pre-wrap">
            {hidden.reason}
          </p>
        )}
        {hidden.can.appeal && (
          <Button kind="outline" size="sm" className="mt-2.5" onClick={() => setConfirming(true)}>
            {en('Ask for a review', 'Pedir una revisión')}
          </Button>
        )}
      </div>
      {caseId && <AppealDialog open={confirming} caseId={caseId} onClose={() => setConfirming(false)} />}
    </section>
  )
}
