import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react'
import { currentToasts, onToastChange } from './toast-store.ts'
import type { ToasterProps } from './toaster.tsx'

const afterFirstPaint = 1200

/**
 * Where toasts appear, on every page. The library that draws them is loaded after the first paint, or at once for the first
 * toast; one raised meanwhile waits in the store. A load that failed is tried again with the next toast.
 */
export function ToastArea(props: Pick<ToasterProps, 'lang'>) {
  const toasts = useSyncExternalStore(onToastChange, currentToasts)
  const [Toaster, setToaster] = useState<ComponentType<ToasterProps>>()
  const raised = toasts.length > 0

  useEffect(() => {
    if (Toaster) return
    const load = () =>
      import('./toaster.tsx').then((loaded) => setToaster(() => loaded.Toaster), console.warn)
    const timer = setTimeout(load, raised ? 0 : afterFirstPaint)
    return () => clearTimeout(timer)
  }, [Toaster, raised])

  return Toaster && <Toaster {...props} toasts={toasts} />
}
