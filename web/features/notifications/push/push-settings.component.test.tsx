import { beforeEach, expect, test, vi } from 'vitest'
import {
  getNotificationDeliveryOperation,
  updateNotificationDeliveryOperation,
} from '#contract/notifications/notification-delivery.ts'
import { getNotificationPreferencesOperation } from '#contract/notifications/notification-preferences.ts'
import { listNotificationsOperation } from '#contract/notifications/notifications.ts'
import {
  getPushSubscriptionOperation,
  getVapidPublicKeyOperation,
  sendTestPushOperation,
  subscribePushOperation,
  unsubscribePushOperation,
} from '#contract/notifications/push.ts'
import { refusal } from '#tests/support/component/fake-api.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'
import { answerPeople, main, title, toasts } from '#tests/support/component/people.ts'

const turnOn = main.getByRole('button', { name: 'Turn on' })
const attempt = main.getByRole('button', { name: 'Send a test notification' })
const offNote = main.getByText('Push is off for this device.')
const onNote = main.getByText('Push is on for this device.')
const publicKey = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6'

let endpointAtServer: string | null
let wanted: boolean

/** @returns an object with the number of permission prompts and the subscription */
function stubBrowser(answer: NotificationPermission, permission: NotificationPermission = 'default') {
  const state = { asked: 0, endpoint: null as string | null, made: 0 }
  let current = permission
  const subscription = (endpoint: string) => ({
    endpoint,
    options: { applicationServerKey: null },
    toJSON: () => ({ endpoint, keys: { p256dh: 'BCVxsr7N', auth: 'BTBZMqHH' } }),
    unsubscribe: async () => {
      state.endpoint = null
      return true
    },
  })
  const registration = {
    pushManager: {
      getSubscription: async () => (state.endpoint === null ? null : subscription(state.endpoint)),
      subscribe: async () => {
        state.made += 1
        state.endpoint = `https://push.example/${state.made}`
        return subscription(state.endpoint)
      },
    },
  } as unknown as ServiceWorkerRegistration
  vi.spyOn(Notification, 'permission', 'get').mockImplementation(() => current)
  vi.spyOn(Notification, 'requestPermission').mockImplementation(async () => {
    state.asked += 1
    current = answer
    return answer
  })
  vi.spyOn(navigator.serviceWorker, 'ready', 'get').mockResolvedValue(registration)
  vi.spyOn(navigator.serviceWorker, 'getRegistration').mockResolvedValue(registration)
  return state
}

beforeEach(() => {
  vi.restoreAllMocks()
  endpointAtServer = null
  wanted = false
  api.answer(getPushSubscriptionOperation, () => ({ available: true, wanted, endpoint: endpointAtServer }))
  api.answer(getVapidPublicKeyOperation, { publicKey })
  api.answer(subscribePushOperation, ({ endpoint }) => {
    endpointAtServer = endpoint
    wanted = true
  })
  api.answer(unsubscribePushOperation, () => {
    endpointAtServer = null
    wanted = false
  })
  api.answer(getNotificationPreferencesOperation, { off: [] })
  const delivery = {
    push: [],
    mail: [],
    hidesContents: false,
    quietHours: null,
    timeZone: 'UTC',
    summary: 'never' as const,
    mailable: false,
  }
  api.answer(getNotificationDeliveryOperation, delivery)
  api.answer(updateNotificationDeliveryOperation, delivery)
  return () => vi.restoreAllMocks()
})

const openSettings = () => openApp('/settings/notifications')

test('PUSH-01 ana’s browser asks for permission only after she presses ‘Turn on’, and a refusal is explained', async () => {
  const browser = stubBrowser('denied')
  answerPeople([])
  api.answer(listNotificationsOperation, { documents: [], next: null })
  const { navigate } = await openApp('/all-users')
  await expect.element(title).toHaveTextContent('People')
  for (const [path, heading] of [
    ['/notifications', 'Notifications'],
    ['/settings/notifications', 'Notifications'],
  ] as const) {
    navigate(path)
    await expect.element(title).toHaveTextContent(heading)
  }
  await expect.element(offNote).toBeVisible()
  expect(browser.asked).toBe(0)
  await turnOn.click()
  await expect
    .element(
      main.getByText('Your browser blocks notifications for Juntas. You can change it in its settings.'),
    )
    .toBeVisible()
  expect(browser.asked).toBe(1)
  expect(api.callsOf(subscribePushOperation)).toEqual([])
})

test('OPD-10 ana reads her community’s name if her browser blocks its notifications', async () => {
  stubBrowser('denied', 'denied')
  await openApp('/settings/notifications', { me: { community: 'Las "Vecinas" & <b>' } })
  await expect
    .element(main)
    .toMatchTextContent('Your browser blocks notifications for Las "Vecinas" & <b>. You can change it')
})

test('PUSH-07 a push subscription that the browser has lost is renewed when Juntas starts', async () => {
  const browser = stubBrowser('granted', 'granted')
  endpointAtServer = 'https://push.example/lost'
  wanted = true
  await openSettings()
  await expect.element(onNote).toBeVisible()
  expect(browser.made).toBe(1)
  expect(endpointAtServer).toBe('https://push.example/1')
  await main.getByRole('button', { name: 'Turn off' }).click()
  await expect.element(offNote).toBeVisible()
  expect(endpointAtServer).toBeNull()
  expect(browser.endpoint).toBeNull()
})

test('PUSH-07 a browser in which ana turned push off is not subscribed again', async () => {
  const browser = stubBrowser('granted', 'granted')
  await openSettings()
  await expect.element(offNote).toBeVisible()
  expect(browser.made).toBe(0)
})

test('PUSH-12 ana sends a test notification, and reads why if it fails', async () => {
  stubBrowser('granted')
  await openSettings()
  await expect.element(offNote).toBeVisible()
  expect(attempt.elements()).toEqual([])
  await turnOn.click()
  await expect.element(onNote).toBeVisible()
  const says = async (text: string) => {
    await attempt.click()
    await expect.element(toasts.getByText(text, { exact: true })).toBeVisible()
  }
  api.answer(sendTestPushOperation, undefined)
  await says('A test notification is on its way')
  api.answer(sendTestPushOperation, () => refusal('push_not_taken'))
  await says('The push service of your browser did not answer. Try again later.')
  api.answer(sendTestPushOperation, () => refusal('general_rate_limit_exceeded', { retryAfter: 120 }))
  await says('Too many attempts. Try again in 2 minutes.')
  api.goOffline()
  await says('You are offline. Try again when you are back online.')
  api.goOffline(false)
  // Set late, because the app also checks its subscription when it reconnects.
  api.answer(sendTestPushOperation, () => {
    endpointAtServer = null
    wanted = false
    return refusal('push_browser_not_found')
  })
  await says('Push is no longer on for this device. Turn it on again.')
  await expect.element(offNote).toBeVisible()
  expect(attempt.elements()).toEqual([])
})
