import { getLanguageSet } from '#contract/language.ts'
import { toast } from '#web/ui/toast/toast-store.ts'

/**
 * Shows that a form was not saved. Where one of its fields says why, that is the alarm: the toast is calm then, and left out where
 * it has nothing to add but the same once more. As they come the texts promise it for every failure.
 * @returns the toast's id
 */
export function toastFailureUnlessFieldError(
  message: { title: string } | { text: string },
  hasFieldError: boolean,
): number | undefined {
  if (!hasFieldError) return toast({ ...message, kind: 'destructive' })
  return getLanguageSet() === 'as-it-comes' ? toast(message) : undefined
}
