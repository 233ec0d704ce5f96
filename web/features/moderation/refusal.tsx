/** Says why the server refused something. */
import { ApiError } from '#web/api/client.ts'
import { cx } from '#web/ui/cx.ts'

export const apiErrorOf = (error: unknown) => (error instanceof ApiError ? error : undefined)

/** Moderation's own sentences are Spanish; those that every operation can answer are English. */
const isSpanish = (type: string) => /^(report|case|appeal|moderation)_/.test(type)

/** Returns the catalogue's own sentence, in its language, or that something else went wrong. */
export function refusalOf(error: unknown): { text: string; lang?: 'es' } {
  const refused = apiErrorOf(error)
  if (!refused?.type || !refused.message || refused.code >= 500)
    return { text: 'Something went wrong. Please try again.' }
  return isSpanish(refused.type) ? { text: refused.message, lang: 'es' } : { text: refused.message }
}

/** Says beside a button why nothing was done. */
export function RefusalAlert({ error, className }: { error: unknown; className?: string }) {
  if (!error) return null
  const { text, lang } = refusalOf(error)
  return (
    <p role="alert" lang={lang} className={cx('font-[550] text-danger', className ?? 'mt-3 text-label')}>
      {text}
    </p>
  )
}
