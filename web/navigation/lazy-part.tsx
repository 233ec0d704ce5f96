import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { waitForNextPaint } from '#web/ui/wait-for-next-paint.ts'

/**
 * Makes a part of a page whose code loads after the paint that first wants it, so that the first page's code stays small. `fallback`
 * stands in its place until then, and where the code does not come: a page is whole without it. The code is requested anew when
 * the browser is online again, and with the next place that shows the part.
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
