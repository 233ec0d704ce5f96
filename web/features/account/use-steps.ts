import { useTransition } from 'react'
import { toast } from '#web/ui/toast-store.ts'

/** Runs the steps of signing in or up, one after the other and never twice at once; the first that fails says its sentence. */
export function useSteps() {
  const [busy, start] = useTransition()

  const run = (...steps: Step[]) =>
    start(async () => {
      for (const { take, otherwise, besides } of steps) {
        try {
          await take()
        } catch (error) {
          console.warn(error)
          toast({ title: otherwise, kind: 'destructive' })
          return besides?.(error)
        }
      }
    })

  return { busy, run }
}

type Step = {
  take: () => Promise<unknown>
  /** What is said when it fails. */
  otherwise: string
  /** What is done besides. */
  besides?: (error: unknown) => void
}
