/** Nobody can browse the whole bucket (authorization row FI3). */
import { sql } from 'kysely'
import type { AppContext } from '#server/app-context.ts'
import type { AuthenticatedMember } from '#server/auth/session.ts'
import {
  countUploadedChunksExpression,
  selectVisibleFiles,
  type VisibleFile,
} from '#server/files/stored-files.ts'
import type { MemberKeyExpression } from '#server/policy/index.ts'
import { documentRowColumn, type QueryableListDefinition } from '../documents/field-definitions.ts'
import { isSearch, selectDocumentPageKeys } from '../documents/list-documents.ts'
import { failInvalidQuery } from '../queries/invalid-query.ts'
import { type ParsedQueries, parseAppwriteQueries } from '../queries/parse-queries.ts'
import { extractQueryStrings, isListTotalRequested } from '../queries/queries-parameter.ts'
import {
  createQueryableExactText,
  createQueryableInteger,
  createQueryableText,
  type DocumentQueryCaller,
} from '../queries/queryable-attributes.ts'
import { type QueryStringParameters, readLimitedTextParameter } from '../query-parameters.ts'

const ownFiles = (me: MemberKeyExpression) => sql<boolean>`t.owner_id = ${me} and t.state <> 'deleting'`

const files: QueryableListDefinition = {
  name: 'files',
  singular: 'File',
  table: 'files',
  hasUpdatedAt: true,
  fields: {
    name: { query: createQueryableText(documentRowColumn('name'), documentRowColumn('name_folded')) },
    // An unfinished file has no signature or type.
    signature: { query: createQueryableExactText(sql`coalesce(t.signature, '')`) },
    mimeType: { query: createQueryableExactText(sql`coalesce(t.mime_type, '')`) },
    sizeOriginal: { query: createQueryableInteger(sql`coalesce(t.size, t.announced_size)`) },
    chunksTotal: { query: createQueryableInteger(documentRowColumn('chunks_total')) },
    chunksUploaded: { query: createQueryableInteger(countUploadedChunksExpression('t')) },
  },
  listFilter: ownFiles,
  // A cursor at another member's file would reveal where that file sorts.
  cursorFilter: ownFiles,
}

const searched = createQueryableText(
  sql`t.public_id || ' ' || t.name`,
  sql`lower(t.public_id) || ' ' || t.name_folded`,
)

export type FileListQuery = ParsedQueries & {
  search: string | undefined
  isSearch: boolean
  wantsTotal: boolean
}

export function readFileListQuery(query: QueryStringParameters): FileListQuery {
  const asked = parseAppwriteQueries(extractQueryStrings(query))
  if (asked.select) failInvalidQuery('Invalid query: select does not apply to files')
  const search = readLimitedTextParameter(query, 'search', 256)
  return {
    ...asked,
    search,
    isSearch: Boolean(search) || isSearch(files, asked),
    wantsTotal: isListTotalRequested(query),
  }
}

export async function listOwnFiles(
  context: AppContext,
  me: AuthenticatedMember,
  query: FileListQuery,
  caller: DocumentQueryCaller,
): Promise<{ total: number; files: VisibleFile[] }> {
  const { keys, total } = await context.lists(me.id, (db) =>
    selectDocumentPageKeys(db, withSearch(query.search, caller), query, caller, query.wantsTotal),
  )
  const rows = await selectVisibleFiles(context, me.id)
    .where(sql<boolean>`files.id = any(${keys}::bigint[])`)
    .execute()
  const byKey = new Map(rows.map((row) => [row.id, row]))
  return { total, files: keys.flatMap((key) => byKey.get(key) ?? []) }
}

function withSearch(term: string | undefined, caller: DocumentQueryCaller): QueryableListDefinition {
  if (term === undefined) return files
  const found = searched.compare({ method: 'search', attribute: 'search', values: [term] }, caller)
  return { ...files, listFilter: (me) => sql`${ownFiles(me)} and ${found}` }
}
