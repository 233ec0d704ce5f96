import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react'
import { currentToasts, dismissToast, onToastChange, toastDuration } from './toast-store.ts'
import type { ToasterProps } from './toaster.tsx'

const afterFirstPaint = 1200

/**
 * Where toasts appear, on every page. The library that draws them is loaded after the first paint, or at once for the first
 * toast; one raised meanwhile waits in the store. Where it does not come, the words are shown without it, and it is asked
 * for again with every toast.
 */
export function ToastArea(props: Pick<ToasterProps, 'lang'>) {
  const toasts = useSyncExternalStore(onToastChange, currentToasts)
  const [Toaster, setToaster] = useState<ComponentType<ToasterProps>>()

  useEffect(() => {
    if (Toaster && Toaster !== Words) return
    const load = () =>
      import('./toaster.tsx')
        .then(
          (loaded) => loaded.Toaster,
          () => Words,
        )
        .then((found) => setToaster(() => found))
    const timer = setTimeout(load, toasts.length ? 0 : afterFirstPaint)
    return () => clearTimeout(timer)
  }, [Toaster, toasts])

  return Toaster && <Toaster {...props} toasts={toasts} />
}

function Words({ toasts: [toast] }: ToasterProps) {
  useEffect(() => void (toast && setTimeout(dismissToast, toastDuration, toast.id)), [toast])
  return (
    toast?.open && (
      <p
        role="alert"
        lang={toast.textLang ?? 'en'}
        className="fixed right-4 above-foot left-4 z-80 rounded-tile bg-toast p-5 text-on-toast shadow-over md:left-auto"
      >
        {toast.title} {toast.text}
      </p>
    )
  )
}
