import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { waitForNextPaint } from '#web/ui/wait-for-next-paint.ts'
import { closeReport, useCurrentReport } from './open-report.ts'

export function ReportOverlay() {
  const { pathname } = useLocation()
  const open = useCurrentReport()
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page closes the previous page's report
  useEffect(() => closeReport, [pathname])
  return open && <open.Dialog subject={open.subject} onClose={() => void closeAndFocusPage()} />
}

/** The button that opened the report may have disappeared with its post. */
async function closeAndFocusPage(): Promise<void> {
  closeReport()
  await waitForNextPaint()
  if (document.activeElement === document.body) document.getElementById('content')?.focus()
}
