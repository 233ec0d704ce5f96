import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react'
import { en } from '#contract/language.ts'
import { pageIdleDelayMs } from '#web/page-idle-delay.ts'
import { cx } from '../cx.ts'
import { dismissToast, getCurrentToasts, subscribeToToastChanges, toastDurationMs } from './toast-store.ts'
import type { ToasterProps } from './toaster.tsx'

/** On a phone the one button of signing in and up is at the foot of the screen, so toasts stand at its head. */
const ends = { foot: 'above-foot', head: 'top-4 md:top-auto md:bottom-6' }

/**
 * Renders toasts on every page. The library that draws them loads once the page is at rest, or at once for the first
 * toast. While it cannot be loaded, the text is shown without it, and it is requested again with every toast.
 */
export function LazyToaster({ lang, atHead }: Pick<ToasterProps, 'lang'> & { atHead: boolean }) {
  const toasts = useSyncExternalStore(subscribeToToastChanges, getCurrentToasts)
  const [Toaster, setToaster] = useState<ComponentType<ToasterProps>>()

  useEffect(() => {
    if (Toaster && Toaster !== PlainToast) return
    const load = () =>
      import('./toaster.tsx')
        .then(
          (loaded) => loaded.Toaster,
          () => PlainToast,
        )
        .then((found) => setToaster(() => found))
    const timer = setTimeout(load, toasts.length ? 0 : pageIdleDelayMs)
    return () => clearTimeout(timer)
  }, [Toaster, toasts])

  return Toaster && <Toaster lang={lang} toasts={toasts} end={ends[atHead ? 'head' : 'foot']} />
}

function PlainToast({ toasts: [toast], end }: ToasterProps) {
  useEffect(() => void (toast && setTimeout(dismissToast, toastDurationMs, toast.id)), [toast])
  return (
    toast?.open && (
      <p
        role="alert"
        lang={toast.textLang ?? en('en', 'es')}
        className={cx(
          'fixed right-4 left-4 z-80 rounded-tile bg-toast p-5 text-on-toast shadow-over md:left-auto',
          end,
        )}
      >
        {toast.title} {toast.text}
      </p>
    )
  )
}
