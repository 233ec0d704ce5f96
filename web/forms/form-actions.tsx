import { type ReactNode, useRef } from 'react'
import { en } from '#contract/language.ts'
import { Button } from '../ui/button.tsx'
import { useCssHeightVar } from '../ui/use-css-height-var.ts'

type Props = {
  submitLabel: string
  saving: boolean
  onCancel: () => void
  note?: ReactNode
}

export function FormActions({ submitLabel, saving, onCancel, note }: Props) {
  const foot = useRef<HTMLDivElement>(null)
  useCssHeightVar('--foot', foot)
  return (
    <div
      ref={foot}
      className="sticky bottom-(--bottom-bar) z-10 -mx-5 mt-2 -mb-5 rounded-b-card bg-surface px-5 pt-4 pb-5 before:pointer-events-none before:absolute before:inset-x-0 before:bottom-full before:h-4 before:bg-linear-to-t before:from-surface before:to-transparent md:-mx-8 md:-mb-8 md:px-8 md:pb-8 flex flex-wrap items-center justify-end gap-2.5"
    >
      {note}
      <Button kind="ghost" onClick={onCancel}>
        {en('Cancel', 'Cancelar')}
      </Button>
      <Button type="submit" disabled={saving} busy={saving} busyLabel={en('Saving...', 'Guardando...')}>
        {submitLabel}
      </Button>
    </div>
  )
}
