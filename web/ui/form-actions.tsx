import { Button } from './button.tsx'
import { classes } from './classes.ts'

type Props = { submitLabel: string; saving: boolean; onCancel: () => void; className?: string }

/** The foot of a form: out of it, and on with it. */
export function FormActions({ submitLabel, saving, onCancel, className }: Props) {
  return (
    <div className={classes('flex justify-end gap-2.5', className)}>
      <Button kind="ghost" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" disabled={saving} busy={saving} busyLabel="Saving...">
        {submitLabel}
      </Button>
    </div>
  )
}
