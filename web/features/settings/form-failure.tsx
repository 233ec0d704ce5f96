import { en } from '#contract/language.ts'
import { ApiError } from '#web/api/client.ts'
import { genericErrorMessage } from '#web/api/error-message.ts'

/** Says at a form why it was not saved, where no field is to blame. */
export function FormFailure({ shown, error }: { shown: boolean; error: Error | null }) {
  const isTooMany = error instanceof ApiError && error.code === 429
  return (
    <p role="alert" className="text-label font-[550] text-danger empty:hidden">
      {shown &&
        (isTooMany
          ? en('Too many attempts. Try again in a while.', 'Demasiados intentos. Prueba dentro de un rato.')
          : genericErrorMessage)}
    </p>
  )
}
