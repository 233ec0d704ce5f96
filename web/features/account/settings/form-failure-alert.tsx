import { ApiError } from '#web/api/client.ts'
import { genericErrorMessage } from '#web/api/error-message.ts'
import { describeTooManyAttempts } from '#web/api/rate-limit-message.ts'

export function FormFailureAlert({ shown, error }: { shown: boolean; error: Error | null }) {
  const isTooMany = error instanceof ApiError && error.code === 429
  return (
    <p role="alert" className="text-label font-[550] text-danger empty:hidden">
      {shown && (isTooMany ? describeTooManyAttempts(error) : genericErrorMessage)}
    </p>
  )
}
