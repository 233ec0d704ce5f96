import { Clock } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ModerationCaseSummary } from '#contract/moderation/cases.ts'
import { cx } from '#web/ui/cx.ts'
import { useCurrentTime } from '#web/ui/relative-time.tsx'
import { formatMinutesLeft, shortReasonLabels } from './case-labels.ts'

type PanelProps = { title: string; text?: string; children: ReactNode }

export function CasePanel({ title, text, children }: PanelProps) {
  return (
    <section aria-label={title} className="card p-4 md:p-5">
      <h2 className="heading mb-1 text-lead">{title}</h2>
      {text && <p className="mb-3.5 text-label text-pretty text-text-2">{text}</p>}
      {children}
    </section>
  )
}

export function RemainingMinutes({ until, children }: { until: string; children: string }) {
  const now = useCurrentTime()
  return (
    <p className="inline-flex items-center gap-1.5 rounded-full bg-sunken px-2.5 py-1 text-meta font-[620] text-text-2 tabular-nums">
      <Clock aria-hidden size={16} strokeWidth={2} />
      {children} {formatMinutesLeft(until, now)}
    </p>
  )
}

const severityChips: Record<number, string> = {
  3: 'bg-danger-soft text-danger',
  2: 'bg-warning-soft text-warning',
  1: 'bg-sunken text-text-2',
}

export function ReasonChip({ severity, reason }: Pick<ModerationCaseSummary, 'severity' | 'reason'>) {
  return (
    <span
      className={cx(
        'inline-flex h-6 items-center rounded-full px-2.5 text-micro font-[650] whitespace-nowrap',
        severityChips[severity],
      )}
    >
      {shortReasonLabels[reason]}
    </span>
  )
}
