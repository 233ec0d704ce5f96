import { statfs } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import type { FileKind, InstanceOverview, InstanceQueues, InstanceStorage } from '#contract/admin/instance.ts'
import type { AppContext } from '../../app-context.ts'
import type { Config } from '../../config.ts'
import { formatIsoTimestamp } from '../../database/iso-timestamp.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { countSentEmails, readEmailQueueState } from '../../email/email-queue.ts'
import { hasOpenAccount } from '../../policy/index.ts'
import { describeVersion, findOtherVersionOnDisk, runningVersion } from '../../version.ts'

const startedAt = new Date(Date.now() - process.uptime() * 1000)
/** A daily backup may take long. */
const backupOverdueHours = 48
const largestAccountCount = 10

type Measured<T> = Omit<T, 'computedAt'>

export async function measureInstance({
  config,
  database,
}: Pick<AppContext, 'config' | 'database'>): Promise<Measured<InstanceOverview>> {
  const { rows } = await sql<{
    version: string
    bytes: number
    members: number
    nodes: number
  }>`
    select current_setting('server_version') as version, pg_database_size(current_database())::float8 as bytes,
      (select count(*)::int from users u where ${hasOpenAccount(sql.ref('u.id'))}) as members,
      (select count(*)::int from pg_stat_activity
        where application_name = 'juntas live' and datname = current_database()) as nodes`.execute(
    database.kysely,
  )
  const [row] = rows as [(typeof rows)[number]]
  const other = findOtherVersionOnDisk()
  return {
    ...runningVersion,
    onDisk: other && describeVersion(other),
    startedAt: formatIsoTimestamp(startedAt),
    nodes: countNodes(config, row.nodes),
    members: row.members,
    database: { version: row.version, embedded: config.databaseUrl === undefined, bytes: row.bytes },
    files: await measureFileStore(config),
    ...(await readLastBackup(database.kysely)),
  }
}

/**
 * @param listening the number of listening database connections: without Redis, it shows how many nodes run
 */
function countNodes({ databaseUrl, redisUrl }: Config, listening: number): number | null {
  if (databaseUrl === undefined) return 1
  return redisUrl || listening === 0 ? null : listening
}

async function measureFileStore({ s3, dataDir }: Config): Promise<InstanceOverview['files']> {
  if (s3) return { store: 's3', freeBytes: null }
  const { bavail, bsize } = await statfs(dataDir)
  return { store: 'disk', freeBytes: bavail * bsize }
}

async function readLastBackup(
  db: Kysely<DatabaseTables>,
): Promise<Pick<InstanceOverview, 'lastBackup' | 'backupIsOverdue'>> {
  const last = await db
    .selectFrom('backups')
    .selectAll()
    .orderBy('finished_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!last) return { lastBackup: null, backupIsOverdue: true }
  const { finished_at, rows, files, bytes, encrypted, verified } = last
  return {
    lastBackup: { finishedAt: formatIsoTimestamp(finished_at), rows, files, bytes, encrypted, verified },
    backupIsOverdue: Date.now() - finished_at.getTime() > backupOverdueHours * 3_600_000,
  }
}

/** The sizes of variants are not recorded, because variants can be created again. */
export async function measureStorage(db: Kysely<DatabaseTables>): Promise<Measured<InstanceStorage>> {
  const { rows: kinds } = await sql<{ kind: FileKind; files: number; bytes: number }>`
    select case
        when f.state = 'attached' then f.purpose
        when f.state in ('uploading', 'ready') then 'unused'
        when exists (select from evidence e where e.file_id = f.id) then 'evidence'
        else 'deleted' end as kind,
      count(*)::int as files, coalesce(sum(coalesce(f.size, f.announced_size)), 0)::float8 as bytes
    from files f group by 1 order by bytes desc, kind`.execute(db)
  const { rows: accounts } = await sql<InstanceStorage['accounts'][number]>`
    select u.public_id as "$id", u.name, u.username, held.files, held.bytes from (
      select owner_id, count(*)::int as files, sum(size)::float8 as bytes from files
      where state in ('ready', 'attached') group by owner_id order by bytes desc, owner_id limit ${largestAccountCount}
    ) held join users u on u.id = held.owner_id join accounts a on a.id = u.account_id
    where a.erased_at is null order by held.bytes desc, held.owner_id`.execute(db)
  const { rows: exports } = await sql<{ files: number; bytes: number }>`
    select count(*)::int as files, coalesce(sum(bytes), 0)::float8 as bytes from exports where state = 'ready'`.execute(
    db,
  )
  return { kinds, accounts, exports: exports[0] ?? { files: 0, bytes: 0 } }
}

export async function readQueues({
  database,
  images,
  live,
  notifications,
}: Pick<AppContext, 'database' | 'images' | 'live' | 'notifications'>): Promise<InstanceQueues> {
  const db = database.kysely
  const { rows } = await sql<{ waiting: number; erasing: number; gathering: number; failed: number }>`
    select (select count(*)::int from deletions where state = 'waiting') as waiting,
      (select count(*)::int from deletions where state = 'erasing') as erasing,
      (select count(*)::int from exports where state = 'gathering') as gathering,
      (select count(*)::int from exports where state = 'failed') as failed`.execute(db)
  const [{ waiting, erasing, gathering, failed }] = rows as [(typeof rows)[number]]
  return {
    emails: {
      ...(await readEmailQueueState(db)),
      sentToday: await countSentEmails(db, 1),
      sentThisWeek: await countSentEmails(db, 7),
    },
    images: images.waiting(),
    liveBehind: live.state().behind,
    notificationsBehind: notifications.behind(),
    deletions: { waiting, erasing },
    exports: { gathering, failed },
  }
}
