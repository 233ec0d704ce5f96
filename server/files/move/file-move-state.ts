import type { Client } from 'pg'
import type { BlobPlace } from '#server/blobs/open-blob-store.ts'
import { StartupError } from '#server/startup-error.ts'

/** The move that is not finished, or the last one. */
export type FileMoveState = {
  target: BlobPlace
  copied_key: string
  in_flight: string[]
  files: number
  bytes: number
  copied_at: Date | null
  verified_id: string
  verified_at: Date | null
  ended_at: Date | null
}

/**
 * The connection holds the lock while `work` runs.
 * @throws StartupError if another command moves files
 */
export async function withFileMoveLock<T>(db: Client, work: () => Promise<T>): Promise<T> {
  const { rows } = await db.query<{ mine: boolean }>(
    `select pg_try_advisory_lock(hashtext('move files')) as mine`,
  )
  if (!rows[0]?.mine)
    throw new StartupError('Another command is moving files at the moment: wait until it has ended.')
  try {
    return await work()
  } finally {
    await db.query(`select pg_advisory_unlock(hashtext('move files'))`).catch(() => {})
  }
}

export async function readFileMove(db: Pick<Client, 'query'>): Promise<FileMoveState | null> {
  const { rows } = await db.query<FileMoveState>(
    `select target, copied_key, in_flight, files::float8 as files, bytes::float8 as bytes, copied_at, verified_id, verified_at, ended_at
     from file_move`,
  )
  return rows[0] ?? null
}

/** Continues an unfinished move. Call this only when no key is in flight. */
export async function beginFileMove(db: Client, target: BlobPlace): Promise<FileMoveState> {
  await db.query(
    `insert into file_move (target) values ($1) on conflict (only_row) do update set
       target = excluded.target, copied_key = '', in_flight = '{}', files = 0, bytes = 0,
       started_at = clock_timestamp(), copied_at = null, verified_id = 0, verified_at = null, ended_at = null
     where file_move.target <> excluded.target or file_move.verified_at is not null`,
    [target],
  )
  return (await readFileMove(db)) as FileMoveState
}

export async function updateFileMove(
  db: Client,
  changes: Partial<Omit<FileMoveState, 'target'>>,
): Promise<void> {
  const columns = Object.keys(changes)
  await db.query(
    `update file_move set ${columns.map((column, index) => `${column} = $${index + 1}`).join(', ')}`,
    Object.values(changes),
  )
}
