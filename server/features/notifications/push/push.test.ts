import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createApiClient } from '#api-client/member-client.ts'
import { listDevicesOperation, signOutDeviceOperation } from '#contract/account/account-settings.ts'
import { signInOperation, signOutOperation } from '#contract/account/sign-up-and-sign-in.ts'
import { markConversationReadOperation, openConversationOperation } from '#contract/chat/conversations.ts'
import { sendMessageOperation, unsendMessageOperation } from '#contract/chat/messages.ts'
import { removeGroupMemberOperation } from '#contract/groups/group-members.ts'
import {
  getNotificationDeliveryOperation,
  updateNotificationDeliveryOperation,
} from '#contract/notifications/notification-delivery.ts'
import {
  countNotificationsOperation,
  markNotificationsReadOperation,
  markNotificationsSeenOperation,
} from '#contract/notifications/notifications.ts'
import {
  getPushSubscriptionOperation,
  getVapidPublicKeyOperation,
  sendTestPushOperation,
  subscribePushOperation,
  unsubscribePushOperation,
} from '#contract/notifications/push.ts'
import { blockMemberOperation } from '#contract/people/blocks.ts'
import { followOperation, unfollowOperation } from '#contract/people/people.ts'
import { createPostOperation, deletePostOperation, likePostOperation } from '#contract/posts/posts.ts'
import { publicInternetNetwork } from '#server/net/public-address.ts'
import { startFakePushService, type TestBrowser } from '#tests/doubles/push-service.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import {
  createGroupWithMembers,
  createPostInGroup,
  insertUploadedImageRow,
} from '#tests/support/group-factory.ts'
import { createPushRounds, inMinutes, unreachableNetwork } from '#tests/support/push/push-rounds.ts'
import { raceTimeoutMs } from '#tests/support/run-race-rounds.ts'
import { extractCookieHeader } from '#tests/support/sent-messages.ts'
import { settleNotifications } from '#tests/support/settle-notifications.ts'
import { waitFor } from '#tests/support/wait-for.ts'
import { createTestWorld, type MemberClient, testPassword } from '#tests/support/world.ts'

const service = await startFakePushService()
const env = { PUSH_HOSTS: service.host }
// The server cannot reach the push service, so only the test's own runs send push notifications.
const w = await createTestWorld(env, unreachableNetwork)
const rounds = createPushRounds(w, env, service.reach)
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
  await service.end()
})

let ana: MemberClient
let bea: MemberClient
let cora: MemberClient
beforeEach(async () => {
  ;[ana, bea, cora] = await Promise.all([w.join('Ana'), w.join('Bea'), w.join('Cora')])
})

const subscribe = async (who: MemberClient, browser?: TestBrowser) => {
  const its = browser ?? (await service.browser())
  await who.call(subscribePushOperation, its)
  return its
}
const pushedTo = ({ endpoint }: TestBrowser) =>
  service.received.filter(({ to }) => to === endpoint).map(({ message }) => message)
const write = async (from: MemberClient, to: MemberClient, content: string) => {
  const { $id: conversationId } = await from.call(openConversationOperation, { personId: to.id })
  const message = await from.call(sendMessageOperation, { conversationId, content })
  return { conversationId, messageId: message.$id }
}
/** Messages between members who follow each other are not requests. */
const acquaint = async (one: MemberClient, other: MemberClient) => {
  await other.call(followOperation, { personId: one.id })
  await one.call(followOperation, { personId: other.id })
  const { conversationId } = await write(one, other, 'hola')
  await other.call(sendMessageOperation, { conversationId, content: 'hola' })
  await one.call(markConversationReadOperation, { conversationId })
  await settleNotifications(w.database)
  for (const who of [one, other]) await who.call(markNotificationsSeenOperation, { upTo: 1e6 })
  return conversationId
}
const sessionsOf = async (who: MemberClient) => (await who.call(listDevicesOperation, {})).documents

test('PUSH-02 twelve messages by bea send ana’s browser one push, as "message" without name or text', async () => {
  await acquaint(ana, bea)
  const browser = await subscribe(ana)
  for (let n = 0; n < 12; n += 1) await write(bea, ana, `secreto ${n}`)
  await rounds.sendDuePushes()
  const [push] = service.received.filter(({ to }) => to === browser.endpoint)
  expect(pushedTo(browser)).toEqual([{ kind: 'message', conversationId: expect.any(String), badge: 1 }])
  expect(push).toMatchObject({
    length: 512,
    publicKey: (await ana.call(getVapidPublicKeyOperation, {})).publicKey,
    headers: { ttl: '14400', urgency: 'high', 'content-encoding': 'aes128gcm' },
  })
  // A local address is not a valid contact.
  expect(push?.claims).not.toHaveProperty('sub')
  await rounds.sendDuePushes(inMinutes(600))
  expect(pushedTo(browser)).toHaveLength(1)
})

test('OPD-10 a push names the community once an operator has named it', async () => {
  await acquaint(ana, bea)
  const browser = await subscribe(ana)
  const name = 'Las "Vecinas" & <b> 🏡'
  await w.database.pool.query(
    'insert into community (name) values ($1) on conflict (only_row) do update set name = excluded.name',
    [name],
  )
  try {
    await write(bea, ana, 'hola otra vez')
    await createPushRounds(w, env, service.reach).sendDuePushes()
    expect(pushedTo(browser)).toMatchObject([{ kind: 'message', community: name }])
  } finally {
    await w.database.pool.query('update community set name = default')
  }
})

test('PUSH-02 a message is pushed automatically a few seconds later', async () => {
  const alone = await createTestWorld(env, service.reach)
  try {
    const [gala, hebe] = [await alone.join('Gala'), await alone.join('Hebe')]
    await hebe.call(followOperation, { personId: gala.id })
    await gala.call(followOperation, { personId: hebe.id })
    const browser = await subscribe(gala)
    await write(hebe, gala, 'ya estoy')
    await waitFor(() => pushedTo(browser).some(({ kind }) => kind === 'message'))
  } finally {
    await alone.end()
  }
})

test('PUSH-03 with names turned on, a push names bea but contains no text, caption or picture', async () => {
  await acquaint(ana, bea)
  const browser = await subscribe(ana)
  const push = ['message', 'like', 'follow', 'mention', 'group-post'] as const
  await ana.call(updateNotificationDeliveryOperation, { hidesContents: false, push: [...push] })
  await write(bea, ana, 'palabrasecreta')
  const imageId = await insertUploadedImageRow(w.database, ana)
  const post = await ana.call(createPostOperation, {
    caption: 'leyendasecreta',
    location: 'lugarsecreto',
    tags: [],
    imageId,
  })
  await bea.call(likePostOperation, { postId: post.$id })
  await rounds.sendDuePushes()
  await cora.call(followOperation, { personId: ana.id })
  await rounds.sendDuePushes(inMinutes(120))
  const pushes = pushedTo(browser)
  expect(pushes).toHaveLength(3)
  expect(pushes).toEqual(
    expect.arrayContaining([
      { kind: 'message', name: 'Bea', conversationId: expect.any(String), badge: 2 },
      { kind: 'like', name: 'Bea', postId: post.$id, badge: 2 },
      // Bea followed ana before, so `others` counts her.
      { kind: 'follow', name: 'Cora', others: 1, badge: 3 },
    ]),
  )
  const all = JSON.stringify(service.received.map(({ message }) => message))
  for (const secret of ['secret', imageId, ana.email, bea.email, 'Lima']) expect(all).not.toContain(secret)
})

test('PUSH-03 by default a push contains no name or text, and likes and group posts send none', async () => {
  const browser = await subscribe(ana)
  await bea.call(followOperation, { personId: ana.id })
  await rounds.sendDuePushes()
  const group = await createGroupWithMembers(bea, ana)
  await settleNotifications(w.database)
  await ana.call(markNotificationsSeenOperation, { upTo: 1e6 })
  await createPostInGroup(w.database, bea, group)
  const postId = await createPostInGroup(w.database, ana, null)
  await bea.call(likePostOperation, { postId })
  await rounds.sendDuePushes(inMinutes(120))
  expect(pushedTo(browser)).toEqual([{ kind: 'news', badge: 1 }])
})

describe('PUSH-04 nothing is pushed about an event that is over before the push', () => {
  test('a message that was read is not pushed', async () => {
    await acquaint(ana, bea)
    const browser = await subscribe(ana)
    const { conversationId } = await write(bea, ana, 'hola')
    await settleNotifications(w.database)
    await ana.call(markConversationReadOperation, { conversationId })
    await rounds.sendDuePushes()
    expect(pushedTo(browser)).toEqual([])
  })

  test('an unsent message is not pushed', async () => {
    await acquaint(ana, bea)
    const browser = await subscribe(ana)
    const { messageId } = await write(bea, ana, 'hola')
    await settleNotifications(w.database)
    await bea.call(unsendMessageOperation, { messageId })
    await rounds.sendDuePushes()
    expect(pushedTo(browser)).toEqual([])
  })

  test('withdrawn follows are not pushed, including a follow from before the subscription', async () => {
    await cora.call(followOperation, { personId: ana.id })
    await settleNotifications(w.database)
    const browser = await subscribe(ana)
    await bea.call(followOperation, { personId: ana.id })
    await settleNotifications(w.database)
    await bea.call(unfollowOperation, { personId: ana.id })
    await cora.call(unfollowOperation, { personId: ana.id })
    await rounds.sendDuePushes()
    expect(pushedTo(browser)).toEqual([])
  })

  test('a withdrawn follow is not pushed, even if its row contains a follow that was seen', async () => {
    await cora.call(followOperation, { personId: ana.id })
    await settleNotifications(w.database)
    await ana.call(markNotificationsSeenOperation, { upTo: 1e6 })
    const browser = await subscribe(ana)
    await bea.call(followOperation, { personId: ana.id })
    await settleNotifications(w.database)
    await bea.call(unfollowOperation, { personId: ana.id })
    await rounds.sendDuePushes()
    expect(pushedTo(browser)).toEqual([])
  })

  test('a mention in a deleted post is not pushed', async () => {
    const browser = await subscribe(ana)
    const imageId = await insertUploadedImageRow(w.database, bea)
    const { $id: postId } = await bea.call(createPostOperation, {
      caption: `@${ana.email.split('@')[0]} mira`,
      location: 'Lima',
      tags: [],
      imageId,
    })
    await settleNotifications(w.database)
    expect((await ana.call(countNotificationsOperation, {})).unseen).toBe(1)
    await bea.call(deletePostOperation, { postId })
    await rounds.sendDuePushes()
    expect(pushedTo(browser)).toEqual([])
  })

  test('messages and follows by a member whom ana blocked are not pushed', async () => {
    await acquaint(ana, bea)
    const browser = await subscribe(ana)
    await write(bea, ana, 'hola')
    await settleNotifications(w.database)
    await ana.call(blockMemberOperation, { personId: bea.id })
    await rounds.sendDuePushes()
    expect(pushedTo(browser)).toEqual([])
  })

  test('a group post is not pushed to a member who was removed from the group', async () => {
    const browser = await subscribe(ana)
    await ana.call(updateNotificationDeliveryOperation, { push: ['group-post'] })
    const group = await createGroupWithMembers(bea, cora, ana)
    await createPostInGroup(w.database, bea, group)
    await settleNotifications(w.database)
    expect((await ana.call(countNotificationsOperation, {})).unread).toBeGreaterThan(0)
    await bea.call(removeGroupMemberOperation, { groupId: group, memberId: ana.id })
    await rounds.sendDuePushes()
    expect(pushedTo(browser)).toEqual([])
  })

  test('a notification that was seen or read in the list is not pushed', async () => {
    const browser = await subscribe(ana)
    await bea.call(followOperation, { personId: ana.id })
    await settleNotifications(w.database)
    await ana.call(markNotificationsReadOperation, { upTo: 1e6 })
    await rounds.sendDuePushes()
    expect(pushedTo(browser)).toEqual([])
  })
})

describe('browsers', () => {
  test('PUSH-07 a session knows its browser, subscribing twice is no error, and a 410 deletes the subscription', async () => {
    const browser = await subscribe(ana)
    await subscribe(ana, browser)
    expect(await ana.call(getPushSubscriptionOperation, {})).toEqual({
      available: true,
      wanted: true,
      endpoint: browser.endpoint,
    })
    expect((await sessionsOf(ana)).map(({ rings }) => rings)).toEqual([true])
    expect((await bea.call(getPushSubscriptionOperation, {})).endpoint).toBeNull()
    service.answer(browser, 410)
    await bea.call(followOperation, { personId: ana.id })
    await rounds.sendDuePushes()
    expect(await ana.call(getPushSubscriptionOperation, {})).toEqual({
      available: true,
      wanted: true,
      endpoint: null,
    })
    const anew = await subscribe(ana)
    await cora.call(followOperation, { personId: ana.id })
    await rounds.sendDuePushes(inMinutes(120))
    expect(pushedTo(anew)).toHaveLength(1)
  })

  test('an unsubscribed browser gets no push, and unsubscribing twice is no error', async () => {
    const browser = await subscribe(ana)
    await ana.call(unsubscribePushOperation, {})
    await ana.call(unsubscribePushOperation, {})
    expect((await ana.call(getPushSubscriptionOperation, {})).wanted).toBe(false)
    await bea.call(followOperation, { personId: ana.id })
    await rounds.sendDuePushes()
    expect(pushedTo(browser)).toEqual([])
    expect((await sessionsOf(ana)).map(({ rings }) => rings)).toEqual([false])
  })

  test('a browser in which another member signs in gets only the pushes of that member', async () => {
    const browser = await subscribe(ana)
    await subscribe(bea, browser)
    expect((await ana.call(getPushSubscriptionOperation, {})).endpoint).toBeNull()
    await cora.call(followOperation, { personId: ana.id })
    await rounds.sendDuePushes()
    expect(pushedTo(browser)).toEqual([])
    await cora.call(followOperation, { personId: bea.id })
    await rounds.sendDuePushes(inMinutes(120))
    expect(pushedTo(browser)).toHaveLength(1)
  })

  test('two pages of one session that subscribe concurrently leave one subscription', {
    timeout: raceTimeoutMs,
  }, async () => {
    for (let round = 0; round < 25; round += 1) {
      const browsers = await Promise.all([service.browser(), service.browser()])
      await Promise.all(browsers.map((browser) => subscribe(ana, browser)))
      const { endpoint } = await ana.call(getPushSubscriptionOperation, {})
      expect(browsers.map((browser) => browser.endpoint)).toContain(endpoint)
    }
    const { rows } = await w.database.pool.query(
      'select count(*)::int as n from push_subscriptions s join users u on u.id = s.user_id where u.public_id = $1',
      [ana.id],
    )
    expect(rows).toEqual([{ n: 1 }])
  })

  test('a failed push is retried three times, with the state at the time of the retry', async () => {
    const browser = await subscribe(ana)
    const begun = Date.now()
    service.answer(browser, 503)
    await bea.call(followOperation, { personId: ana.id })
    await rounds.sendDuePushes(inMinutes(60, begun))
    const path = new URL(browser.endpoint).pathname
    const asked = () => service.requests.filter((request) => request === `POST ${path}`).length
    expect(asked()).toBe(1)
    await rounds.sendDuePushes(inMinutes(60.5, begun))
    expect(asked()).toBe(1)
    for (const minutes of [62, 68, 100, 200, 400]) await rounds.sendDuePushes(inMinutes(minutes, begun))
    expect(asked()).toBe(4)
  })

  test('concurrent nodes send each push once', { timeout: raceTimeoutMs }, async () => {
    const browser = await subscribe(ana)
    const nodes = [1, 2, 3].map(() => createPushRounds(w, env, service.reach))
    const people = await Promise.all(Array.from({ length: 12 }, (_, n) => w.join(`Eva${n}`)))
    for (const [round, who] of people.entries()) {
      await who.call(followOperation, { personId: ana.id })
      await settleNotifications(w.database)
      await Promise.all(nodes.map((node) => node.sendDuePushes(inMinutes(60 * (round + 1)))))
    }
    expect(pushedTo(browser)).toHaveLength(people.length)
  })
})

describe('PUSH-12 test push', () => {
  // In this world, the server reaches the push service.
  let there: Awaited<ReturnType<typeof createTestWorld>>
  let gala: MemberClient
  beforeAll(async () => {
    there = await createTestWorld(env, service.reach)
  })
  afterAll(() => there.end())
  beforeEach(async () => {
    gala = await signInAgain(await there.join('Gala'), there)
  })

  test("a test push reaches this session's browser immediately, even in quiet hours, and quotes no member", async () => {
    await gala.call(updateNotificationDeliveryOperation, {
      timeZone: 'Europe/Madrid',
      quietHours: { from: 0, to: 1439 },
      push: [],
    })
    const browser = await subscribe(gala)
    const other = await subscribe(await signInAgain(gala, there))
    await gala.call(sendTestPushOperation, {})
    expect(pushedTo(browser)).toEqual([{ kind: 'test', badge: expect.any(Number) }])
    expect(pushedTo(other)).toEqual([])
    const [push] = service.received.filter(({ to }) => to === browser.endpoint)
    expect(push).toMatchObject({ length: 512, headers: { ttl: '300', urgency: 'high' } })
  })

  test('a test push reports a device without push or forgotten by its push service, and deletes its row', async () => {
    const notFound = { status: 404, body: { type: 'push_browser_not_found' } }
    expect(await gala.ask(sendTestPushOperation, {})).toMatchObject(notFound)
    // The browser of another session does not count.
    await subscribe(await signInAgain(gala, there))
    expect(await gala.ask(sendTestPushOperation, {})).toMatchObject(notFound)
    const browser = await subscribe(gala)
    service.answer(browser, 410)
    expect(await gala.ask(sendTestPushOperation, {})).toMatchObject(notFound)
    expect(await gala.call(getPushSubscriptionOperation, {})).toMatchObject({ wanted: true, endpoint: null })
    expect((await there.visitor.ask(sendTestPushOperation, {})).status).toBe(401)
  })

  test.each([500, 429, 400])(
    'a test push reports a response of %i from the push service, and the subscription stays',
    async (status) => {
      const browser = await subscribe(gala)
      service.answer(browser, status)
      expect(await gala.ask(sendTestPushOperation, {})).toMatchObject({
        status: 503,
        body: { type: 'push_not_taken' },
      })
      expect((await gala.call(getPushSubscriptionOperation, {})).endpoint).toBe(browser.endpoint)
    },
  )

  test('a member can send five test pushes an hour, however many devices she has', async () => {
    const phone = await signInAgain(gala, there)
    const [browser, other] = [await subscribe(gala), await subscribe(phone)]
    const statuses: number[] = []
    const from = { 'x-forwarded-for': '203.0.113.7' }
    for (const who of [gala, phone, gala, phone, gala, phone])
      statuses.push((await who.request('POST', '/v1/me/push/test', {}, from)).status)
    expect(statuses).toEqual([204, 204, 204, 204, 204, 429])
    expect([...pushedTo(browser), ...pushedTo(other)].filter(({ kind }) => kind === 'test')).toHaveLength(5)
  })
})

describe('PUSH-08 push addresses from clients', () => {
  test.each([
    ['http://push.example/send/1', 'http'],
    ['https://evil.example/send/1', 'another host'],
    ['https://fcm.googleapis.com.evil.example/1', 'a host that begins like one'],
    ['https://evilpush.apple.com.example/1', 'a host that holds one'],
    ['https://xpush.apple.com/1', 'a host that ends like one'],
    ['https://fcm.googleapis.com:8443/1', 'another port'],
    ['https://fcm.googleapis.com@evil.example/1', 'credentials'],
    ['https://127.0.0.1/1', 'this machine'],
    ['https://10.0.0.7/1', 'a private network'],
    ['https://[::1]/1', 'this machine, by IPv6'],
    ['https://[::ffff:10.0.0.7]/1', 'a private network, written as IPv6'],
    ['https://localhost/1', 'this machine by name'],
    ['file:///etc/passwd', 'a file'],
    ['', 'nothing'],
  ])('the push address %s is refused: %s', async (endpoint) => {
    const { keys } = await service.browser()
    expect(await ana.ask(subscribePushOperation, { endpoint, keys })).toMatchObject({
      status: 400,
      body: { type: 'push_host_refused', field: 'endpoint' },
    })
    expect((await ana.call(getPushSubscriptionOperation, {})).endpoint).toBeNull()
  })

  test.each([
    'https://fcm.googleapis.com/fcm/send/abc',
    'https://updates.push.services.mozilla.com/wpush/v2/abc',
    'https://wns2-par02p.notify.windows.com/w/?token=abc',
    'https://web.push.apple.com/abc',
  ])('the push address %s is accepted', async (endpoint) => {
    const { keys } = await service.browser()
    await ana.call(subscribePushOperation, { endpoint: `${endpoint}${ana.id}`, keys })
    expect((await ana.call(getPushSubscriptionOperation, {})).endpoint).toBe(`${endpoint}${ana.id}`)
  })

  test('invalid push keys are refused', async () => {
    const { endpoint, keys } = await service.browser()
    const offCurve = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 7)]).toString('base64url')
    for (const wrong of [{ p256dh: offCurve }, { p256dh: 'abc' }, { auth: 'abc' }]) {
      const answer = await ana.ask(subscribePushOperation, { endpoint, keys: { ...keys, ...wrong } })
      expect(answer).toMatchObject({ status: 400, body: { field: 'keys' } })
    }
  })

  test('the server does not follow a redirect from a push service', async () => {
    const [browser, other] = [await subscribe(ana), await service.browser()]
    service.answer(browser, (response) => response.writeHead(307, { location: other.endpoint }).end())
    await bea.call(followOperation, { personId: ana.id })
    await rounds.sendDuePushes()
    expect(service.requests).toContain(`POST ${new URL(browser.endpoint).pathname}`)
    expect(service.requests).not.toContain(`POST ${new URL(other.endpoint).pathname}`)
  })

  test('an allowed push host with a private address is not contacted', async () => {
    const browser = await subscribe(ana)
    const network = { ...service.reach, allows: publicInternetNetwork.allows }
    await bea.call(followOperation, { personId: ana.id })
    await createPushRounds(w, env, network).sendDuePushes()
    expect(service.requests).not.toContain(`POST ${new URL(browser.endpoint).pathname}`)
  })

  test('with push turned off, nobody can subscribe', async () => {
    const off = await createTestWorld({ PUSH_HOSTS: 'off' })
    try {
      const inga = await off.join('Inga')
      expect(await inga.call(getPushSubscriptionOperation, {})).toEqual({
        available: false,
        wanted: false,
        endpoint: null,
      })
      for (const operation of [getVapidPublicKeyOperation, sendTestPushOperation])
        expect(await inga.ask(operation, {})).toMatchObject({ status: 503, body: { type: 'push_disabled' } })
      const { endpoint, keys } = await service.browser()
      expect(await inga.ask(subscribePushOperation, { endpoint, keys })).toMatchObject({
        status: 503,
        body: { type: 'push_disabled' },
      })
    } finally {
      await off.end()
    }
  })
})

test('PUSH-09 SESS-04 ending a session from elsewhere sends its browser one last push and deletes the subscription', async () => {
  const browser = await subscribe(ana)
  const phone = await signInAgain(ana)
  const [, first] = await sessionsOf(phone)
  await bea.call(followOperation, { personId: ana.id })
  await settleNotifications(w.database)
  await phone.call(signOutDeviceOperation, { deviceId: first?.$id ?? '' })
  await rounds.sendDuePushes()
  // Messages that were due before the farewell are dropped.
  expect(pushedTo(browser)).toEqual([{ kind: 'farewell', badge: 0 }])
  const { rows } = await w.database.pool.query('select 1 from push_subscriptions where endpoint = $1', [
    browser.endpoint,
  ])
  expect(rows).toEqual([])
})

test('PUSH-09 EXIT-06 signing out in the browser itself stops its pushes without a last push', async () => {
  const lena = await w.join('Lena')
  const browser = await subscribe(lena)
  await bea.call(followOperation, { personId: lena.id })
  await settleNotifications(w.database)
  await lena.call(signOutOperation, {})
  await rounds.sendDuePushes()
  expect(pushedTo(browser)).toEqual([])
  const { rows } = await w.database.pool.query('select 1 from push_subscriptions where endpoint = $1', [
    browser.endpoint,
  ])
  expect(rows).toEqual([])

  const again = await signInAgain(lena)
  const second = await subscribe(again)
  await again.ask(signInOperation, { email: lena.email, password: testPassword })
  await rounds.sendDuePushes()
  expect(pushedTo(second)).toEqual([])
})

test('PUSH-09 signing in again before the last push keeps the subscription', async () => {
  const browser = await subscribe(ana)
  const phone = await signInAgain(ana)
  await settleNotifications(w.database)
  const [, first] = await sessionsOf(phone)
  await phone.call(signOutDeviceOperation, { deviceId: first?.$id ?? '' })
  await subscribe(phone, browser)
  await signInAgain(ana)
  await bea.call(followOperation, { personId: ana.id })
  await rounds.sendDuePushes()
  expect(pushedTo(browser).map(({ kind }) => kind)).toEqual(['new-device', 'news'])
})

/** @returns functions that let the service respond or make it refuse further messages */
function holdAnswers(browsers: readonly TestBrowser[]) {
  const held: (() => void)[] = []
  for (const browser of browsers)
    service.answer(browser, (response) => void held.push(() => response.writeHead(201).end()))
  const release = () => {
    for (const answer of held.splice(0)) answer()
  }
  return { held, release }
}

test('PUSH-09 signing in again while the last push is being sent keeps the subscription', async () => {
  const browser = await subscribe(ana)
  const phone = await signInAgain(ana)
  const [, first] = await sessionsOf(phone)
  await phone.call(signOutDeviceOperation, { deviceId: first?.$id ?? '' })
  const { held, release } = holdAnswers([browser])
  const ringing = rounds.sendDuePushes()
  await waitFor(() => expect(held).toHaveLength(1))
  await subscribe(phone, browser)
  release()
  await ringing
  expect(await phone.call(getPushSubscriptionOperation, {})).toMatchObject({ endpoint: browser.endpoint })
})

test('PUSH-09 signing in again while the last push is queued cancels that push', async () => {
  const others = await Promise.all(Array.from({ length: 20 }, () => service.browser()))
  for (const { endpoint, keys } of others)
    await w.database.pool.query(
      `with made as (insert into push_subscriptions (user_id, endpoint, p256dh, auth)
         select id, $2, decode($3, 'base64'), decode($4, 'base64') from users where public_id = $1 returning id)
       insert into push_schedule (subscription_id, topic, due_at) select id, 'farewell', clock_timestamp() from made`,
      [
        bea.id,
        endpoint,
        ...[keys.p256dh, keys.auth].map((key) => Buffer.from(key, 'base64url').toString('base64')),
      ],
    )
  const browser = await subscribe(ana)
  const phone = await signInAgain(ana)
  const [, first] = await sessionsOf(phone)
  await phone.call(signOutDeviceOperation, { deviceId: first?.$id ?? '' })
  const { held, release } = holdAnswers(others)
  const ringing = rounds.sendDuePushes()
  await waitFor(() => expect(held).toHaveLength(20))
  await subscribe(phone, browser)
  release()
  await ringing
  expect(pushedTo(browser).map(({ kind }) => kind)).not.toContain('farewell')
  expect(await phone.call(getPushSubscriptionOperation, {})).toMatchObject({ endpoint: browser.endpoint })
})

async function signInAgain(who: MemberClient, where = w): Promise<MemberClient> {
  const answer = await where.visitor.ask(signInOperation, { email: who.email, password: testPassword })
  return { ...who, ...createApiClient(where.app, extractCookieHeader(answer)) }
}

describe('quiet hours', () => {
  /** Returns minutes after midnight, local time. */
  const minuteOf = (hours: number, minutes = 0) => hours * 60 + minutes
  const quietNights = (timeZone: string) =>
    ana.call(updateNotificationDeliveryOperation, {
      timeZone,
      quietHours: { from: minuteOf(22), to: minuteOf(8) },
    })

  test.each([
    // Mexico City is always six hours behind UTC.
    ['America/Mexico_City', '2031-01-15T03:59:00Z', null],
    ['America/Mexico_City', '2031-01-15T04:00:00Z', '2031-01-15T14:00:00Z'],
    ['America/Mexico_City', '2031-01-15T13:59:00Z', '2031-01-15T14:00:00Z'],
    ['America/Mexico_City', '2031-01-15T14:00:00Z', null],
    ['America/Mexico_City', '2031-07-15T13:59:00Z', '2031-07-15T14:00:00Z'],
    // Madrid is one hour ahead of UTC in winter, and two hours in summer.
    ['Europe/Madrid', '2031-01-15T21:00:00Z', '2031-01-16T07:00:00Z'],
    ['Europe/Madrid', '2031-07-15T20:00:00Z', '2031-07-16T06:00:00Z'],
    ['Europe/Madrid', '2031-07-15T19:59:00Z', null],
    // The night of 30 March is an hour shorter, and the night of 26 October is an hour longer.
    ['Europe/Madrid', '2031-03-29T21:00:00Z', '2031-03-30T06:00:00Z'],
    ['Europe/Madrid', '2031-03-30T05:59:00Z', '2031-03-30T06:00:00Z'],
    ['Europe/Madrid', '2031-03-30T06:00:00Z', null],
    ['Europe/Madrid', '2031-10-25T20:00:00Z', '2031-10-26T07:00:00Z'],
    ['Europe/Madrid', '2031-10-26T06:59:00Z', '2031-10-26T07:00:00Z'],
    ['Europe/Madrid', '2031-10-26T07:00:00Z', null],
  ])('PUSH-10 quiet hours in %s at %s delay a push until %s', async (timeZone, now, until) => {
    await quietNights(timeZone)
    const browser = await subscribe(ana)
    await bea.call(followOperation, { personId: ana.id })
    await settleNotifications(w.database)
    await rounds.sendDuePushes(new Date(now))
    if (until === null) return expect(pushedTo(browser).map(({ kind }) => kind)).toEqual(['news'])
    expect(pushedTo(browser)).toEqual([])
    await rounds.sendDuePushes(inMinutes(-0.1, new Date(until)))
    expect(pushedTo(browser)).toEqual([])
    await rounds.sendDuePushes(new Date(until))
    expect(pushedTo(browser).map(({ kind }) => kind)).toEqual(['digest'])
  })

  test('PUSH-10 after a night of messages and follows, one push at eight announces news', async () => {
    await acquaint(ana, bea)
    await quietNights('Europe/Madrid')
    await ana.call(updateNotificationDeliveryOperation, { hidesContents: false })
    const browser = await subscribe(ana)
    await write(bea, ana, 'buenas noches')
    await rounds.sendDuePushes(new Date('2031-01-15T22:00:00Z'))
    await cora.call(followOperation, { personId: ana.id })
    await write(bea, ana, '¿duermes?')
    await rounds.sendDuePushes(new Date('2031-01-16T03:00:00Z'))
    await rounds.sendDuePushes(new Date('2031-01-16T07:00:00Z'))
    await rounds.sendDuePushes(new Date('2031-01-16T09:00:00Z'))
    expect(pushedTo(browser)).toEqual([{ kind: 'digest', badge: 2 }])
  })

  test('PUSH-10 nothing that was read at night is pushed in the morning', async () => {
    await quietNights('Europe/Madrid')
    const browser = await subscribe(ana)
    await bea.call(followOperation, { personId: ana.id })
    await rounds.sendDuePushes(new Date('2031-01-15T22:00:00Z'))
    await ana.call(markNotificationsSeenOperation, { upTo: 1e6 })
    await rounds.sendDuePushes(new Date('2031-01-16T07:00:00Z'))
    expect(pushedTo(browser)).toEqual([])
  })

  test('PUSH-10 a sign-in from an unknown browser is pushed during quiet hours, even with other kinds turned off', async () => {
    await quietNights('America/Mexico_City')
    await ana.call(updateNotificationDeliveryOperation, { push: [] })
    const browser = await subscribe(ana)
    await signInAgain(ana)
    await rounds.sendDuePushes(new Date('2031-01-15T08:00:00Z'))
    expect(pushedTo(browser)).toEqual([{ kind: 'new-device', badge: 1 }])
  })

  test('PUSH-10 quiet hours within one day end on that day, and without quiet hours nothing waits', async () => {
    await ana.call(updateNotificationDeliveryOperation, {
      timeZone: 'Europe/Madrid',
      quietHours: { from: minuteOf(14), to: minuteOf(16, 30) },
    })
    const browser = await subscribe(ana)
    await bea.call(followOperation, { personId: ana.id })
    await rounds.sendDuePushes(new Date('2031-01-15T13:30:00Z'))
    expect(pushedTo(browser)).toEqual([])
    await rounds.sendDuePushes(new Date('2031-01-15T15:30:00Z'))
    expect(pushedTo(browser)).toHaveLength(1)
    await ana.call(updateNotificationDeliveryOperation, { quietHours: null })
    await cora.call(followOperation, { personId: ana.id })
    await rounds.sendDuePushes(new Date('2031-01-16T13:30:00Z'))
    expect(pushedTo(browser)).toHaveLength(2)
  })
})

describe('settings of push, list and email', () => {
  test('bea’s delivery settings apply only to her, and settings that she does not send stay unchanged', async () => {
    const before = await bea.call(getNotificationDeliveryOperation, {})
    expect(before).toMatchObject({ hidesContents: true, quietHours: null, timeZone: null, summary: 'daily' })
    const after = await bea.call(updateNotificationDeliveryOperation, {
      summary: 'weekly',
      timeZone: 'Europe/Madrid',
      mail: ['mention', 'like'],
    })
    expect(after).toEqual({
      ...before,
      summary: 'weekly',
      timeZone: 'Europe/Madrid',
      mail: ['like', 'mention'],
    })
    expect(await bea.call(getNotificationDeliveryOperation, {})).toEqual(after)
    expect(await ana.call(getNotificationDeliveryOperation, {})).toEqual(before)
    for (const operation of [
      getNotificationDeliveryOperation,
      getPushSubscriptionOperation,
      getVapidPublicKeyOperation,
    ])
      expect((await w.visitor.ask(operation, {})).status).toBe(401)
  })

  test.each([
    [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
    [{ timeZone: 'FOO+3' }, 'timeZone'],
    [{ timeZone: '+03:00' }, 'timeZone'],
    [{ quietHours: { from: 60, to: 60 } }, 'quietHours'],
    [{ quietHours: { from: -1, to: 60 } }, 'quietHours'],
    [{ quietHours: { from: 1440, to: 60 } }, 'quietHours'],
    [{ push: ['everything'] }, 'push'],
    [{ mail: ['message'] }, 'mail'],
    [{ summary: 'hourly' }, 'summary'],
  ])('the delivery settings %j are refused, naming %s', async (input, field) => {
    const answer = await ana.request<{ field: string }>('PATCH', '/v1/me/notification-delivery', input)
    expect(answer.status).toBe(400)
    expect(answer.body.field).toContain(field)
  })
})
