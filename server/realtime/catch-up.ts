/** Returns the changes that a member missed, in one request. Each row has its current content. */
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
  readChangeLogStart,
  selectChangesSince,
} from '../store/change-log-reader.ts'
import type { RealtimeDocument } from './fan-out.ts'
import type { PositionSeal } from './position-seal.ts'

/** If there are more changes, reloading is cheaper for the client. */
const maxChanges = 1000
/** The size of an answer. Long messages alone could make up 12 MB. */
const maxBytes = 1_000_000
/** How many rows are loaded before their bytes are counted. */
const rowsPerStatement = 200

/** The longest time between writing a change and committing it, because no statement runs longer. */
const commitDelaySeconds = 10

/** Loads missed rows in the form that live changes have. */
export type MissedDocumentsProvider = {
  /** Returns the rows that the member can read, by public id. */
  readable(
    collection: CollectionName,
    keys: readonly number[],
    me: number,
  ): Promise<ReadonlyMap<string, RealtimeDocument>>
  /** Returns tombstones of deleted rows. */
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
 * @param since a position from an earlier answer, or a number of seconds ago; null returns only the current position
 * @returns `resync` for a position of another instance
 */
export type MissedChangesLoader = (
  me: number,
  since: string | { ago: number } | null,
  among: readonly CollectionName[],
) => Promise<CatchUpResult>

export function createMissedChangesLoader(
  { kysely: db }: Database,
  positions: PositionSeal,
  provider: MissedDocumentsProvider,
): MissedChangesLoader {
  /**
   * Keeps one change per row, at the position of the row's first change.
   * @returns null if there are more than an answer may have
   */
  const summarize = async (
    me: number,
    found: readonly DocumentChange[],
  ): Promise<CatchUpResult['changes'] | null> => {
    const byRow = Map.groupBy(found, ({ collection, rowId }) => `${collection} ${rowId}`)
    const ends = [...byRow.values()].map((ofRow) => ({
      change: ofRow.at(-1) as DocumentChange,
      created: ofRow.some(({ kind }) => kind === 'create'),
    }))
    const views = await loadViews(
      me,
      ends.map(({ change }) => change),
    )
    return (
      views &&
      ends.flatMap(({ change: { collection, publicId }, created }) => {
        const view = views.get(`${collection} ${publicId}`)
        if (!view) return []
        const kind = view.isDeleted ? 'delete' : created ? 'create' : 'update'
        return [{ collection, kind, document: view.document } as const]
      })
    )
  }

  /**
   * Loads the changed rows that the member can read, and the tombstones.
   * @returns them by collection and public id, or null beyond `maxBytes`
   */
  const loadViews = async (me: number, changes: readonly DocumentChange[]) => {
    const views = new Map<string, { document: RealtimeDocument; isDeleted: boolean }>()
    let bytes = 0
    for (const [collection, ofCollection] of Map.groupBy(changes, (change) => change.collection)) {
      for (let from = 0; from < ofCollection.length; from += rowsPerStatement) {
        const some = ofCollection.slice(from, from + rowsPerStatement)
        const keys = some.map(({ rowId }) => rowId)
        const readable = await provider.readable(collection, keys, me)
        const gone = some.filter(({ kind, publicId }) => kind === 'delete' && !readable.has(publicId))
        const deleted = gone.length > 0 ? await provider.deleted(collection, gone) : []
        for (const document of readable.values())
          views.set(`${collection} ${document.$id}`, { document, isDeleted: false })
        for (const document of deleted)
          views.set(`${collection} ${document.$id}`, { document, isDeleted: true })
        bytes += Buffer.byteLength(JSON.stringify([...readable.values(), ...deleted]))
        if (bytes > maxBytes) return null
      }
    }
    return views
  }

  /** Whether this database issued the position. A restored database has newer migrations and other transaction ids. */
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
    const heard = sql`(case c.kind when 'delete' then ${mayLearnOfDeletion(asMe, sql.ref('c.collection'), sql.ref('c.state'))}
      when 'update' then ${mayLearnOfUpdate(asMe, sql.ref('c.state'))} else true end
      and (c.kind = 'delete' or ${mayLearnOfProfileChange(asMe, sql.ref('c.collection'), sql.ref('c.row_id'))}))`
    const of = sql`c.collection = any(${among}::text[]) and ${heard}`
    const { changes, position } = await selectChangesSince(
      db,
      from.xid,
      [
        { where: sql`${of} and c.member_ids @> array[${me}]::bigint[]` },
        // A member cannot read changes from before they joined the group.
        {
          where: sql`${of} and c.group_id in ${selectJoinedGroupKeys(memberKeyParameter(me), sql.ref('c.created_at'))}`,
        },
        {
          forEach: among,
          where: sql`c.collection = one.value and num_nonnulls(c.member_ids, c.group_id, c.account_id) = 0 and ${heard}`,
        },
      ],
      maxChanges,
    )
    const lost =
      changes.length > maxChanges || !canCatchUpFrom(from, position) || !(await isOfThisDatabase(from))
    const missed = lost ? null : await summarize(me, changes.filter(isDocumentChange))
    return { changes: missed ?? [], position: positions.seal(position), resync: missed === null }
  }
}
