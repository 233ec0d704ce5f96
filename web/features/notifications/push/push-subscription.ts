import {
  getPushSubscriptionEndpoint,
  getVapidPublicKeyEndpoint,
  subscribePushEndpoint,
  unsubscribePushEndpoint,
} from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'

export type PushState = 'on' | 'off' | 'refused' | 'unsupported'

/** iOS supports push only in an installed app, and private windows may refuse it. */
const isSupported = () =>
  'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis

const registrationOf = async () => (await navigator.serviceWorker.getRegistration()) ?? null

/** @param known the endpoint stored by the server */
export async function detectPushState(known: string | null): Promise<PushState> {
  if (!isSupported()) return 'unsupported'
  if (Notification.permission === 'denied') return 'refused'
  const subscription = await (await registrationOf())?.pushManager.getSubscription()
  return subscription && subscription.endpoint === known && Notification.permission === 'granted'
    ? 'on'
    : 'off'
}

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
  // This server cannot send to a subscription with an earlier instance's key.
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
 * Renews a subscription that the member turned on in this session but the browser or the push service dropped.
 * Without permission, sends no request.
 * @returns whether it had been lost
 */
export async function restorePushSubscription(): Promise<boolean> {
  if (!isSupported() || Notification.permission !== 'granted') return false
  // The service worker receives the pushes.
  const registration = await navigator.serviceWorker.ready
  const [subscription, { available, wanted, endpoint }] = await Promise.all([
    registration.pushManager.getSubscription(),
    callApiOperation(getPushSubscriptionEndpoint, {}),
  ])
  const isLost = available && wanted && (!subscription || subscription.endpoint !== endpoint)
  if (isLost) await subscribe()
  return isLost
}
