import { useEffect, useRef } from 'react'
import { getHistoryIndex, interceptPopstate } from './popstate-interceptor.ts'

/** Makes Back close what is open over the page, a dialog that has no address, in place of leaving the page. */
export function useBackToClose(onClose: () => void): void {
  const latest = useRef(onClose)
  latest.current = onClose
  useEffect(() => {
    const here = getHistoryIndex()
    let isReturning = false
    return interceptPopstate((event) => {
      const steps = getHistoryIndex() - here
      if (Number.isNaN(steps)) return
      // The step has happened already: the router must see neither it nor the step back.
      event.stopImmediatePropagation()
      if (steps !== 0) {
        isReturning = true
        history.go(-steps)
      } else if (isReturning) latest.current()
    })
  }, [])
}
