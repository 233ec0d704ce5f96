/**
 * A member's uploads as a client asks for them, with the queries of documents (platform reference §9). They are her own:
 * the bucket is nobody's to look through (authorization row FI3).
 */
import { sql } from 'kysely'
import { type FileParts, piecesKept, type VisibleFile, visibleFiles } from '../files.ts'
import type { Me } from '../policy.ts'
import type { Member } from '../session.ts'
import { t } from './document-fields.ts'
import { type Listed, listKeys } from './listing.ts'
import { type Query, textUpTo } from './parameters.ts'
import { type Asked, readQueries } from './queries.ts'
import { type Caller, exact, integer, words } from './query-conditions.ts'
import { queryTexts, wantsTotal } from './query-parameters.ts'
import { badQuery } from './query-term.ts'

/** Of the files that she may read, those that she uploaded: which list it is, not who may see it. */
const hers = (me: Me) => sql<boolean>`t.owner_id = ${me} and t.state <> 'deleting'`

const files: Listed = {
  name: 'files',
  called: 'File',
  table: 'files',
  edited: true,
  fields: {
    name: { query: words(t('name')) },
    // An unfinished one has neither, which its model says with an empty text.
    signature: { query: exact(sql`coalesce(t.signature, '')`) },
    mimeType: { query: exact(sql`coalesce(t.mime_type, '')`) },
    sizeOriginal: { query: integer(sql`coalesce(t.size, t.announced_size)`) },
    chunksTotal: { query: integer(t('chunks_total')) },
    chunksUploaded: { query: integer(piecesKept('t')) },
  },
  listed: hers,
}

/** What `search` looks through: ids and names. */
const searched = words(sql`t.public_id || ' ' || t.name`)

/** A list as it is asked for. */
export type FilesAsked = Asked & { search: string | undefined; wantsTotal: boolean }

/** @throws Failure general_query_invalid, general_argument_invalid */
export function readFilesAsked(query: Query): FilesAsked {
  const asked = readQueries(queryTexts(query))
  if (asked.select) badQuery('Invalid query: select does not apply to files')
  return { ...asked, search: textUpTo(query, 'search', 256), wantsTotal: wantsTotal(query) }
}

/** @throws Failure general_query_invalid, general_cursor_not_found */
export async function listFiles(
  parts: FileParts,
  me: Member,
  asked: FilesAsked,
  her: Caller,
): Promise<{ total: number; files: VisibleFile[] }> {
  const db = parts.database.kysely
  const { keys, total } = await listKeys(db, narrowed(asked.search, her), asked, her, asked.wantsTotal)
  const rows = await visibleFiles(parts, me.id)
    .where(sql<boolean>`files.id = any(${keys}::bigint[])`)
    .execute()
  const byKey = new Map(rows.map((row) => [row.id, row]))
  return { total, files: keys.flatMap((key) => byKey.get(key) ?? []) }
}

/** Her files, or those with a term in their id or name. */
function narrowed(term: string | undefined, her: Caller): Listed {
  if (term === undefined) return files
  const found = searched.compare({ method: 'search', attribute: 'search', values: [term] }, her)
  return { ...files, listed: (me) => sql`${hers(me)} and ${found}` }
}
