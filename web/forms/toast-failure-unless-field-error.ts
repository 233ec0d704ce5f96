import { getLanguageSet } from '#contract/language.ts'
import { toast } from '#web/ui/toast/toast-store.ts'

/**
 * Shows a failed save. If a field shows the error, the toast is calm, or omitted if it would repeat it. The
 * default language set shows a toast for every failure.
 * @returns the toast's id
 */
export function toastFailureUnlessFieldError(
  message: { title: string } | { text: string },
  hasFieldError: boolean,
): number | undefined {
  if (!hasFieldError) return toast({ ...message, kind: 'destructive' })
  return getLanguageSet() === 'as-it-comes' ? toast(message) : undefined
}
