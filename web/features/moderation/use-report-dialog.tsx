import { type ComponentType, type ReactNode, useState } from 'react'
import { en } from '#contract/language.ts'
import { genericErrorMessage } from '#web/api/error-message.ts'
import { toast } from '#web/ui/toast/toast-store.ts'
import type { ReportDialogProps } from './report-dialog/report-dialog.tsx'
import type { ReportedSubject } from './report-dialog/reported-subject.ts'

/**
 * Opens the report dialog, loaded on first use.
 * @returns the opener, and the dialog to render outside the reported content
 */
export function useReportDialog(): { report: (subject: ReportedSubject) => void; dialog: ReactNode } {
  const [Dialog, setDialog] = useState<ComponentType<ReportDialogProps>>()
  const [subject, setSubject] = useState<ReportedSubject>()

  async function report(reported: ReportedSubject) {
    try {
      const { ReportDialog } = await import('./report-dialog/report-dialog.tsx')
      setDialog(() => ReportDialog)
      setSubject(reported)
    } catch {
      toast({
        title: en('Error', 'Error'),
        text: genericErrorMessage,
        kind: 'destructive',
      })
    }
  }

  return {
    report: (reported) => void report(reported),
    dialog: Dialog && subject && <Dialog subject={subject} onClose={() => setSubject(undefined)} />,
  }
}
