import { type ComponentType, useSyncExternalStore } from 'react'
import { en } from '#contract/language.ts'
import { genericErrorMessage } from '#web/api/error-message.ts'
import { toast } from '#web/ui/toast/toast-store.ts'
import type { ReportDialogProps } from './report-dialog.tsx'
import type { ReportedSubject } from './reported-subject.ts'

type OpenReport = { subject: ReportedSubject; Dialog: ComponentType<ReportDialogProps> }

let open: OpenReport | undefined
const listeners = new Set<() => void>()

function change(next: OpenReport | undefined) {
  open = next
  for (const listener of listeners) listener()
}

/** The dialog stays open even if the reported content disappears. */
export async function openReport(subject: ReportedSubject): Promise<void> {
  try {
    const { ReportDialog } = await import('./report-dialog.tsx')
    change({ subject, Dialog: ReportDialog })
  } catch {
    toast({
      title: en('Error', 'Error'),
      text: genericErrorMessage,
      kind: 'destructive',
    })
  }
}

export const closeReport = (): void => change(undefined)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useCurrentReport = (): OpenReport | undefined => useSyncExternalStore(subscribe, () => open)
