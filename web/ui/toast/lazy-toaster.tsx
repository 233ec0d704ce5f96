import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react'
import { en } from '#contract/language.ts'
import { pageIdleDelayMs } from '#web/page-idle-delay.ts'
import { cx } from '../cx.ts'
import { dismissToast, getCurrentToasts, subscribeToToastChanges, toastDurationMs } from './toast-store.ts'
import type { ToasterProps } from './toaster.tsx'

/** Toasts must not cover the button at the bottom of a visitor's form on a phone, or a conversation's text field. */
const toastPositions = {
  page: 'above-foot',
  visitorForm: 'top-4 md:top-auto md:bottom-6',
  conversation: 'top-32 md:top-20',
}

/** The library loads when the page is idle or at the first toast. Until then, shows plain text. */
export function LazyToaster({
  lang,
  position,
}: Pick<ToasterProps, 'lang'> & { position: keyof typeof toastPositions }) {
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

  return Toaster && <Toaster lang={lang} toasts={toasts} position={toastPositions[position]} />
}

function PlainToast({ toasts: [toast], position }: ToasterProps) {
  useEffect(() => void (toast && setTimeout(dismissToast, toastDurationMs, toast.id)), [toast])
  return (
    toast?.open && (
      <p
        role="alert"
        lang={toast.textLang ?? en('en', 'es')}
        className={cx(
          'fixed right-4 left-4 z-80 rounded-tile bg-toast p-5 text-on-toast shadow-over md:left-auto',
          position,
        )}
      >
        {toast.title} {toast.text}
      </p>
    )
  )
}
