/** Starts the service worker, offers the member its next version, and keeps Home for when there is no connection. */
import type { QueryClient } from '@tanstack/react-query'
import { en } from '#contract/language.ts'
import { skipWaitingMessage } from '#web/service-worker/messages.ts'
import { trustedWorkerUrl } from '#web/trusted-worker-url.ts'
import { toast } from '#web/ui/toast/toast-store.ts'
import { cacheHomeForOffline } from './cache-home-for-offline.ts'

/** How often a page that stays open asks for a new version (ms), when it comes to the front. */
const updateIntervalMs = 60 * 60_000
/** How long an offer waits before it looks again whether it would disturb (ms). */
const retryOfferMs = 5000
/** How long the page waits for the next version's worker before it is loaded anew (ms). */
const takeOverTimeoutMs = 3000

/**
 * Registers the worker. Of a new version it says so once, and loads it when the member wants it: never by itself, and not while a form
 * has changes or something is being sent. Without a word it takes over at the next cold start.
 * @returns stops offering; the worker stays
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
      // A browser may refuse: in a private window, or where storage is forbidden. The page is whole without a worker.
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
    // Without a worker before it, this one is no new version but the first.
    if (!waiting || waiting === offered || !navigator.serviceWorker.controller) return
    if (isBusy()) {
      timer = setTimeout(offer, retryOfferMs)
      return
    }
    offered = waiting
    toast({
      text: en('A new version is here.', 'Hay una versión nueva.'),
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
    // The worker before may be long in ending; while there is a connection pages come from the server all the same.
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

/** Whether a form has changes: asks it as the browser would before the page is closed. */
const wouldAskBeforeLeaving = (): boolean => !dispatchEvent(new Event('beforeunload', { cancelable: true }))
