/**
 * Where benches run: one PostgreSQL with a database for each size of community, kept between runs because a large one
 * takes minutes to load. It is the product's own embedded one, in .cache/bench, or the server of BENCH_DATABASE_URL.
 */
import { join } from 'node:path'
import { Client } from 'pg'
import { startEmbedded } from '#server/database/embedded.ts'
import { migrate } from '#server/database/migrate.ts'
import { connect } from '#server/database/open.ts'
import { createLog } from '#server/log.ts'
import { beginSession } from '#server/session.ts'
import { cacheFolder } from '../scripts/tools.ts'
import { fingerprint, idOf, type Size } from './community.ts'
import { fill } from './data.ts'

export type Stage = {
  /** URL of a community of that size, loaded when it is not there yet. For reading only: it is kept. */
  community(size: Size): Promise<string>
  /** URL of a copy of it that may be written to; it is gone when the stage closes. */
  copyOf(size: Size): Promise<string>
  close(): Promise<void>
}

const log = createLog('warn')

/** What a small one is like tells whether a community that was kept is what this program would make. */
const maker = fingerprint({ members: 50, posts: 500 })

export async function openStage(): Promise<Stage> {
  const external = process.env.BENCH_DATABASE_URL
  const embedded = external ? null : await startEmbedded({ dataDir: join(cacheFolder, 'bench'), log })
  const server = external ?? embedded?.url ?? ''
  const copies: string[] = []

  const loaded = async (size: Size): Promise<string> => {
    const name = `bench_${size.members}_${size.posts}`
    const url = withName(server, name)
    const [found] = await query<{ comment: string | null }>(
      server,
      `select shobj_description(oid, 'pg_database') as comment from pg_database where datname = $1`,
      [name],
    )
    if (found?.comment !== maker) {
      console.error(`Loading ${told(size)} (once) …`)
      await query(server, `drop database if exists ${name} with (force)`)
      await query(server, `create database ${name}`)
      await migrate(url, log)
      await fill(url, size)
      await query(server, `comment on database ${name} is '${maker}'`)
    } else await migrate(url, log)
    return name
  }

  return {
    community: async (size) => withName(server, await loaded(size)),
    async copyOf(size) {
      const template = await loaded(size)
      const name = `${template}_copy_${process.pid}_${copies.length}`
      await query(server, `create database ${name} template ${template}`)
      copies.push(name)
      return withName(server, name)
    },
    async close() {
      // Not by force: that would ask for the right to end an autovacuum, which leaves by itself.
      for (const name of copies) await query(server, `drop database ${name}`)
      await embedded?.stop()
    },
  }
}

export const told = ({ members, posts }: Size): string =>
  `${members.toLocaleString('en')} members, ${posts.toLocaleString('en')} posts`

/** Signs a member of the community in. @returns her cookie */
export async function signIn(url: string, member: number): Promise<string> {
  const database = connect({ url, log })
  const account = { id: member, publicId: idOf.account(member) }
  const how = { provider: 'email', ip: '127.0.0.1', userAgent: 'bench' }
  const { token } = await beginSession(database.kysely, account, how)
  await database.close()
  return `a_session_juntas=${encodeURIComponent(token)}`
}

export async function query<Row extends object>(
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
