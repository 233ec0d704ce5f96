import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { waitForNextPaint } from '#web/ui/wait-for-next-paint.ts'
import { closeReport, useOpenReport } from './open-report.ts'

/** Open until closed or until the member goes to another page. */
export function ReportOverlay() {
  const { pathname } = useLocation()
  const open = useOpenReport()
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page closes the previous page's report
  useEffect(() => closeReport, [pathname])
  return open && <open.Dialog subject={open.subject} onClose={() => void closeAndFocusPage()} />
}

/** If the button that opened the report disappeared with its post, the page receives the focus. */
async function closeAndFocusPage(): Promise<void> {
  closeReport()
  await waitForNextPaint()
  if (document.activeElement === document.body) document.getElementById('content')?.focus()
}
