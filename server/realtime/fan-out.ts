/** The index of sockets finds candidates, and the database authorises them at delivery. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { TypingSignal } from '#contract/realtime/realtime.ts'
import { whereSessionIsLive } from '../auth/session.ts'
import type { Database } from '../database/open-database.ts'
import { hideKeyArrayLengthFromPlanner } from '../database/prepared-statements.ts'
import type { DatabaseTables } from '../database/schema.ts'
import {
  mayLearnOfDeletion,
  mayLearnOfProfileChange,
  mayLearnOfUpdate,
  whereAccessRuleAllows,
  whereWasGroupMember,
} from '../policy/index.ts'
import {
  isDocumentChange,
  isUnlistedLoss,
  keepLatestRowUpdates,
  type LoggedChange,
} from '../store/change-log-reader.ts'
import { collectionDefinitionsByName } from '../store/collection-definitions.ts'

export type RealtimeDocument = Readonly<Record<string, unknown> & { $id: string }>

/** `member` is null for an account without a profile, which receives only its own changes. */
export type ChangeRecipient = { member: number | null; accountId: string }

export type ChangePayloadProvider = {
  /**
   * Loads a payload once for all readers with the same view.
   * @returns a frozen payload; null if the row is deleted or unreadable
   */
  of(change: LoggedChange): (reader: ChangeRecipient) => Promise<RealtimeDocument | null>
}

export type SocketCloseReason = 'session_ended' | 'blocked' | 'fell_behind' | 'database_lost'

export type ChangeSubscriber = {
  /** Internal keys. `accountId` is public. */
  readonly account: number
  readonly accountId: string
  readonly session: number
  /**
   * The JWT's hash in hexadecimal; null for a session. The socket also closes when the JWT expires or is
   * revoked.
   */
  readonly jwt?: string | null
  member: number | null
  readonly documents: ChangePayloadProvider
  wants(change: LoggedChange): boolean
  /** @param document frozen and shared */
  send(change: LoggedChange, document: RealtimeDocument): void
  /** Sends the indicator only if the socket has subscribed to it. */
  sendTyping?(sign: TypingSignal): void
  /** Called at most once, as the last call. */
  close(why: SocketCloseReason): void
}

export type ChangeFanOut = {
  add(subscriber: ChangeSubscriber): void
  remove(subscriber: ChangeSubscriber): void
  readonly size: number
  /** Delivers changes in order. @throws database errors; recipients may have received nothing */
  deliver(changes: readonly LoggedChange[]): Promise<void>
  deliverTyping(member: number, sign: TypingSignal): Promise<void>
  /** Checks sessions even without changes. */
  checkSessions(): Promise<void>
  dismissAll(why: SocketCloseReason): void
}

/** Up to this number of readers, payloads load while the database authorises them. */
const prefetchReaders = 2
/**
 * This is enough for a message and its conversation. Larger statements would vary too much to be prepared.
 */
const changesPerStatement = 2
/** Milliseconds after which a delivery yields to requests. */
const turnMs = 10

export function createChangeFanOut({ kysely: db }: Database): ChangeFanOut {
  const subscribers = createIndex()

  const dismiss = (subscriber: ChangeSubscriber, why: SocketCloseReason) => {
    subscribers.remove(subscriber)
    subscriber.close(why)
  }

  const keepsAfter = (subscriber: ChangeSubscriber, verdict: Verdict): boolean => {
    if (verdict !== 'session_ended' && verdict !== 'blocked') return true
    dismiss(subscriber, verdict)
    return false
  }

  const setProfile = async (member: number) => {
    const user = await db.selectFrom('users').select('account_id').where('id', '=', member).executeTakeFirst()
    if (user) subscribers.setMember(user.account_id, member)
  }

  const deliverBatch = async (changes: readonly LoggedChange[]) => {
    const audiences = changes
      .map((change) => ({
        change,
        candidates: subscribers.candidates(change),
        document: payloadsOf(change),
      }))
      .filter(({ candidates }) => candidates.length > 0)
    if (audiences.length === 0) return
    // Payloads that were loaded for unauthorised readers are dropped.
    for (const { candidates, document } of audiences) {
      if (new Set(candidates.map(({ member }) => member)).size > prefetchReaders) continue
      for (const reader of candidates) document(reader).catch(() => {})
    }
    const everybody = new Set(audiences.flatMap(({ candidates }) => candidates))
    const verdictOf = await authorizeRecipients(
      db,
      audiences.map(({ change }) => change),
      [...everybody],
    )
    let began = performance.now()
    const behind = new Set<ChangeSubscriber>()
    for (const [index, { change, candidates, document }] of audiences.entries()) {
      for (const subscriber of candidates) {
        if (performance.now() - began > turnMs) {
          await nextTurn()
          began = performance.now()
        }
        const verdict = verdictOf(subscriber, index)
        if (behind.has(subscriber)) continue
        if (verdict === 'deliver' && isUnlistedLoss(change)) {
          behind.add(subscriber)
          dismiss(subscriber, 'fell_behind')
          continue
        }
        if (!keepsAfter(subscriber, verdict) || verdict !== 'deliver' || !subscriber.wants(change)) continue
        const payload = await document(subscriber)
        if (payload) subscriber.send(change, payload)
      }
    }
  }

  return {
    add: subscribers.add,
    remove: subscribers.remove,
    get size() {
      return subscribers.size
    },

    async deliver(changes) {
      const news = keepLatestRowUpdates(changes)
      for (const { collection, kind, rowId } of news) {
        if (collection === 'users' && kind === 'create') await setProfile(rowId)
      }
      for (let from = 0; from < news.length; from += changesPerStatement) {
        await deliverBatch(news.slice(from, from + changesPerStatement))
      }
    },

    async deliverTyping(member, sign) {
      const candidates = subscribers.ofMember(member).filter(({ sendTyping }) => sendTyping)
      if (candidates.length === 0) return
      const verdictOf = await authorizeRecipients(db, [], candidates)
      for (const subscriber of candidates) {
        if (keepsAfter(subscriber, verdictOf(subscriber))) subscriber.sendTyping?.(sign)
      }
    },

    async checkSessions() {
      const all = subscribers.all()
      if (all.length === 0) return
      const verdictOf = await authorizeRecipients(db, [], all)
      for (const subscriber of all) keepsAfter(subscriber, verdictOf(subscriber))
    },

    dismissAll(why) {
      for (const subscriber of subscribers.all()) dismiss(subscriber, why)
    },
  }
}

function payloadsOf(
  change: LoggedChange,
): (subscriber: ChangeSubscriber) => Promise<RealtimeDocument | null> {
  const loaders = new Map<ChangePayloadProvider, ReturnType<ChangePayloadProvider['of']>>()
  return (subscriber) => {
    const { documents } = subscriber
    const load = loaders.get(documents) ?? documents.of(change)
    loaders.set(documents, load)
    return load(subscriber)
  }
}

type Verdict = 'deliver' | 'skip' | 'session_ended' | 'blocked'

type RecipientRow = { session: number; ended: boolean; blocked: boolean; may_read: boolean[] }

/**
 * Authorises recipients and checks their sessions, so that a subscriber whose session ended receives nothing
 * more.
 * @param changes if empty, only sessions are checked
 * @returns by subscriber and change index
 */
async function authorizeRecipients(
  db: Kysely<DatabaseTables>,
  changes: readonly LoggedChange[],
  subscribers: readonly ChangeSubscriber[],
): Promise<(subscriber: ChangeSubscriber, index?: number) => Verdict> {
  const accounts = new Map(subscribers.map(({ session, account }) => [session, account]))
  const { rows } = await sql<RecipientRow>`
    select subscribed.session, s.id is null as ended, coalesce(a.status <> 'active', false) as blocked,
      array[${sql.join(changes.map(mayReceive))}]::boolean[] as may_read
    from unnest(${hideKeyArrayLengthFromPlanner([...accounts.keys()])}, ${hideKeyArrayLengthFromPlanner([...accounts.values()])}) as subscribed (session, account)
    left join accounts a on a.id = subscribed.account
    left join sessions s on s.id = subscribed.session and s.account_id = a.id and ${whereSessionIsLive('s')}
    left join users subscriber on subscriber.account_id = a.id`.execute(db)
  const bySession = new Map(rows.map((row) => [row.session, row]))
  const liveJwts = await selectLiveJwts(
    db,
    subscribers.flatMap(({ jwt }) => jwt ?? []),
  )
  return ({ session, jwt }, index = 0) => {
    const row = bySession.get(session)
    if (row?.blocked) return 'blocked'
    if (!row || row.ended || (jwt && !liveJwts.has(jwt))) return 'session_ended'
    return row.may_read[index] ? 'deliver' : 'skip'
  }
}

/** Sends no query if there are no hashes. */
async function selectLiveJwts(
  db: Kysely<DatabaseTables>,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  if (hashes.length === 0) return new Set()
  const { rows } = await sql<{ hash: string }>`
    select encode(j.token_hash, 'hex') as hash from jwts j
    where j.token_hash in (select decode(given.hash, 'hex') from unnest(${[...new Set(hashes)]}::text[]) as given (hash))
      and j.expires_at > clock_timestamp()`.execute(db)
  return new Set(rows.map(({ hash }) => hash))
}

/**
 * A deletion goes to the recorded readers and the group's members at that time, except after a block. If the
 * row still exists, only members who lost access receive it.
 */
function mayReceive(change: LoggedChange): RawBuilder<boolean> {
  if (!isDocumentChange(change)) return sql`true`
  const { table } = collectionDefinitionsByName[change.collection]
  const reads = sql<boolean>`exists (select from ${sql.table(table)} as subject
    where subject.id = ${change.rowId} and ${whereAccessRuleAllows(sql<number>`subscriber.id`, 'read', table, 'subject')})`
  if (change.kind !== 'delete') {
    const conditions = [reads]
    if (change.collection === 'users')
      conditions.push(
        sql`${mayLearnOfProfileChange(sql<number>`subscriber.id`, sql`'users'`, sql`${change.rowId}::bigint`)}`,
      )
    if (change.kind === 'update' && change.state !== null)
      conditions.push(
        sql`${mayLearnOfUpdate(sql<number>`subscriber.id`, sql`${JSON.stringify(change.state)}::jsonb`)}`,
      )
    return sql<boolean>`(${sql.join(conditions, sql` and `)})`
  }
  const recorded =
    change.memberIds === null && change.groupId === null
      ? sql`subscriber.id is not null`
      : sql`(subscriber.id = any(${change.memberIds ?? []}::bigint[]) or ${whereWasGroupMember(
          sql.ref('subscriber.id'),
          sql`${change.groupId}::bigint`,
          sql`${change.at}`,
        )})`
  if (isUnlistedLoss(change)) return sql<boolean>`${recorded}`
  const state = sql`${JSON.stringify(change.state)}::jsonb`
  return sql<boolean>`(${recorded} and ${mayLearnOfDeletion(sql<number>`subscriber.id`, sql`${change.collection}`, state)} and not ${reads})`
}

function createIndex() {
  const everyone = new Set<ChangeSubscriber>()
  const byMember = new Map<number, Set<ChangeSubscriber>>()
  const byAccount = new Map<number, Set<ChangeSubscriber>>()

  return {
    add(subscriber: ChangeSubscriber) {
      everyone.add(subscriber)
      addTo(byAccount, subscriber.account, subscriber)
      if (subscriber.member !== null) addTo(byMember, subscriber.member, subscriber)
    },
    remove(subscriber: ChangeSubscriber) {
      everyone.delete(subscriber)
      removeFrom(byAccount, subscriber.account, subscriber)
      if (subscriber.member !== null) removeFrom(byMember, subscriber.member, subscriber)
    },
    /** Updates subscribers whose account had no profile when the socket opened. */
    setMember(account: number, member: number) {
      for (const subscriber of byAccount.get(account) ?? []) {
        if (subscriber.member !== null) continue
        subscriber.member = member
        addTo(byMember, member, subscriber)
      }
    },
    candidates(change: LoggedChange): ChangeSubscriber[] {
      // All sockets of the account are candidates, because the session of a socket may have ended.
      if (change.accountId !== null) return [...(byAccount.get(change.accountId) ?? [])]
      if (change.memberIds === null || change.groupId !== null) {
        return [...everyone].filter((subscriber) => subscriber.member !== null && subscriber.wants(change))
      }
      const members = new Set(change.memberIds)
      return [...members].flatMap((member) =>
        [...(byMember.get(member) ?? [])].filter(
          (subscriber) => isUnlistedLoss(change) || subscriber.wants(change),
        ),
      )
    },
    ofMember: (member: number): ChangeSubscriber[] => [...(byMember.get(member) ?? [])],
    all: (): ChangeSubscriber[] => [...everyone],
    get size() {
      return everyone.size
    },
  }
}

function addTo(index: Map<number, Set<ChangeSubscriber>>, key: number, subscriber: ChangeSubscriber): void {
  const there = index.get(key)
  if (there) there.add(subscriber)
  else index.set(key, new Set([subscriber]))
}

function removeFrom(
  index: Map<number, Set<ChangeSubscriber>>,
  key: number,
  subscriber: ChangeSubscriber,
): void {
  const there = index.get(key)
  there?.delete(subscriber)
  if (there?.size === 0) index.delete(key)
}
