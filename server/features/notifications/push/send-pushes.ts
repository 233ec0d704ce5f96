/**
 * One node leases each subscription. If the node dies, another continues, so a message may arrive twice; the
 * second replaces the first.
 */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import pLimit from 'p-limit'
import { defaultCommunityName } from '#contract/community/community-name-and-logo.ts'
import { defaultPushKinds, type PushKind } from '#contract/notifications/notification-delivery.ts'
import type { PushMessage } from '#contract/notifications/push.ts'
import { whereSessionIsLive } from '../../../auth/session.ts'
import type { VapidSigner } from '../../../auth/vapid.ts'
import type { Config } from '../../../config.ts'
import type { Database } from '../../../database/open-database.ts'
import { throwFailure } from '../../../errors.ts'
import type { CommunityIdentityCache } from '../../../http/community-identity.ts'
import type { ServerLogger } from '../../../log.ts'
import type { SafeFetch } from '../../../net/safe-fetch.ts'
import { hasOpenAccount } from '../../../policy/index.ts'
import {
  accountSafetyNotificationKinds,
  type ComposedPush,
  composeMessagePush,
  composeNotificationPush,
  countAppBadge,
  toPushedNotificationKinds,
} from './compose-push.ts'
import { encryptPush } from './encrypt-push.ts'
import { parsePushEndpoint } from './parse-push-endpoint.ts'
import { quietHoursEndSql } from './quiet-hours.ts'

export type PushContext = {
  config: Config
  database: Database
  log: ServerLogger
  identity: CommunityIdentityCache
  vapid: VapidSigner
  fetch: SafeFetch
}

const browsersPerRound = 200
const requestsAtOnce = 20
const leaseSeconds = 60
/** After the last attempt, the topic waits for the next event. */
const retrySeconds = [60, 300, 1800]
/** Seconds for which a push service keeps an undelivered message. */
const timeToLive = {
  messages: 4 * 3600,
  news: 24 * 3600,
  safety: 24 * 3600,
  farewell: 14 * 24 * 3600,
  // A test message is only useful immediately.
  test: 300,
}
/** The service no longer knows the subscription or refuses our key. */
const goneStatuses = [401, 403, 404, 410]

type Topic = Exclude<keyof typeof timeToLive, 'test'>
type DueTopic = { topic: Topic; told_up_to: number; held: boolean; failures: number }
type Browser = { id: number; user_id: number; endpoint: string; p256dh: Buffer; auth: Buffer }
type DueBrowser = Browser & {
  rings: boolean
  push_kinds: PushKind[] | null
  hides_contents: boolean
  quiet_until: Date | null
  topics: DueTopic[]
}

export async function sendDuePushes(ctx: PushContext, now = new Date()): Promise<number> {
  const due = await claimDue(ctx, now)
  const limit = pLimit(requestsAtOnce)
  await Promise.all(
    due.map((browser) =>
      limit(() =>
        sendDueTopics(ctx, browser, now).catch((error: unknown) =>
          ctx.log.warn({ err: error }, 'a push notification could not be sent'),
        ),
      ),
    ),
  )
  return due.length
}

async function claimDue({ database }: PushContext, now: Date): Promise<DueBrowser[]> {
  const isDue = sql`coalesce(p.leased_until, p.due_at) <= ${now}::timestamptz`
  const { rows } = await sql<DueBrowser>`
    with browsers as materialized (
      select s.id from push_subscriptions s
      where s.id in (select p.subscription_id from push_schedule p where ${isDue} order by coalesce(p.leased_until, p.due_at)
        limit ${browsersPerRound})
      order by s.id for no key update skip locked
    ), found as materialized (
      select p.subscription_id, p.topic from push_schedule p join browsers b on b.id = p.subscription_id
      where ${isDue} for update of p skip locked
    ), claimed as (
      update push_schedule p set due_at = null, leased_until = ${now}::timestamptz + make_interval(secs => ${leaseSeconds})
      from found f where p.subscription_id = f.subscription_id and p.topic = f.topic
      returning p.*
    )
    select s.id, s.user_id, s.endpoint, s.p256dh, s.auth, d.push_kinds, coalesce(d.hides_contents, true) as hides_contents,
      ${quietHoursEndSql('d', sql`${now}::timestamptz`)} as quiet_until,
      exists (select from sessions where sessions.id = s.session_id and pending_until is null and ${whereSessionIsLive('sessions')})
        and ${hasOpenAccount(sql.ref('s.user_id'))} as rings,
      due.topics
    from (select c.subscription_id, jsonb_agg(jsonb_build_object('topic', c.topic, 'told_up_to', c.told_up_to, 'held', c.held,
        'failures', c.failures)) as topics from claimed c group by c.subscription_id) due
    join push_subscriptions s on s.id = due.subscription_id
    left join notification_delivery d on d.user_id = s.user_id
    order by s.id`.execute(database.kysely)
  return rows
}

/** Topics that quiet hours held back become one message. */
async function sendDueTopics(ctx: PushContext, browser: DueBrowser, now: Date): Promise<void> {
  const topicOf = (name: Topic) => browser.topics.find(({ topic }) => topic === name)
  const farewell = topicOf('farewell')
  if (farewell) {
    // A session that has taken over the browser gets no farewell, because it would delete that session's
    // data.
    if (await belongsToSession(ctx, browser)) return
    const outcome = await push(ctx, browser, 'farewell', { kind: 'farewell', badge: 0 })
    if (outcome !== 'later' || farewell.failures >= retrySeconds.length)
      await forget(ctx, browser, { unlessInUse: true })
    else await finish(ctx, browser, farewell, null, outcome, now)
    return
  }
  const safety = topicOf('safety')
  if (safety) await sendTopic(ctx, browser, safety, now)
  const others = browser.topics.filter(({ topic }) => topic === 'messages' || topic === 'news')
  if (browser.quiet_until !== null) {
    for (const { topic } of others) await hold(ctx, browser, topic, browser.quiet_until)
  } else if (others.some(({ held }) => held)) await sendDigest(ctx, browser, others, now)
  else for (const topic of others) await sendTopic(ctx, browser, topic, now)
}

async function compose(
  { config, database }: PushContext,
  { user_id: me, rings, push_kinds, hides_contents: hidesContents }: DueBrowser,
  { topic, told_up_to: after }: DueTopic,
): Promise<ComposedPush | null> {
  if (!rings) return null
  const chosen = push_kinds ?? defaultPushKinds
  const about = { after, hidesContents }
  if (topic === 'messages') {
    return chosen.includes('message') ? composeMessagePush(database.kysely, me, about) : null
  }
  const kinds = topic === 'safety' ? accountSafetyNotificationKinds : toPushedNotificationKinds(chosen)
  return composeNotificationPush(database.kysely, config, me, { ...about, kinds })
}

async function sendTopic(ctx: PushContext, browser: DueBrowser, topic: DueTopic, now: Date): Promise<void> {
  const composed = await compose(ctx, browser, topic)
  const outcome = composed ? await push(ctx, browser, topic.topic, composed.message) : 'sent'
  await finish(ctx, browser, topic, composed, outcome, now)
}

async function sendDigest(
  ctx: PushContext,
  browser: DueBrowser,
  topics: readonly DueTopic[],
  now: Date,
): Promise<void> {
  const composed = await Promise.all(topics.map((topic) => compose(ctx, browser, topic)))
  const outcome = composed.some(Boolean) ? await push(ctx, browser, 'news', { kind: 'digest' }) : 'sent'
  for (const [place, topic] of topics.entries()) {
    await finish(ctx, browser, topic, composed[place] ?? null, outcome, now)
  }
}

/**
 * @throws Failure `push_browser_not_found` if the session has no subscription, `push_not_taken` if the
 * service fails
 */
export async function sendTestPush(ctx: PushContext, sessionId: number): Promise<void> {
  const browser = await ctx.database.kysely
    .selectFrom('push_subscriptions')
    .select(['id', 'user_id', 'endpoint', 'p256dh', 'auth'])
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
  if (!browser) throwFailure('push_browser_not_found')
  const outcome = await push(ctx, browser, 'test', { kind: 'test' })
  if (outcome === 'sent') return
  if (outcome !== 'gone') throwFailure('push_not_taken')
  await forget(ctx, browser)
  throwFailure('push_browser_not_found')
}

type Outcome = 'sent' | 'refused' | 'later' | 'gone'

async function push(
  { config, database, log, identity, vapid, fetch }: PushContext,
  browser: Browser,
  topic: keyof typeof timeToLive,
  message: Omit<PushMessage, 'badge'> & { badge?: number },
): Promise<Outcome> {
  const badge = message.badge ?? (await countAppBadge(database.kysely, browser.user_id))
  const { name } = await identity.read()
  const community = name === defaultCommunityName ? undefined : name
  const text = Buffer.from(JSON.stringify({ ...message, community, badge } satisfies PushMessage))
  let host = ''
  try {
    // The allowed hosts may have changed.
    const url = parsePushEndpoint(config, browser.endpoint)
    host = url.host
    const { status } = await fetch.post(url, {
      headers: {
        authorization: await vapid.authorization(url.origin),
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(timeToLive[topic]),
        urgency: topic === 'news' ? 'normal' : 'high',
        topic: createHash('sha256').update(`${browser.id} ${topic}`).digest('base64url').slice(0, 32),
      },
      body: encryptPush(text, browser),
    })
    if (goneStatuses.includes(status)) return 'gone'
    if (status >= 200 && status < 300) return 'sent'
    log.warn({ host, status }, 'a push service refused a message')
    // Refusals with other statuses are final. Redirects are not followed.
    return status === 429 || status >= 500 ? 'later' : 'refused'
  } catch (error) {
    const { code, name } = error as { code?: string; name?: string }
    log.warn({ host, reason: code ?? name }, 'a push service could not be reached')
    return 'later'
  }
}

async function belongsToSession({ database }: PushContext, { id }: Browser): Promise<boolean> {
  const found = await database.kysely
    .selectFrom('push_subscriptions')
    .select('id')
    .where('id', '=', id)
    .where('session_id', 'is not', null)
    .executeTakeFirst()
  return found !== undefined
}

async function forget(
  { database }: PushContext,
  { id }: Browser,
  { unlessInUse = false }: { unlessInUse?: boolean } = {},
): Promise<void> {
  const found = database.kysely.deleteFrom('push_subscriptions').where('id', '=', id)
  await (unlessInUse ? found.where('session_id', 'is', null) : found).execute()
}

async function finish(
  ctx: PushContext,
  browser: DueBrowser,
  { topic, failures }: DueTopic,
  composed: ComposedPush | null,
  outcome: Outcome,
  now: Date,
): Promise<void> {
  if (outcome === 'gone') return void (await forget(ctx, browser))
  const retry = outcome === 'later' ? retrySeconds[failures] : undefined
  await sql`
    update push_schedule set leased_until = null, ${
      retry === undefined
        ? sql`failures = 0, held = false, told_up_to = greatest(told_up_to, ${outcome === 'later' ? 0 : (composed?.upTo ?? 0)}::bigint)`
        : sql`failures = failures + 1, due_at = least(due_at, ${now}::timestamptz + make_interval(secs => ${retry}))`
    }
    where subscription_id = ${browser.id} and topic = ${topic}`.execute(ctx.database.kysely)
}

const hold = ({ database }: PushContext, { id }: DueBrowser, topic: Topic, until: Date) =>
  sql`
    update push_schedule set leased_until = null, held = true, due_at = ${until}::timestamptz
    where subscription_id = ${id} and topic = ${topic}`.execute(database.kysely)
