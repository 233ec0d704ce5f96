import { en } from '#contract/language.ts'
import { maxReportedMessages } from '#contract/limits.ts'
import { formatClockTime } from '#web/features/chat/messages/message-grouping.ts'
import { Checkbox } from '#web/forms/checkbox.tsx'
import { cx } from '#web/ui/cx.ts'
import type { ReportedSubject } from './reported-subject.ts'

type MessagesProps = {
  subject: ReportedSubject
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

export function ReportedMessagesPicker({ subject, chosen, onChange }: MessagesProps) {
  return (
    <>
      <p className="mt-2 text-pretty text-text-2">
        {en(
          'Only what you choose here. Nothing else of your conversation.',
          'Solo lo que elijas aquí. Nada más de la conversación.',
        )}
      </p>
      <ul className="mt-4 max-h-[38dvh] space-y-1 overflow-y-auto rounded-photo border border-border bg-canvas px-3 py-2">
        {(subject.messages ?? []).map(({ $id, content, at, mine }) => {
          const fixed = $id === subject.id
          const checked = fixed || chosen.includes($id)
          return (
            <li key={$id}>
              <label className="flex min-h-11 items-center gap-3">
                <Checkbox
                  checked={checked}
                  disabled={fixed || (!checked && chosen.length >= maxReportedMessages)}
                  onChange={() =>
                    onChange(checked ? chosen.filter((other) => other !== $id) : [...chosen, $id])
                  }
                />
                <span
                  className={cx(
                    'min-w-0 rounded-card-small px-3.5 py-2 wrap-anywhere whitespace-pre-wrap',
                    mine ? 'ml-auto bg-bubble-me' : 'bg-bubble-them',
                    fixed && 'inset-ring-[1.5px] inset-ring-danger',
                  )}
                >
                  <span className="sr-only">
                    {mine ? en('You: ', 'Tú: ') : en('The other person: ', 'La otra persona: ')}
                  </span>
                  <span dir="auto">{content}</span>{' '}
                  <time dateTime={at} className="text-micro text-text-2 tabular-nums">
                    {formatClockTime(new Date(at))}
                  </time>
                </span>
              </label>
            </li>
          )
        })}
      </ul>
    </>
  )
}
