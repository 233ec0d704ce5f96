import { afterAll, beforeAll, expect, test } from 'vitest'
import * as settings from '#contract/account/account-settings.ts'
import { listNotificationsOperation } from '#contract/notifications/notifications.ts'
import { extractCookieHeader, fetchSentMessagesTo } from '#tests/support/sent-messages.ts'
import { settleNotifications } from '#tests/support/settle-notifications.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld({ TRUSTED_PROXIES: '127.0.0.1' })
})
afterAll(() => w.end())

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'

async function signInFrom({ email }: MemberClient, address: string, where = w): Promise<string> {
  const answer = await where.visitor.request(
    'POST',
    '/v1/sessions',
    { email, password: testPassword },
    { 'user-agent': firefox, 'x-forwarded-for': address },
  )
  expect(answer.status).toBe(201)
  return extractCookieHeader(answer)
}

async function seenBy(who: MemberClient, where = w) {
  await settleNotifications(where.database)
  const { documents } = await who.call(listNotificationsOperation, {})
  const messages = (await fetchSentMessagesTo(where, who.email)).filter(({ kind }) => kind === 'new-device')
  return {
    devices: (await who.call(settings.listDevicesOperation, {})).documents.map(({ country }) => country),
    log: (await who.call(settings.listSecurityEventsOperation, {})).documents[0]?.country,
    notified: documents.flatMap(({ device }) => (device ? [device.country] : [])),
    message: messages.at(-1)?.text,
  }
}

test('SESS-01 SESS-06 the email, notification, devices and log name the country of a sign-in from Mexico', async () => {
  const ana = await w.join('Ana')
  await signInFrom(ana, '189.203.1.1')
  const { message, ...seen } = await seenBy(ana)
  expect(message).toContain('Firefox en Windows, México. ¿Fuiste tú?')
  expect(message).toContain('Firefox on Windows, Mexico. Was it you?')
  // Her first session began on this machine, so it has no country.
  expect(seen).toEqual({ devices: [null, 'MX'], log: 'MX', notified: ['MX'] })
})

test('SESS-02 a sign-in from a private network has no country, and nothing says that it is unknown', async () => {
  const bea = await w.join('Bea')
  await signInFrom(bea, '10.0.0.1')
  const { message, ...seen } = await seenBy(bea)
  expect(message).toContain('Firefox en Windows. ¿Fuiste tú?')
  expect(seen).toEqual({ devices: [null, null], log: null, notified: [null] })
})

test('SESS-06 the notification of an ended session names no country', async () => {
  const cora = await w.join('Cora')
  await signInFrom(cora, '88.12.3.4')
  const [, there] = (await cora.call(settings.listDevicesOperation, {})).documents
  await cora.call(settings.signOutDeviceOperation, { deviceId: there?.$id ?? '' })
  expect((await seenBy(cora)).notified).toEqual([null])
})

test('SESS-01 Appwrite clients read the country of a session and of a log entry', async () => {
  const dora = await w.join('Dora')
  const cookie = await signInFrom(dora, '88.12.3.4')
  const get = async (path: string) =>
    (await w.visitor.request<Record<string, never[]>>('GET', path, undefined, { cookie })).body
  const spain = { countryCode: 'es', countryName: 'Spain' }
  expect(await get('/v1/account/sessions/current')).toMatchObject(spain)
  const unknown = { countryCode: '--', countryName: 'Unknown' }
  expect((await get('/v1/account/sessions')).sessions).toMatchObject([unknown, spain])
  expect((await get('/v1/account/logs')).logs?.[0]).toMatchObject(spain)
})

test('SESS-02 GEO_FILE=off shows no country', async () => {
  const off = await createTestWorld({ TRUSTED_PROXIES: '127.0.0.1', GEO_FILE: 'off' })
  try {
    const eva = await off.join('Eva')
    await signInFrom(eva, '189.203.1.1', off)
    const { message, ...seen } = await seenBy(eva, off)
    expect(message).toContain('Firefox en Windows. ¿Fuiste tú?')
    expect(seen).toEqual({ devices: [null, null], log: null, notified: [null] })
  } finally {
    await off.end()
  }
})
