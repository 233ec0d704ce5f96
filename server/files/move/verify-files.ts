import type { Client } from 'pg'
import { type BlobStore, isBlobGone } from '#server/blobs/blob-store.ts'
import { forEachConcurrently, hashBlob, type Pace } from './copy-stored-files.ts'

/** `some` has the public ids of the first missing or wrong files. */
export type VerifiedFiles = { files: number; bytes: number; missing: number; wrong: number; some: string[] }

type FileRow = { id: string; public_id: string; storage_key: string; sha256: Buffer; size: string }
type Problem = 'missing' | 'wrong'

const pageFiles = 200
const maxNamed = 20
const isKept = `(state in ('ready', 'attached') or (state = 'deleting'
  and exists (select from evidence held where held.file_id = files.id)))`

/**
 * @param options.after skips files up to this id
 * @param options.onPage receives each page's last id and the result so far
 * @param options.repair is called with missing and wrong keys, before they are hashed again
 */
export async function verifyFiles(
  { db, store, pace }: { db: Client; store: BlobStore; pace: Pace },
  options: {
    after?: string
    onPage?(lastId: string, verified: VerifiedFiles): Promise<void>
    repair?(keys: string[]): Promise<void>
  } = {},
): Promise<VerifiedFiles> {
  const verified: VerifiedFiles = { files: 0, bytes: 0, missing: 0, wrong: 0, some: [] }
  for (let after = options.after ?? '0'; ; ) {
    const { rows } = await db.query<FileRow>(
      `select id, public_id, storage_key, sha256, size from files where id > $1 and ${isKept} order by id limit $2`,
      [after, pageFiles],
    )
    const last = rows.at(-1)
    if (!last) return verified
    let problems = await findProblems(store, rows, pace)
    if (problems.size > 0 && options.repair) {
      const failed = [...problems.keys()]
      await options.repair(failed.map(({ storage_key }) => storage_key))
      problems = await findProblems(store, failed, pace)
    }
    for (const row of rows) {
      const problem = problems.get(row)
      if (!problem || !(await isStillKept(db, row.id))) continue
      verified[problem] += 1
      if (verified.some.length < maxNamed) verified.some.push(row.public_id)
    }
    verified.files += rows.length
    verified.bytes += rows.reduce((sum, { size }) => sum + Number(size), 0)
    await options.onPage?.(last.id, verified)
    after = last.id
  }
}

async function findProblems(
  store: BlobStore,
  rows: readonly FileRow[],
  pace: Pace,
): Promise<Map<FileRow, Problem>> {
  const found = new Map<FileRow, Problem>()
  await forEachConcurrently(rows, async (row) => {
    await pace(Number(row.size))
    const digest = await hashBlob(store, row.storage_key, 'original').catch(nullIfGone)
    if (!digest) found.set(row, 'missing')
    else if (!digest.equals(row.sha256)) found.set(row, 'wrong')
  })
  return found
}

/** Returns null if the blob was deleted between opening and reading. */
function nullIfGone(error: unknown): null {
  if (isBlobGone(error)) return null
  throw error
}

async function isStillKept(db: Client, id: string): Promise<boolean> {
  const { rowCount } = await db.query(`select from files where id = $1 and ${isKept}`, [id])
  return rowCount === 1
}
