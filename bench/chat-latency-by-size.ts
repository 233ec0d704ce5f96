/**
 * `node bench/chat-latency-by-size.ts` compares conversations of a million and a thousand messages, ten thousand
 * conversations and one, and three ages of 500 missed messages.
 */
import { Agent, request } from 'node:http'
import { Client } from 'pg'
import type { Message } from '#contract/chat/messages.ts'
import type { OperationOutput } from '#contract/operation.ts'
import type { catchUpOperation } from '#contract/realtime/realtime.ts'
import { startServer } from '#scripts/harness/server-process.ts'
import { type BenchChatMember, createBenchChatMembers } from './environment/create-chat-members.ts'
import { median } from './report/results.ts'

const short = 1000
const long = Number(process.env.BENCH_MESSAGES ?? 1_000_000)
const many = Number(process.env.BENCH_CONVERSATIONS ?? 10_000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 200)
const missed = 500

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const server = await startServer({ env: { LIMITS: 'off', LOG_LEVEL: 'error' } })
const client = new Client({ connectionString: server.databaseUrl() })
await client.connect()
try {
  await run()
} finally {
  await client.end()
  await server.stop()
}

async function run(): Promise<void> {
  const talkers = await createBenchChatMembers(server.databaseUrl(), many + 6)
  const [ana, , bea, , eva] = talkers as [
    BenchChatMember,
    BenchChatMember,
    BenchChatMember,
    BenchChatMember,
    BenchChatMember,
  ]
  await fill(ana.conversation, short)
  await fill(bea.conversation, long)
  console.log(`| p50 of | ${short} messages | ${long} messages | ratio |`)
  console.log('|---|---|---|---|')
  await compare('opening a conversation', ana, bea, (talker) => () => get(talker, page(talker)))
  await compare('a page, going back up to 100 pages', ana, bea, pagingBack)
  await compare('the unread count', ana, bea, (talker) => () => get(talker, '/v1/me/unread-conversations'))

  await crowd(eva)
  console.log(`\n| p50 of | one conversation | ${many} conversations | ratio |`)
  console.log('|---|---|---|---|')
  await compare('the list of conversations', ana, eva, (talker) => () => get(talker, '/v1/conversations'))
  await compare('the unread count', ana, eva, (talker) => () => get(talker, '/v1/me/unread-conversations'))
  await compare('opening a conversation', ana, eva, (talker) => () => get(talker, page(talker)))

  console.log('\n| away for | requests | messages sent live | p50 |')
  console.log('|---|---|---|---|')
  await catchingUp('1 s', ana, 1)
  await catchingUp('10 min', ana, 600)
  await catchingUp('3 days', ana, 3 * 24 * 3600)
}

function page({ conversation }: BenchChatMember, before = ''): string {
  return `/v1/conversations/${conversation}/messages${before && `?before=${before}`}`
}

/** Each call reads the previous page. After a hundred pages, or at the oldest message, starts again. */
function pagingBack(talker: BenchChatMember): () => Promise<unknown> {
  let before = ''
  let pages = 0
  return async () => {
    const { documents, more } = await get<{ documents: Message[]; more: boolean }>(
      talker,
      page(talker, before),
    )
    pages += 1
    before = more && pages % 100 !== 0 ? (documents.at(-1)?.$id ?? '') : ''
  }
}

/** Alternates between both sides, so other load affects them equally. */
async function compare(
  what: string,
  small: BenchChatMember,
  large: BenchChatMember,
  asking: (talker: BenchChatMember) => () => Promise<unknown>,
) {
  const [ofSmall, ofLarge] = [asking(small), asking(large)]
  const times: [small: number[], large: number[]] = [[], []]
  for (let round = -20; round < rounds; round += 1) {
    const taken = [await timed(ofSmall), await timed(ofLarge)]
    if (round >= 0) for (const [side, time] of taken.entries()) times[side]?.push(time)
  }
  const [one, other] = [median(times[0]), median(times[1])]
  console.log(`| ${what} | ${one.toFixed(2)} ms | ${other.toFixed(2)} ms | ${(other / one).toFixed(2)} |`)
}

async function catchingUp(away: string, ana: BenchChatMember, seconds: number): Promise<void> {
  await client.query('truncate changes')
  // The server refuses positions from before the database's creation.
  await client.query(`update migrations set applied_at = now() - interval '30 days'`)
  const { position } = await get<{ position: string }>(ana, '/v1/live/changes')
  await client.query(
    `with sent as (
       insert into messages (public_id, conversation_id, sender_id, content)
       select 'away' || $2::int || 'n' || n, c.id, c.high_id, 'Missed ' || n
       from conversations c, generate_series(1, $3::int) n where c.public_id = $1
       returning id, public_id, conversation_id)
     insert into changes (collection, kind, row_id, public_id, member_ids, created_at)
     select 'messages', 'create', s.id, s.public_id, array[c.low_id, c.high_id], now() - make_interval(secs => $2::int)
     from sent s join conversations c on c.id = s.conversation_id order by s.id`,
    [ana.conversation, seconds, missed],
  )
  await client.query('analyze changes')
  const [xid, at = ''] = position.split('.')
  const since = `${xid}.${(Number.parseInt(at, 36) - seconds * 1000).toString(36)}`
  const times: number[] = []
  let delivered = 0
  for (let round = -5; round < rounds / 4; round += 1) {
    const began = performance.now()
    const missed = await get<OperationOutput<typeof catchUpOperation>>(ana, `/v1/live/changes?since=${since}`)
    if (round >= 0) times.push(performance.now() - began)
    if (missed.resync) throw new Error('catching up asked for a full reload')
    delivered = missed.changes.filter(({ collection }) => collection === 'messages').length
  }
  console.log(`| ${away} | 1 | ${delivered} | ${median(times).toFixed(1)} ms |`)
}

async function fill(conversation: string, count: number): Promise<void> {
  await withoutTriggers(
    `insert into messages (public_id, conversation_id, sender_id, content, created_at)
     select c.public_id || 'm' || n, c.id, case n % 2 when 0 then c.low_id else c.high_id end, 'Message number ' || n,
       now() - make_interval(secs => $2::int - n)
     from conversations c, generate_series(1, $2::int) n where c.public_id = $1 order by n`,
    [conversation, count],
  )
}

/** An unread conversation with every other member. */
async function crowd({ id }: BenchChatMember): Promise<void> {
  await client.query(
    `insert into conversations (public_id, low_id, high_id, updated_at)
     select 'crowd' || o.id, least(me.id, o.id), greatest(me.id, o.id), now() - make_interval(secs => o.id)
     from users me join users o on o.id <> me.id where me.public_id = $1
     on conflict on constraint conversations_pair do nothing`,
    [id],
  )
  await withoutTriggers(
    `insert into messages (public_id, conversation_id, sender_id, content)
     select c.public_id || 'm1', c.id, case c.low_id when me.id then c.high_id else c.low_id end, 'Hello'
     from conversations c join users me on me.public_id = $1 and me.id in (c.low_id, c.high_id)
     where c.last_message_id is null`,
    [id],
  )
}

async function withoutTriggers(insert: string, values: unknown[]): Promise<void> {
  await client.query('alter table messages disable trigger user')
  await client.query(insert, values)
  await client.query('alter table messages enable trigger user')
  await client.query(
    `update conversations c set last_message_id = newest.id
     from (select conversation_id, max(id) as id from messages group by 1) newest where newest.conversation_id = c.id`,
  )
  await client.query('vacuum analyze messages, conversations')
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

function get<Answer>({ cookie }: BenchChatMember, path: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = request(`${server.url}${path}`, { agent, headers: { cookie } }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (piece) => {
        text += piece
      })
      answer.on('end', () =>
        answer.statusCode === 200 ? resolve(JSON.parse(text)) : reject(new Error(`${path}: ${text}`)),
      )
    })
    call.on('error', reject)
    call.end()
  })
}
