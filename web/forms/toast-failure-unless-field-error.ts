import { getLanguageSet } from '#contract/language.ts'
import { toast } from '#web/ui/toast/toast-store.ts'

/**
 * If a field shows the error, the toast has no error style and appears only in the default language set.
 * @returns the toast's id
 */
export function toastFailureUnlessFieldError(
  message: { title: string } | { text: string },
  hasFieldError: boolean,
): number | undefined {
  if (!hasFieldError) return toast({ ...message, kind: 'destructive' })
  return getLanguageSet() === 'as-it-comes' ? toast(message) : undefined
}
