import type { QueryClient } from '@tanstack/react-query'
import { en } from '#contract/language.ts'
import { skipWaitingMessage } from '#web/service-worker/messages.ts'
import { trustedWorkerUrl } from '#web/trusted-worker-url.ts'
import { toast } from '#web/ui/toast/toast-store.ts'
import { cacheHomeForOffline } from './cache-home-for-offline.ts'

const updateIntervalMs = 60 * 60_000
const retryOfferMs = 5000
/** The longest wait for the new worker. */
const takeOverTimeoutMs = 3000

/**
 * Offers each version once, but not with unsaved changes or during sending. A version that the member does not accept
 * starts when the app is next opened.
 * @returns a function that stops the offers; the worker keeps running
 */
export function startServiceWorker(client: QueryClient): () => void {
  let stopped = false
  let stop = () => {
    stopped = true
  }
  if (import.meta.env.PROD && 'serviceWorker' in navigator)
    void register().then(
      (registration) => {
        if (stopped || !registration) return
        const stops = [offerNewVersions(registration, client), cacheHomeForOffline(client)]
        stop = () => {
          for (const end of stops) end()
        }
      },
      // Browsers may refuse a worker in private windows or with full storage. The page works without one.
      () => {},
    )
  return () => stop()
}

async function register(): Promise<ServiceWorkerRegistration | undefined> {
  await navigator.serviceWorker.register(trustedWorkerUrl('service'))
  return navigator.serviceWorker.getRegistration()
}

function offerNewVersions(registration: ServiceWorkerRegistration, client: QueryClient): () => void {
  let offered: ServiceWorker | undefined
  let asked = Date.now()
  let timer: ReturnType<typeof setTimeout> | undefined
  const isBusy = () => client.isMutating() > 0 || wouldAskBeforeLeaving()

  function offer() {
    clearTimeout(timer)
    const { waiting } = registration
    // Without an earlier worker, this is the first version.
    if (!waiting || waiting === offered || !navigator.serviceWorker.controller) return
    if (isBusy()) {
      timer = setTimeout(offer, retryOfferMs)
      return
    }
    offered = waiting
    toast({
      text: en('A new version is available.', 'Hay una versión nueva.'),
      action: { label: en('Update', 'Actualizar'), run: () => update(waiting) },
    })
  }

  function update(waiting: ServiceWorker) {
    if (isBusy()) {
      offered = undefined
      return offer()
    }
    const reload = () => location.reload()
    navigator.serviceWorker.addEventListener('controllerchange', reload, { once: true })
    waiting.postMessage(skipWaitingMessage)
    // The old worker may take long to end, but while online the server sends the page.
    setTimeout(reload, takeOverTimeoutMs)
  }

  function found() {
    registration.installing?.addEventListener('statechange', offer)
  }

  function askForUpdate() {
    if (document.visibilityState === 'hidden' || Date.now() - asked < updateIntervalMs) return
    asked = Date.now()
    registration.update().catch(() => {})
  }

  registration.addEventListener('updatefound', found)
  document.addEventListener('visibilitychange', askForUpdate)
  found()
  offer()
  return () => {
    clearTimeout(timer)
    registration.removeEventListener('updatefound', found)
    document.removeEventListener('visibilitychange', askForUpdate)
  }
}

/** Forms with unsaved changes cancel this event of the browser. */
const wouldAskBeforeLeaving = (): boolean => !dispatchEvent(new Event('beforeunload', { cancelable: true }))
