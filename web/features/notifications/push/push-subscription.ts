/** Has this browser rung, and keeps what it and the server know of each other the same. */
import {
  getPushSubscriptionEndpoint,
  getVapidPublicKeyEndpoint,
  subscribePushEndpoint,
  unsubscribePushEndpoint,
} from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'

/** How this browser stands: it rings, it could, its member refused it, or it has no such thing. */
export type PushState = 'on' | 'off' | 'refused' | 'unsupported'

/** A browser that is not installed on iOS has no push; one of a private window may refuse to say. */
const isSupported = () =>
  'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis

const registrationOf = async () => (await navigator.serviceWorker.getRegistration()) ?? null

/** Finds out whether this browser rings for the session. @param known the endpoint that the server has for it */
export async function detectPushState(known: string | null): Promise<PushState> {
  if (!isSupported()) return 'unsupported'
  if (Notification.permission === 'denied') return 'refused'
  const subscription = await (await registrationOf())?.pushManager.getSubscription()
  return subscription && subscription.endpoint === known && Notification.permission === 'granted'
    ? 'on'
    : 'off'
}

/** Subscribes the browser, which asks its member once. @returns how it stands then */
export async function subscribeToPush(): Promise<PushState> {
  if (!isSupported()) return 'unsupported'
  if ((await Notification.requestPermission()) !== 'granted') return 'refused'
  await subscribe()
  return 'on'
}

export async function unsubscribeFromPush(): Promise<void> {
  await callApiOperation(unsubscribePushEndpoint, {})
  await (await (await registrationOf())?.pushManager.getSubscription())?.unsubscribe()
}

async function subscribe(): Promise<void> {
  const { publicKey } = await callApiOperation(getVapidPublicKeyEndpoint, {})
  const { pushManager } = await navigator.serviceWorker.ready
  const before = await pushManager.getSubscription()
  // With the key of an instance that was: it would never ring.
  if (before && encode(before.options.applicationServerKey) !== publicKey) await before.unsubscribe()
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  const { endpoint, keys } = subscription.toJSON()
  await callApiOperation(subscribePushEndpoint, {
    endpoint: endpoint ?? '',
    keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' },
  })
}

const encode = (key: ArrayBuffer | null) =>
  key === null
    ? ''
    : btoa(String.fromCharCode(...new Uint8Array(key)))
        .replaceAll('+', '-')
        .replaceAll('/', '_')
        .replace(/=+$/, '')

/**
 * Makes a lost subscription anew, where the member turned it on in this session and still allows it: browsers drop them, and push services
 * forget them. A browser that was never allowed to ring asks the server nothing.
 * @returns whether it was lost
 */
export async function restorePushSubscription(): Promise<boolean> {
  if (!isSupported() || Notification.permission !== 'granted') return false
  // Until the worker is there nothing can ring.
  const registration = await navigator.serviceWorker.ready
  const [subscription, { available, wanted, endpoint }] = await Promise.all([
    registration.pushManager.getSubscription(),
    callApiOperation(getPushSubscriptionEndpoint, {}),
  ])
  const isLost = available && wanted && (!subscription || subscription.endpoint !== endpoint)
  if (isLost) await subscribe()
  return isLost
}
