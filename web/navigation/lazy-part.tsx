import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { waitForNextPaint } from '#web/ui/wait-for-next-paint.ts'

/**
 * The part loads after the first paint. `fallback` also covers failures. After a failure, the part loads again when the
 * device goes online or the next component mounts.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props & { fallback?: ReactNode }> {
  let loaded: ComponentType<Props> | undefined
  return ({ fallback, ...props }) => {
    const [Part, setPart] = useState(() => loaded)
    useEffect(() => {
      if (Part) return
      const request = () =>
        waitForNextPaint()
          .then(load)
          .then(
            (part) => {
              loaded = part
              setPart(() => part)
            },
            () => {},
          )
      void request()
      addEventListener('online', request)
      return () => removeEventListener('online', request)
    }, [Part])
    return Part ? <Part {...(props as unknown as Props)} /> : fallback
  }
}
