import { useEffect, useRef } from 'react'
import { getHistoryIndex, interceptPopstate } from './popstate-interceptor.ts'

/** Call this in overlays without a URL of their own. */
export function useBackToClose(onClose: () => void): void {
  const latest = useRef(onClose)
  latest.current = onClose
  useEffect(() => {
    const here = getHistoryIndex()
    let isReturning = false
    return interceptPopstate((event) => {
      const steps = getHistoryIndex() - here
      if (Number.isNaN(steps)) return
      // The browser has already moved in the history. The router must see neither this step nor the one that undoes
      // it.
      event.stopImmediatePropagation()
      if (steps !== 0) {
        isReturning = true
        history.go(-steps)
      } else if (isReturning) latest.current()
    })
  }, [])
}
