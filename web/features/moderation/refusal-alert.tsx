import { getErrorMessage } from '#web/api/error-message.ts'
import { cx } from '#web/ui/cx.ts'

export function RefusalAlert({ error, className }: { error: unknown; className?: string }) {
  if (!error) return null
  const { text, textLang } = getErrorMessage(error)
  return (
    <p role="alert" lang={textLang} className={cx('font-[550] text-danger', className ?? 'mt-3 text-label')}>
      {text}
    </p>
  )
}
