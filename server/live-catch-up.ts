/** What one member missed, in one round: the changes she was a candidate of, as the documents stand now. */
import { sql } from 'kysely'
import type { CollectionName } from './collections.ts'
import type { Database } from './database/open.ts'
import {
  beginning,
  changesSince,
  type DocumentChange,
  isOfDocument,
  isRemembered,
  type Position,
  readPosition,
  writePosition,
} from './live-changes.ts'
import type { Document, Documents } from './live-delivery.ts'

/** Changes. Loading anew is cheaper for everybody beyond this. */
const most = 1000

export type Missed = {
  changes: { collection: CollectionName; kind: DocumentChange['kind']; document: Document }[]
  position: string
  resync: boolean
}

/**
 * @param since a position of ours; null asks for the present one alone
 * @returns undefined for a position that we never wrote
 */
export type CatchUp = (
  me: number,
  since: string | null,
  among: readonly CollectionName[],
) => Promise<Missed | undefined>

export function createCatchUp({ kysely: db }: Database, documents: Documents): CatchUp {
  /** Each document once, where it first changed, with the documents of a collection read together. */
  const told = async (me: number, found: readonly DocumentChange[]): Promise<Missed['changes']> => {
    const byRow = Map.groupBy(found, ({ collection, rowId }) => `${collection} ${rowId}`)
    const ends = [...byRow.values()].map((ofRow) => ({
      change: ofRow.at(-1) as DocumentChange,
      created: ofRow.some(({ kind }) => kind === 'create'),
    }))
    const readable = new Map<CollectionName, Map<string, Document>>()
    for (const [collection, ofCollection] of Map.groupBy(ends, ({ change }) => change.collection)) {
      const keys = ofCollection.map(({ change }) => change.rowId)
      readable.set(collection, await documents.readable(collection, keys, me))
    }
    const changes: Missed['changes'] = []
    for (const { change, created } of ends) {
      const { collection, publicId } = change
      const document = readable.get(collection)?.get(publicId)
      if (document) changes.push({ collection, kind: created ? 'create' : 'update', document })
      else if (change.kind === 'delete') {
        const deleted = await documents.of(change)({ member: me, accountId: '' })
        if (deleted) changes.push({ collection, kind: 'delete', document: deleted })
      }
    }
    return changes
  }

  /** A restore begins the migrations anew: what was said of the database before is not true of this one. */
  const isOfThisDatabase = async ({ at }: Position) => {
    const { rows } = await sql<{ born: Date }>`select min(applied_at) as born from migrations`.execute(db)
    return rows[0] !== undefined && at >= rows[0].born.getTime()
  }

  return async (me, since, among) => {
    if (since === null) {
      return { changes: [], position: writePosition((await beginning(db)).position), resync: false }
    }
    const from = readPosition(since)
    if (from === null) return undefined
    const of = sql`c.collection = any(${among}::text[])`
    const { changes, position } = await changesSince(
      db,
      from.xid,
      [
        sql`${of} and c.member_ids @> array[${me}]::bigint[]`,
        // What happened in a group before she was in it is not hers to catch up with (security reference R10).
        sql`${of} and c.group_id in (select m.group_id from group_members m
          where m.user_id = ${me} and m.created_at <= c.created_at)`,
        ...among.map(
          (name) => sql`c.collection = ${name} and num_nonnulls(c.member_ids, c.group_id, c.account_id) = 0`,
        ),
      ],
      most,
    )
    const resync = changes.length > most || !isRemembered(from, position) || !(await isOfThisDatabase(from))
    return {
      changes: resync ? [] : await told(me, changes.filter(isOfDocument)),
      position: writePosition(position),
      resync,
    }
  }
}
