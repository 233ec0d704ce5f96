import { afterAll, beforeEach, expect, test } from 'vitest'
import { openConversationOperation } from '#contract/chat/conversations.ts'
import { sendMessageOperation } from '#contract/chat/messages.ts'
import {
  getNotificationDeliveryOperation,
  unsubscribeFromSummariesOperation,
  updateNotificationDeliveryOperation,
} from '#contract/notifications/notification-delivery.ts'
import { markNotificationsSeenOperation } from '#contract/notifications/notifications.ts'
import { followOperation, unfollowOperation } from '#contract/people/people.ts'
import { createPostOperation, likePostOperation } from '#contract/posts/posts.ts'
import { createInstanceKey } from '#server/auth/instance-key.ts'
import { readConfig } from '#server/config.ts'
import { createDevOutbox } from '#server/email/dev-outbox.ts'
import { createEmailSender } from '#server/email/email-sender.ts'
import { createServerLogger } from '#server/log.ts'
import { insertUploadedImageRow } from '#tests/support/group-factory.ts'
import { settleNotifications } from '#tests/support/settle-notifications.ts'
import { createTestWorld, type MemberClient } from '#tests/support/world.ts'
import { sendDueSummaries } from './send-summaries.ts'

const w = await createTestWorld()
afterAll(() => w.end())
const config = readConfig({ DATA_DIR: w.dataDir, PUBLIC_URL: 'http://localhost:3000' })
const log = createServerLogger('silent')
const outbox = createDevOutbox()
const ctx = {
  config,
  log,
  database: w.database,
  emails: await createEmailSender(config, log, outbox),
  instanceKey: createInstanceKey(config, w.database),
}
const emailsTo = ({ email }: MemberClient) => outbox.entries().filter(({ to }) => to === email)
const send = async (now: string) => {
  await settleNotifications(w.database)
  await sendDueSummaries(ctx, new Date(now))
}
const setDue = ({ id }: MemberClient, at: string) =>
  w.database.pool.query(
    `update notification_delivery set summary_due_at = $2 where user_id = (select id from users where public_id = $1)`,
    [id, at],
  )
const confirm = ({ email }: MemberClient) =>
  w.database.pool.query('update accounts set email_verified = true where email = $1', [email])

let ana: MemberClient
let bea: MemberClient
let cora: MemberClient
beforeEach(async () => {
  ;[ana, bea, cora] = await Promise.all([w.join('Ana'), w.join('Bea'), w.join('Cora')])
  await confirm(ana)
  await ana.call(updateNotificationDeliveryOperation, {
    timeZone: 'America/Mexico_City',
    summary: 'daily',
    mail: ['like', 'follow'],
  })
})

test("PUSH-11 a summary is due at nine in the member's time zone, daily or on Mondays, even when clocks change", async () => {
  const dueOf = async (who: MemberClient) => {
    const { rows } = await w.database.pool.query<{ due: Date | null; local: string; day: number }>(
      `select summary_due_at as due, to_char(summary_due_at at time zone time_zone, 'HH24:MI') as local,
         extract(isodow from summary_due_at at time zone time_zone)::int as day
       from notification_delivery where user_id = (select id from users where public_id = $1)`,
      [who.id],
    )
    return rows[0]
  }
  const first = await dueOf(ana)
  expect(first?.local).toBe('09:00')
  expect(Number(first?.due)).toBeGreaterThan(Date.now())
  expect(Number(first?.due)).toBeLessThan(Date.now() + 24 * 3600_000 + 1000)
  await ana.call(updateNotificationDeliveryOperation, { summary: 'weekly' })
  expect(await dueOf(ana)).toMatchObject({ local: '09:00', day: 1 })
  // In Madrid, clocks go forward in the night of 30 March 2031. In Mexico, they do not.
  await ana.call(updateNotificationDeliveryOperation, { summary: 'daily', timeZone: 'Europe/Madrid' })
  for (const [due, next] of [
    ['2031-03-29T08:00:00Z', '2031-03-30T07:00:00Z'],
    ['2031-10-25T07:00:00Z', '2031-10-26T08:00:00Z'],
  ] as const) {
    await setDue(ana, due)
    await send(due)
    expect((await dueOf(ana))?.due).toEqual(new Date(next))
  }
  await ana.call(updateNotificationDeliveryOperation, { summary: 'never' })
  expect((await dueOf(ana))?.due).toBeNull()
})

test('PUSH-11 the summary email has names and counts of unseen items, is sent once, and quotes no messages or captions', async () => {
  const dora = await w.join('Dora')
  const imageId = await insertUploadedImageRow(w.database, ana)
  const { $id: postId } = await ana.call(createPostOperation, {
    caption: 'leyendasecreta',
    location: 'Lima',
    tags: [],
    imageId,
  })
  for (const who of [bea, cora, dora]) await who.call(likePostOperation, { postId })
  await bea.call(followOperation, { personId: ana.id })
  const { $id: conversationId } = await bea.call(openConversationOperation, { personId: ana.id })
  await bea.call(sendMessageOperation, { conversationId, content: 'palabrasecreta' })
  await setDue(ana, '2031-01-15T15:00:00Z')
  await send('2031-01-15T14:59:59Z')
  expect(emailsTo(ana)).toEqual([])
  await send('2031-01-15T15:00:00Z')
  const [message] = emailsTo(ana)
  expect(message?.text).toContain('Me gusta en tu publicación: Dora, Cora y 1 más')
  expect(message?.text).toContain('Likes on your post: Dora, Cora and 1 other')
  expect(message?.text).toContain('New followers: Bea')
  expect(message?.text).not.toMatch(/secreta|Lima|juntas\.test/)
  await send('2031-01-16T15:00:00Z')
  expect(emailsTo(ana)).toHaveLength(1)
})

test('PUSH-11 no summary is sent without unseen items or to an unconfirmed address', async () => {
  await setDue(ana, '2031-01-15T15:00:00Z')
  await send('2031-01-15T15:00:00Z')
  await bea.call(followOperation, { personId: ana.id })
  await settleNotifications(w.database)
  await ana.call(markNotificationsSeenOperation, { upTo: 1e6 })
  await send('2031-01-16T15:00:00Z')
  await cora.call(followOperation, { personId: ana.id })
  await settleNotifications(w.database)
  await cora.call(unfollowOperation, { personId: ana.id })
  await send('2031-01-17T15:00:00Z')
  expect(emailsTo(ana)).toEqual([])

  await bea.call(updateNotificationDeliveryOperation, { timeZone: 'UTC', mail: ['follow'] })
  expect((await bea.call(getNotificationDeliveryOperation, {})).mailable).toBe(false)
  await ana.call(followOperation, { personId: bea.id })
  await setDue(bea, '2031-01-15T09:00:00Z')
  await send('2031-01-15T09:00:00Z')
  expect(emailsTo(bea)).toEqual([])
})

test('PUSH-11 a mail program ends the summaries of one member only, by one request without a session', async () => {
  await bea.call(followOperation, { personId: ana.id })
  await setDue(ana, '2031-01-15T15:00:00Z')
  await send('2031-01-15T15:00:00Z')
  const { headers = {}, text } = emailsTo(ana)[0] ?? {}
  expect(headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
  const url = new URL(/^<(.+)>$/.exec(headers['List-Unsubscribe'] ?? '')?.[1] ?? '')
  const secret = url.pathname.split('/').at(-2) ?? ''
  expect(text).toContain(`Darme de baja: http://localhost:3000/unsubscribe/${secret}`)
  const path = url.pathname
  expect((await w.visitor.request('GET', path)).status).toBe(405)
  await cora.call(updateNotificationDeliveryOperation, { timeZone: 'UTC' })
  const answer = await w.app.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'List-Unsubscribe=One-Click',
  })
  expect(answer.statusCode).toBe(204)
  expect(await ana.call(getNotificationDeliveryOperation, {})).toMatchObject({ summary: 'never' })
  expect(await cora.call(getNotificationDeliveryOperation, {})).toMatchObject({ summary: 'daily' })
  await w.visitor.call(unsubscribeFromSummariesOperation, { secret })
  const forged = `${cora.id}.${secret.split('.').at(-1)}`
  for (const wrong of [forged, cora.id, 'x', `${secret}x`]) {
    expect(await w.visitor.ask(unsubscribeFromSummariesOperation, { secret: wrong })).toMatchObject({
      status: 401,
      body: { type: 'user_invalid_token' },
    })
  }
  expect(await cora.call(getNotificationDeliveryOperation, {})).toMatchObject({ summary: 'daily' })
})

test('PUSH-11 no summaries are sent if the server cannot send emails', async () => {
  const without = await createEmailSender(config, log, null)
  await bea.call(followOperation, { personId: ana.id })
  await settleNotifications(w.database)
  await setDue(ana, '2031-01-15T15:00:00Z')
  expect(await sendDueSummaries({ ...ctx, emails: without }, new Date('2031-01-15T16:00:00Z'))).toBe(0)
  expect(emailsTo(ana)).toEqual([])
})
