import { type ReactNode, useRef, useState, useTransition } from 'react'
import { dismissToast, getCurrentToasts, toast } from '#web/ui/toast/toast-store.ts'

/**
 * Runs the steps of sign-in or sign-up, only one run at a time. The first failure shows its message and stops
 * the run. `failure` is the message for the form, in Spanish. A new run clears it.
 */
export function useAuthFlow() {
  const [busy, start] = useTransition()
  const underWay = useRef(false)
  const [failure, setFailure] = useState<ReactNode>()

  function run(...steps: Step[]) {
    // `busy` changes only at the next render, so it cannot prevent a second press.
    if (underWay.current) return
    underWay.current = true
    for (const { id } of getCurrentToasts()) dismissToast(id)
    setFailure(undefined)
    start(() =>
      walk(steps, setFailure).finally(() => {
        underWay.current = false
      }),
    )
  }

  return { busy, run, failure }
}

async function walk(steps: Step[], sayWhy: (why: ReactNode) => void) {
  for (const { run, failureMessage, onFailure } of steps) {
    try {
      await run()
    } catch (error) {
      console.warn(error)
      const title = typeof failureMessage === 'function' ? failureMessage(error) : failureMessage
      if (title) toast({ title, kind: 'destructive' })
      onFailure?.(error)
      const describing = import('./auth-error-message.tsx').then(({ renderAuthFailure }) =>
        renderAuthFailure(error),
      )
      // Without a connection, only the toast reports the failure.
      return sayWhy(await describing.catch(() => undefined))
    }
  }
}

type Step = {
  run: () => Promise<unknown>
  /** The message of the toast, unless `onFailure` shows a toast. */
  failureMessage?: string | ((error: unknown) => string | undefined)
  /** Called after a failure, in addition to the message. */
  onFailure?: (error: unknown) => void
}
