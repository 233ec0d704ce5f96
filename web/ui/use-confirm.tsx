import { type ReactNode, useState } from 'react'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

type Words = Pick<Parameters<typeof ConfirmDialog>[0], 'title' | 'text' | 'confirm' | 'cancel' | 'children'>

/** @returns the dialog to render, and `ask`, which resolves with the answer */
export function useConfirm(words: Words): { dialog: ReactNode; ask: () => Promise<boolean> } {
  const [answer, setAnswer] = useState<(yes: boolean) => void>()
  const ask = () => new Promise<boolean>((resolve) => setAnswer(() => resolve))

  function settle(yes: boolean) {
    answer?.(yes)
    setAnswer(undefined)
  }

  const dialog = (
    <ConfirmDialog
      {...words}
      open={answer !== undefined}
      onConfirm={() => settle(true)}
      onCancel={() => settle(false)}
    />
  )
  return { dialog, ask }
}
