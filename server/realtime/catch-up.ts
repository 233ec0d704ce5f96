/** The response has each changed row with its current content. */
import { sql } from 'kysely'
import type { CollectionName } from '#contract/collection-names.ts'
import type { Database } from '../database/open-database.ts'
import {
  mayLearnOfDeletion,
  mayLearnOfProfileChange,
  mayLearnOfUpdate,
  memberKeyParameter,
  selectJoinedGroupKeys,
} from '../policy/index.ts'
import {
  type ChangeLogPosition,
  canCatchUpFrom,
  type DocumentChange,
  findChangeLogPositionSecondsAgo,
  isDocumentChange,
  isUnlistedLoss,
  readChangeLogStart,
  selectChangesSince,
} from '../store/change-log-reader.ts'
import type { RealtimeDocument } from './fan-out.ts'
import type { PositionSeal } from './position-seal.ts'

/** If there are more changes, reloading everything is cheaper for the client. */
const maxChanges = 1000
const changesPerStatement = 1000
/** Long messages could make up 12 MB. */
const maxBytes = 1_000_000
/** Rows loaded before their bytes are counted. */
const rowsPerStatement = 200

/** The longest time from writing to committing a change, because no statement runs longer. */
const commitDelaySeconds = 10

/** Loads rows in the form of live changes. */
export type MissedDocumentsProvider = {
  readable(
    collection: CollectionName,
    keys: readonly number[],
    me: number,
  ): Promise<ReadonlyMap<string, RealtimeDocument>>
  deleted(
    collection: CollectionName,
    changes: readonly DocumentChange[],
  ): Promise<readonly RealtimeDocument[]>
}

export type CatchUpResult = {
  changes: { collection: CollectionName; kind: DocumentChange['kind']; document: RealtimeDocument }[]
  position: string
  resync: boolean
}

/**
 * @param since a position, or seconds ago; null returns only the current position
 * @returns `resync` for a position of another instance
 */
export type MissedChangesLoader = (
  me: number,
  since: string | { ago: number } | null,
  among: readonly CollectionName[],
) => Promise<CatchUpResult>

/**
 * Only readable changes count. Otherwise, a member who fills a response exactly would notice every change of
 * others.
 */
function createAnswer(provider: MissedDocumentsProvider, me: number) {
  const found: { change: DocumentChange; key: string }[] = []
  const views = new Map<string, { document: RealtimeDocument; isDeleted: boolean; bytes: number }>()
  let bytes = 0

  const setView = (key: string, document: RealtimeDocument | null, isDeleted = false) => {
    bytes -= views.get(key)?.bytes ?? 0
    views.delete(key)
    if (document === null) return
    const size = Buffer.byteLength(JSON.stringify(document))
    bytes += size
    views.set(key, { document, isDeleted, bytes: size })
  }

  const loadViews = async (collection: CollectionName, changes: readonly DocumentChange[]) => {
    const deletions = new Map(
      changes.filter(({ kind }) => kind === 'delete').map((change) => [change.rowId, change]),
    )
    const latest = [...new Map(changes.map((change) => [change.rowId, change])).values()]
    for (let from = 0; from < latest.length && bytes <= maxBytes; from += rowsPerStatement) {
      const some = latest.slice(from, from + rowsPerStatement)
      const keys = some.map(({ rowId }) => rowId)
      const readable = await provider.readable(collection, keys, me)
      const unreadable = some.filter(({ publicId }) => !readable.has(publicId))
      const gone = unreadable.flatMap(({ rowId }) => deletions.get(rowId) ?? [])
      const deleted = gone.length > 0 ? await provider.deleted(collection, gone) : []
      for (const { publicId } of unreadable) setView(`${collection} ${publicId}`, null)
      for (const document of readable.values()) setView(`${collection} ${document.$id}`, document)
      for (const document of deleted) setView(`${collection} ${document.$id}`, document, true)
    }
  }

  return {
    async add(changes: readonly DocumentChange[]): Promise<boolean> {
      for (const [collection, ofCollection] of Map.groupBy(changes, (change) => change.collection)) {
        await loadViews(collection, ofCollection)
        if (bytes > maxBytes) return false
      }
      for (const change of changes) {
        const key = `${change.collection} ${change.publicId}`
        const view = views.get(key)
        if (view && (change.kind === 'delete' || !view.isDeleted)) found.push({ change, key })
      }
      return found.length <= maxChanges
    },
    /** Returns one change per row, in the place of the row's first change. */
    changes: (): CatchUpResult['changes'] =>
      [...Map.groupBy(found, ({ key }) => key)].flatMap(([key, ofRow]) => {
        const view = views.get(key)
        const [first] = ofRow
        if (!view || !first) return []
        const created = ofRow.some(({ change }) => change.kind === 'create')
        const kind = view.isDeleted ? 'delete' : created ? 'create' : 'update'
        return [{ collection: first.change.collection, kind, document: view.document } as const]
      }),
  }
}

export function createMissedChangesLoader(
  { kysely: db }: Database,
  positions: PositionSeal,
  provider: MissedDocumentsProvider,
): MissedChangesLoader {
  /** A restored database has newer migrations and other transaction ids. */
  const isOfThisDatabase = async ({ at }: ChangeLogPosition) => {
    const { rows } = await sql<{ born: Date }>`select min(applied_at) as born from migrations`.execute(db)
    return rows[0] !== undefined && at >= rows[0].born.getTime()
  }

  const startAnew = async (resync: boolean): Promise<CatchUpResult> => ({
    changes: [],
    position: positions.seal((await readChangeLogStart(db)).position),
    resync,
  })

  return async (me, since, among) => {
    if (since === null) return startAnew(false)
    const from =
      typeof since === 'string'
        ? positions.open(since)
        : await findChangeLogPositionSecondsAgo(db, since.ago + commitDelaySeconds)
    if (from === null) return startAnew(true)
    const asMe = memberKeyParameter(me)
    const received = sql`(case c.kind when 'delete' then ${mayLearnOfDeletion(asMe, sql.ref('c.collection'), sql.ref('c.state'))}
      when 'update' then ${mayLearnOfUpdate(asMe, sql.ref('c.state'))} else true end
      and (c.kind = 'delete' or ${mayLearnOfProfileChange(asMe, sql.ref('c.collection'), sql.ref('c.row_id'))}))`
    const of = sql`c.collection = any(${among}::text[]) and ${received}`
    const which = [
      { where: sql`${of} and c.member_ids @> array[${me}]::bigint[]` },
      // Changes from before the member joined the group are not readable.
      {
        where: sql`${of} and c.group_id in ${selectJoinedGroupKeys(memberKeyParameter(me), sql.ref('c.created_at'))}`,
      },
      {
        forEach: among,
        where: sql`c.collection = one.value and num_nonnulls(c.member_ids, c.group_id, c.account_id) = 0 and ${received}`,
      },
    ]
    /** The outbox may return a change with members and a group twice. */
    const select = async (xid: bigint, afterId?: number) => {
      const read = await selectChangesSince(db, xid, which, changesPerStatement, afterId)
      const byId = new Map(read.changes.filter(isDocumentChange).map((change) => [change.id, change]))
      const last = read.changes.length > changesPerStatement ? read.changes.at(-1) : undefined
      return { changes: [...byId.values()], position: read.position, last }
    }
    let { changes, position, last } = await select(from.xid)
    const lost = { changes: [], position: positions.seal(position), resync: true }
    if (!canCatchUpFrom(from, position) || !(await isOfThisDatabase(from))) return lost
    const answer = createAnswer(provider, me)
    const add = (some: readonly DocumentChange[]) => !some.some(isUnlistedLoss) && answer.add(some)
    // A limit on the number of statements would reveal how much others changed.
    while (await add(changes)) {
      if (!last) return { ...lost, changes: answer.changes(), resync: false }
      ;({ changes, last } = await select(last.xid, last.id))
    }
    return lost
  }
}
