import { ApiError } from '#web/api/client.ts'

/** Says at a form why it was not saved, where no field is to blame. */
export function FormFailure({ shown, error }: { shown: boolean; error: Error | null }) {
  const isTooMany = error instanceof ApiError && error.code === 429
  return (
    <p role="alert" className="text-label font-[550] text-danger empty:hidden">
      {shown &&
        (isTooMany ? 'Too many attempts. Try again in a while.' : 'Something went wrong. Please try again.')}
    </p>
  )
}
