import { type ReactNode, useRef, useState, useTransition } from 'react'
import { dismissToast, getCurrentToasts, toast } from '#web/ui/toast/toast-store.ts'

/**
 * Runs the steps of signing in or up one after the other, one run at a time; the first that fails shows its message
 * and ends the run. `failure` says in Spanish why, for the form; a new run takes it and the old message away.
 */
export function useAuthFlow() {
  const [busy, start] = useTransition()
  const underWay = useRef(false)
  const [failure, setFailure] = useState<ReactNode>()

  function run(...steps: Step[]) {
    // `busy` is a render late, so it cannot guard against a second press.
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
      if (failureMessage) toast({ title: failureMessage, kind: 'destructive' })
      onFailure?.(error)
      const describing = import('./auth-error-message.tsx').then(({ describeAuthFailure }) =>
        describeAuthFailure(error),
      )
      // The description does not load without a connection; the toast has said that it failed.
      return sayWhy(await describing.catch(() => undefined))
    }
  }
}

type Step = {
  run: () => Promise<unknown>
  /** The toast shown when the step fails, where `onFailure` shows none. */
  failureMessage?: string
  /** Runs in addition after the step has failed. */
  onFailure?: (error: unknown) => void
}
