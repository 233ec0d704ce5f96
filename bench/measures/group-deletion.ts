/**
 * Goal P28: deleting 120,000 posts. The admin waits for the response, others for reads until the group is cleared.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { startServer } from '#scripts/harness/server-process.ts'
import { queryBenchDatabase } from '../environment/bench-databases.ts'
import { createBenchSessions } from '../environment/create-bench-sessions.ts'
import type { DatasetSize } from '../environment/generate-dataset.ts'
import { sendRequestWithCookie } from '../environment/like-load.ts'
import { loadDataset } from '../environment/load-dataset.ts'
import { type BenchmarkDefinition, type BenchmarkResult, quantile } from '../report/results.ts'

const size: DatasetSize = { members: 2_000, posts: Number(process.env.BENCH_GROUP_POSTS ?? 120_000) + 1_000 }
const postsOutside = 1_000
const readerPauseMs = 20
/** Milliseconds. A statement may run that much longer than a sample shows. */
const lookEveryMs = 5

export const groupDeletionBenchmark: BenchmarkDefinition = {
  goals: ['P28'],
  async run() {
    await using server = await startServer({ by: 'built', env: { LIMITS: 'off' } })
    const databaseUrl = server.databaseUrl()
    await loadDataset(databaseUrl, size)
    const group = await fillGroup(databaseUrl)
    if (!group) throw new Error('there is no group')
    const readerKey = group.admin === 1 ? 2 : 1
    const [admin = '', reader = ''] = await createBenchSessions(databaseUrl, [group.admin, readerKey])

    const home = () => sendRequestWithCookie(`${server.url}/v1/feed`, 'GET', reader)
    const before = await readWhile(home, () => pause(10_000))
    await using statements = await watchStatements(databaseUrl)
    let answered = 0
    let hidden = false
    const began = performance.now()
    const during = await readWhile(home, async () => {
      answered = await timed(() => deleteGroup(server.url, admin, group))
      const [gone] = await queryBenchDatabase<{ post: string; author: number }>(
        databaseUrl,
        'select public_id as post, creator_id::int as author from posts where group_id = $1 limit 1',
        [group.key],
      )
      if (gone) {
        const [author = ''] = await createBenchSessions(databaseUrl, [gone.author])
        hidden = await isUnknown(`${server.url}/v1/posts/${gone.post}`, author)
      }
      while ((await queryBenchDatabase(databaseUrl, 'select from deleted_groups')).length > 0)
        await pause(250)
    })
    const seconds = (performance.now() - began) / 1000
    const finding = (
      what: string,
      figure: string,
      target: string,
      met: boolean | null,
      spread?: string,
    ): BenchmarkResult => ({ ...{ goal: 'P28', what, figure, spread, target, met } })
    return [
      finding(
        `deleting a group of ${group.posts.toLocaleString('en')} posts and ${group.members} members: until it is answered`,
        `${answered.toFixed(0)} ms`,
        '≤ 1,000 ms',
        answered <= 1000,
      ),
      finding(
        'one of its posts, requested by its author after the answer while the row exists',
        hidden ? '404' : 'there',
        '404',
        hidden,
      ),
      finding(
        'the longest statement until nothing is left',
        `${statements.longest().toFixed(0)} ms`,
        '≤ 200 ms',
        statements.longest() <= 200,
        `looked every ${lookEveryMs} ms; nothing is left after ${seconds.toFixed(0)} s`,
      ),
      finding(
        'home of another member meanwhile, p99 ÷ before',
        `${(quantile(during, 0.99) / quantile(before, 0.99)).toFixed(2)} (${quantile(during, 0.99).toFixed(0)} ms beside ${quantile(before, 0.99).toFixed(0)} ms)`,
        'reported',
        null,
        `p50 ${quantile(during, 0.5).toFixed(1)} ms beside ${quantile(before, 0.5).toFixed(1)} ms; slowest ${Math.max(...during).toFixed(0)} ms`,
      ),
    ]
  },
}

type BenchGroup = { key: number; id: string; name: string; admin: number; posts: number; members: number }

/** Fills the group without triggers, which would take minutes. */
async function fillGroup(url: string): Promise<BenchGroup | undefined> {
  const tables = ['posts', 'group_members']
  await queryBenchDatabase(
    url,
    `${tables.map((table) => `alter table ${table} disable trigger user;`).join('')}
     insert into group_members (public_id, group_id, user_id) select 'membership' || id, 1, id from users on conflict do nothing;
     update groups set member_count = (select count(*) from users) where id = 1;
     update posts set group_id = 1, followers_only = false where id > ${postsOutside};
     update post_topics set group_id = 1, followers_only = false where post_id > ${postsOutside};
     update users u set post_count = (select count(*) from posts p where p.creator_id = u.id and p.group_id is null);
     ${tables.map((table) => `alter table ${table} enable trigger user;`).join('')}`,
  )
  await queryBenchDatabase(url, 'vacuum analyze')
  const [group] = await queryBenchDatabase<BenchGroup>(
    url,
    `select g.id::int as key, g.public_id as id, g.name, g.admin_id::int as admin, g.member_count as members,
       (select count(*)::int from posts p where p.group_id = g.id) as posts from groups g where g.id = 1`,
  )
  return group
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** @returns the times in milliseconds of reads while `work` runs */
async function readWhile(read: () => Promise<void>, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  let done = false
  const working = work().finally(() => {
    done = true
  })
  while (!done) {
    times.push(await timed(read))
    await pause(readerPauseMs)
  }
  await working
  return times
}

async function deleteGroup(url: string, cookie: string, { id, name }: BenchGroup): Promise<void> {
  const answer = await fetch(`${url}/v1/groups/${id}`, {
    method: 'DELETE',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })
  if (!answer.ok) throw new Error(`deleting the group answered ${answer.status}: ${await answer.text()}`)
}

const isUnknown = async (url: string, cookie: string): Promise<boolean> =>
  (await fetch(url, { headers: { cookie } })).status === 404

async function watchStatements(url: string): Promise<AsyncDisposable & { longest(): number }> {
  const client = new Client({ connectionString: url })
  await client.connect()
  let longest = 0
  let closed = false
  const watching = (async () => {
    while (!closed) {
      const { rows } = await client.query<{ ms: number }>(
        `select coalesce(max(extract(epoch from clock_timestamp() - query_start) * 1000), 0)::float8 as ms from pg_stat_activity
         where state = 'active' and datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
      )
      longest = Math.max(longest, rows[0]?.ms ?? 0)
      await pause(lookEveryMs)
    }
  })()
  return {
    longest: () => longest,
    async [Symbol.asyncDispose]() {
      closed = true
      await watching
      await client.end()
    },
  }
}
