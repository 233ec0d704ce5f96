import { type ReactNode, useRef, useState, useTransition } from 'react'
import { dismissToast, getCurrentToasts, toast } from '#web/ui/toast/toast-store.ts'

/** Only one run at a time; the first failure stops it. `failure` is in Spanish. */
export function useAuthFlow() {
  const [busy, start] = useTransition()
  const underWay = useRef(false)
  const [failure, setFailure] = useState<ReactNode>()

  function run(...steps: Step[]) {
    // `busy` changes only at the next render, too late for a second press.
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
  /** Unused if `onFailure` shows a toast. */
  failureMessage?: string | ((error: unknown) => string | undefined)
  onFailure?: (error: unknown) => void
}
