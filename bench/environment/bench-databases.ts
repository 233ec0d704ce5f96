/**
 * Keeps one database per data set size, because large ones take minutes to load. BENCH_DATABASE_URL names the server;
 * otherwise an embedded one runs in .cache/bench.
 */
import { join } from 'node:path'
import { Client } from 'pg'
import { toolCacheFolder } from '#scripts/run-tool.ts'
import { createSession } from '#server/auth/session.ts'
import { startEmbeddedPostgres } from '#server/database/embedded-postgres.ts'
import { migrate } from '#server/database/migrate.ts'
import { connectToDatabase } from '#server/database/open-database.ts'
import { createServerLogger } from '#server/log.ts'
import { type DatasetSize, datasetFingerprint, publicIdBuilders } from './generate-dataset.ts'
import { loadDataset } from './load-dataset.ts'

/** Disposal drops the copies and stops the embedded PostgreSQL. */
export type BenchDatabasePool = AsyncDisposable & {
  /** Loads the data set if necessary. Do not write to the database, because it is kept. */
  dataset(size: DatasetSize): Promise<string>
  copyOf(size: DatasetSize): Promise<string>
}

const log = createServerLogger('warn')

/** A database with another fingerprint is outdated. */
const maker = datasetFingerprint({ members: 50, posts: 500 })

export async function openBenchDatabasePool(): Promise<BenchDatabasePool> {
  const opened = new AsyncDisposableStack()
  let server = process.env.BENCH_DATABASE_URL ?? ''
  if (server === '') {
    const embedded = await startEmbeddedPostgres({ dataDir: join(toolCacheFolder, 'bench'), log })
    opened.defer(() => embedded.stop())
    server = embedded.url
  }
  let copies = 0

  const loaded = async (size: DatasetSize): Promise<string> => {
    const name = `bench_${size.members}_${size.posts}`
    const url = withName(server, name)
    const [found] = await queryBenchDatabase<{ comment: string | null }>(
      server,
      `select shobj_description(oid, 'pg_database') as comment from pg_database where datname = $1`,
      [name],
    )
    if (found?.comment !== maker) {
      console.error(`Loading ${formatDatasetSize(size)} (once) …`)
      await queryBenchDatabase(server, `drop database if exists ${name} with (force)`)
      await queryBenchDatabase(server, `create database ${name}`)
      await migrate(url, log)
      await loadDataset(url, size)
      await queryBenchDatabase(server, `comment on database ${name} is '${maker}'`)
    } else await migrate(url, log)
    return name
  }

  return {
    dataset: async (size) => withName(server, await loaded(size)),
    async copyOf(size) {
      const template = await loaded(size)
      const name = `${template}_copy_${process.pid}_${copies}`
      copies += 1
      await queryBenchDatabase(server, `create database ${name} template ${template}`)
      // `force` needs rights over autovacuum, which ends by itself.
      opened.defer(async () => void (await queryBenchDatabase(server, `drop database ${name}`)))
      return withName(server, name)
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

export const formatDatasetSize = ({ members, posts }: DatasetSize): string =>
  `${members.toLocaleString('en')} members, ${posts.toLocaleString('en')} posts`

export async function createBenchSessionCookie(url: string, member: number): Promise<string> {
  const database = connectToDatabase({ url, log })
  const account = { id: member, publicId: publicIdBuilders.account(member) }
  const how = { provider: 'email', ip: '127.0.0.1', userAgent: 'bench' }
  const { token } = await createSession(database.kysely, account, how)
  await database.close()
  return `a_session_juntas=${encodeURIComponent(token)}`
}

export async function queryBenchDatabase<Row extends object>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text, values)).rows
  } finally {
    await client.end()
  }
}

function withName(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}
