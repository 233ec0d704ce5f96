import { useRef, useTransition } from 'react'
import { toast } from '#web/ui/toast-store.ts'

/** Runs the steps of signing in or up, one after the other and never twice at once; the first that fails says its sentence. */
export function useSteps() {
  const [busy, start] = useTransition()
  const underWay = useRef(false)

  function run(...steps: Step[]) {
    // `busy` is a render late.
    if (underWay.current) return
    underWay.current = true
    start(() =>
      walk(steps).finally(() => {
        underWay.current = false
      }),
    )
  }

  return { busy, run }
}

async function walk(steps: Step[]) {
  for (const { take, otherwise, besides } of steps) {
    try {
      await take()
    } catch (error) {
      console.warn(error)
      toast({ title: otherwise, kind: 'destructive' })
      return besides?.(error)
    }
  }
}

type Step = {
  take: () => Promise<unknown>
  /** What is said when it fails. */
  otherwise: string
  /** What is done besides. */
  besides?: (error: unknown) => void
}
