import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { getAccountSettingsOperation, signOutDeviceOperation } from '#contract/account/account-settings.ts'
import { approveJoinRequestOperation } from '#contract/groups/group-requests.ts'
import { listMyReportsOperation } from '#contract/moderation/reports.ts'
import {
  getNotificationDeliveryOperation,
  type NotificationDelivery,
  updateNotificationDeliveryOperation,
} from '#contract/notifications/notification-delivery.ts'
import {
  getNotificationPreferencesOperation,
  updateNotificationPreferencesOperation,
} from '#contract/notifications/notification-preferences.ts'
import {
  countNotificationsOperation,
  listNotificationsOperation,
  markNotificationsReadOperation,
  markNotificationsSeenOperation,
  type Notification,
} from '#contract/notifications/notifications.ts'
import { getPushSubscriptionOperation } from '#contract/notifications/push.ts'
import { listSavedPostsOperation } from '#contract/posts/posts.ts'
import { refusal } from '#tests/support/component/fake-api.ts'
import {
  makeAccountSettings,
  makeJoinRequest,
  makePersonSummary,
  newId,
} from '#tests/support/component/fixtures.ts'
import { sendChange } from '#tests/support/component/live-socket.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'
import { main, toasts } from '#tests/support/component/people.ts'

const row = (text: string) => main.getByRole('listitem').filter({ hasText: text })
const tab = (name: string) => main.getByRole('navigation').getByRole('button', { name, exact: true })
const group = { $id: newId('group'), name: 'Cerámica' }
const person = (name: string) => [makePersonSummary({ name })]

let seq = 0
function makeNotification(kind: Notification['kind'], given: Partial<Notification> = {}): Notification {
  seq += 1
  return {
    $id: newId('notification'),
    kind,
    at: new Date().toISOString(),
    seq,
    unread: true,
    people: person('Bea'),
    count: 1,
    post: null,
    comment: null,
    group: null,
    request: null,
    conversationId: null,
    device: null,
    ...given,
  }
}

function answerNotifications(...documents: Notification[]): Notification[] {
  let seen = 0
  api.answer(listNotificationsOperation, ({ only }) => ({
    documents: documents.filter(
      ({ unread, request }) => only === 'all' || !only || (only === 'unread' ? unread : request !== null),
    ),
    next: null,
  }))
  api.answer(countNotificationsOperation, () => ({
    unseen: documents.filter((one) => one.unread && one.seq > seen).length,
    unread: documents.filter(({ unread }) => unread).length,
    requests: documents.filter(({ request }) => request?.status === 'pending').length,
  }))
  api.answer(markNotificationsSeenOperation, ({ upTo }) => {
    seen = upTo
  })
  api.answer(markNotificationsReadOperation, ({ upTo, ids }) => {
    for (const [at, one] of documents.entries())
      if (one.seq <= upTo && (!ids || ids.includes(one.$id))) documents[at] = { ...one, unread: false }
  })
  return documents
}

test('NOT-04 two right-to-left names are shown in the right order', async () => {
  const people = ['אסתר', 'מרים'].map((name) => makePersonSummary({ name }))
  answerNotifications(makeNotification('like', { people, count: 4 }))
  await openApp('/notifications')
  const leftEdge = (name: string) =>
    main.getByText(name, { exact: true }).element().getBoundingClientRect().left
  await expect.element(main.getByText('אסתר', { exact: true })).toBeVisible()
  expect(leftEdge('אסתר')).toBeLessThan(leftEdge('מרים'))
})

test('NOT-01 NOT-04 NOT-12 each kind of notification has its own text, and today’s are under Today', async () => {
  answerNotifications(
    makeNotification('join-request', { group, request: { $id: newId('request'), status: 'pending' } }),
    makeNotification('follow', { people: person('Carla') }),
    makeNotification('mention', { group }),
    makeNotification('group-post', { group }),
    makeNotification('group-post', { group: { ...group, name: 'Lectura' }, count: 3 }),
    makeNotification('join-approved', { group: { ...group, name: 'Costura' }, people: [] }),
    makeNotification('like', { post: { $id: newId('post'), imageUrl: null, imageId: null } }),
  )
  await openApp('/notifications')
  for (const words of [
    'Bea asks to join Cerámica',
    'Carla follows you',
    'Bea mentioned you in Cerámica',
    'Bea posted in Cerámica',
    'Bea and 2 others posted in Lectura',
    'You’re now a member of Costura',
    'Bea liked your post',
  ])
    await expect.element(row(words)).toMatchTextContent('unread')
  await expect.element(main.getByRole('heading', { name: 'Today' })).toBeVisible()
  await expect.element(main.getByText('Notifications are kept for 90 days.')).toBeVisible()
  await expect.element(tab('Unread')).toBeVisible()
  await tab('Requests 1').click()
  await expect.poll(() => main.getByRole('listitem').elements().length).toBe(1)
})

test('NOT-21 the notification of a decision links to ana’s reports', async () => {
  answerNotifications(makeNotification('report-decided', { people: [] }))
  api.answer(listMyReportsOperation, { documents: [], next: null })
  await openApp('/notifications')
  await row('There is a decision on your report').getByRole('link').click()
  await expect.element(main.getByRole('heading', { name: 'Your reports' })).toBeVisible()
})

test('NOT-12 an empty list says so, and a failed list can be retried', async () => {
  answerNotifications()
  api.answer(listNotificationsOperation, () => refusal('general_query_invalid'))
  await openApp('/notifications')
  const again = main.getByRole('button', { name: 'Try again' })
  await expect.element(again).toBeVisible()
  answerNotifications()
  await again.click()
  await expect.element(main.getByRole('heading', { name: 'Nothing new' })).toBeVisible()
})

test('NOT-05 a request that ana answers in its row, or that was answered elsewhere, shows the answer', async () => {
  const asked = { group, request: { $id: newId('request'), status: 'pending' as const } }
  const documents = answerNotifications(
    makeNotification('join-request', asked),
    makeNotification('join-request', {
      group,
      people: person('Carla'),
      request: { $id: newId('request'), status: 'rejected' },
    }),
  )
  api.answer(approveJoinRequestOperation, ({ requestId }) => {
    documents[0] = { ...(documents[0] as Notification), request: { $id: requestId, status: 'accepted' } }
    return makeJoinRequest({ $id: requestId, status: 'accepted' })
  })
  await openApp('/notifications')
  await expect.element(row('Carla')).toMatchTextContent('Rejected')
  expect(row('Carla').getByRole('button').elements()).toEqual([])
  await row('Bea').getByRole('button', { name: 'Approve Bea' }).click()
  await expect.element(toasts).toMatchTextContent('Request approved!')
  await expect.element(row('Bea')).toMatchTextContent('Approved')
  expect(row('Bea').getByRole('button').elements()).toEqual([])
  await expect
    .poll(() => api.callsOf(approveJoinRequestOperation))
    .toMatchObject([{ requestId: asked.request.$id }])
})

test('NOT-09 NOT-11 PUSH-06 badge and title count live until ana opens the list; pressing a row clears its dot', async () => {
  const badges: number[] = []
  vi.spyOn(navigator, 'setAppBadge').mockImplementation(async (count) => void badges.push(count ?? 0))
  vi.spyOn(navigator, 'clearAppBadge').mockImplementation(async () => void badges.push(0))
  const documents = answerNotifications()
  api.answer(listSavedPostsOperation, { documents: [], next: null })
  await openApp('/saved', { live: true })
  await expect.poll(() => badges.at(-1)).toBe(0)
  documents.unshift(
    ...Array.from({ length: 12 }, (_, at) =>
      makeNotification('follow', { people: person(`Fan ${at}`) }),
    ).reverse(),
  )
  sendChange({ collection: 'notifications', kind: 'update', document: { $id: newId('me') } })
  const sidebar = page.getByRole('complementary', { name: 'Sidebar' })
  const unseen = sidebar.getByText(/^unread notifications: /)
  await expect.element(unseen).toHaveTextContent('unread notifications: 12')
  await expect.poll(() => document.title).toBe('(12) Saved Posts · Juntas')
  await expect.poll(() => badges.at(-1)).toBe(12)
  await page.viewport(1024, 900)
  await expect.element(sidebar.getByText('9+')).toBeVisible()

  await sidebar.getByRole('link', { name: 'Notifications', exact: true }).click()
  await expect.element(row('Fan 3 follows you')).toMatchTextContent('unread')
  await expect.element(unseen).not.toBeInTheDocument()
  await expect.poll(() => badges.at(-1)).toBe(0)
  await main.getByRole('button', { name: 'Mark all as read' }).click()
  await expect.poll(() => main.getByText(', unread').elements().length).toBe(0)
})

const device = {
  browser: 'Chrome',
  system: 'Linux',
  country: null,
  deviceId: newId('device'),
  current: false,
}

test('SESS-06 if ana answers No about a new device, the device is signed out and the password form opens', async () => {
  answerNotifications(makeNotification('new-device', { device, people: [] }))
  api.answer(signOutDeviceOperation, undefined)
  api.answer(getAccountSettingsOperation, makeAccountSettings())
  await openApp('/notifications')
  await expect.element(row('New device: ')).toMatchTextContent('Was it you?')
  await row('New device: ')
    .getByRole('button', { name: /^No, log out Chrome on / })
    .click()
  await expect.poll(() => location.pathname).toBe('/settings/account')
  await expect.element(main.getByRole('region', { name: 'Change your password' })).toBeVisible()
  await expect.poll(() => api.callsOf(signOutDeviceOperation)).toMatchObject([{ deviceId: device.deviceId }])
  await expect.poll(() => api.callsOf(markNotificationsReadOperation)).toHaveLength(1)
})

test('SESS-06 if ana answers Yes about a new device, the question disappears; the new device itself shows no question', async () => {
  answerNotifications(
    makeNotification('new-device', { device, people: [] }),
    makeNotification('new-device', { device: { ...device, system: 'Android', current: true }, people: [] }),
  )
  await openApp('/notifications')
  await expect.element(row('Android')).toMatchTextContent('Was it you?')
  expect(row('Android').getByRole('button').elements()).toEqual([])
  await row('Linux')
    .getByRole('button', { name: /^Yes, Chrome on .* was me$/ })
    .click()
  await expect.poll(() => row('Linux').getByRole('button').elements().length).toBe(0)
  expect(row('Linux').element().textContent).not.toContain('unread')
  expect(api.callsOf(signOutDeviceOperation)).toEqual([])
})

test('PUSH-02 PUSH-11 NOT-04 ana chooses for each kind what is shown, pushed and emailed', async () => {
  let delivery: NotificationDelivery = {
    push: ['message', 'mention', 'follow-request', 'join-request'],
    mail: ['mention', 'group-post'],
    hidesContents: false,
    quietHours: null,
    timeZone: 'UTC',
    summary: 'weekly',
    mailable: true,
  }
  api.answer(getNotificationPreferencesOperation, { off: [] })
  api.answer(getNotificationDeliveryOperation, () => delivery)
  api.answer(getPushSubscriptionOperation, { available: true, wanted: false, endpoint: null })
  api.answer(updateNotificationDeliveryOperation, (changes) => {
    delivery = { ...delivery, ...changes } as NotificationDelivery
    return delivery
  })
  api.answer(updateNotificationPreferencesOperation, ({ kinds }) => ({ off: kinds }))
  await openApp('/settings/notifications')
  const choice = (name: string) => main.getByRole('checkbox', { name, exact: true })
  await expect.element(choice('Likes: Here')).toBeChecked()
  await expect.element(choice('Likes: Push')).not.toBeChecked()
  await expect.element(choice('Requests to follow or join: Push')).toBeChecked()
  for (const name of ['Likes: Push', 'Messages: Push', 'Mentions of you: Email', 'New followers: Here'])
    await choice(name).click()
  await expect.element(choice('Likes: Push')).toBeChecked()
  for (const name of ['Messages: Push', 'Mentions of you: Email', 'New followers: Here'])
    await expect.element(choice(name)).not.toBeChecked()
  await expect.poll(() => delivery.mail).toEqual(['group-post'])
  expect([...delivery.push].sort()).toEqual(['follow-request', 'join-request', 'like', 'mention'])
  await expect
    .poll(() => api.callsOf(updateNotificationPreferencesOperation))
    .toEqual([{ kinds: ['follow'], enabled: false }])
  await expect.element(main.getByRole('img', { name: 'Account security: Push, always on' })).toBeVisible()
  expect(choice('Messages: Email').elements()).toEqual([])
})

test('SET-01 SET-02 the bell is beside the brand at every width, and the navigation has seven entries', async () => {
  answerNotifications()
  api.answer(listSavedPostsOperation, { documents: [], next: null })
  await openApp('/saved')
  const visible = (elements: Element[]) => elements.filter((element) => element.checkVisibility())
  const box = (element: Element | undefined) => element?.getBoundingClientRect() ?? new DOMRect()
  const entries = () =>
    visible(page.getByRole('navigation', { name: 'Main' }).getByRole('link').elements()).length
  for (const width of [1440, 1024]) {
    await page.viewport(width, 900)
    const sidebar = page.getByRole('complementary', { name: 'Sidebar' })
    await expect.element(sidebar.getByRole('link', { name: 'Notifications' })).toBeVisible()
    expect(entries()).toBe(7)
    const [settings] = visible(page.getByRole('link', { name: 'Settings' }).elements())
    const [logout] = visible(page.getByRole('button', { name: 'Logout' }).elements())
    expect(box(settings).y).toBeLessThan(box(logout).y)
  }
  for (const width of [390, 320]) {
    await page.viewport(width, 800)
    const bar = page.getByRole('banner')
    const inOrder = [
      bar.getByRole('link', { name: 'Juntas' }),
      bar.getByRole('link', { name: 'Notifications' }),
      bar.getByRole('button', { name: 'Logout' }),
      bar.getByRole('link', { name: 'Your profile' }),
    ]
    for (const one of inOrder) await expect.element(one).toBeVisible()
    expect(entries()).toBe(7)
    const boxes = inOrder.map((one) => box(one.element()))
    for (const [place, { height, width: wide, right }] of boxes.entries()) {
      expect(Math.min(height, wide)).toBeGreaterThanOrEqual(44)
      expect(right).toBeLessThanOrEqual(boxes[place + 1]?.left ?? width)
    }
  }
})
