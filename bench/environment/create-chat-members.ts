import { createHash, randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { formatSessionCookie } from './create-bench-sessions.ts'

export type BenchChatMember = { cookie: string; id: string; conversation: string }

/** @param count even; the first member chats with the second, the third with the fourth, and so on */
export async function createBenchChatMembers(url: string, count: number): Promise<BenchChatMember[]> {
  const numbers = Array.from({ length: count }, (_, n) => n)
  const secrets = numbers.map(() => randomBytes(32).toString('hex'))
  const hashes = secrets.map((secret) => createHash('sha256').update(secret).digest())
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`
      with made as (
        insert into accounts (public_id, name) select 'account' || n, 'Ana ' || n from generate_series(0, ${count - 1}) n
        returning id, public_id, name)
      insert into users (public_id, account_id, name, username)
      select replace(public_id, 'account', 'member'), id, name, replace(public_id, 'account', 'ana') from made
      order by length(public_id), public_id`)
    await client.query(
      `insert into sessions (public_id, account_id, secret_hash, provider, expires_at)
       select 'session' || n, a.id, hash, 'email', now() + interval '90 days'
       from unnest($1::int[], $2::bytea[]) as given (n, hash) join accounts a on a.public_id = 'account' || n`,
      [numbers, hashes],
    )
    await client.query(
      `insert into conversations (public_id, low_id, high_id)
       select 'talk' || n, least(a.id, b.id), greatest(a.id, b.id) from generate_series(0, $1::int - 2, 2) n
       join users a on a.public_id = 'member' || n join users b on b.public_id = 'member' || (n + 1)`,
      [count],
    )
    // The pairs follow each other, because strangers could send only five messages.
    await client.query(`
      with talks as (select id, low_id, high_id from conversations where public_id like 'talk%')
      insert into follows (public_id, follower_id, following_id)
      select 'low' || id, low_id, high_id from talks union all select 'high' || id, high_id, low_id from talks`)
    await client.query('analyze')
  } finally {
    await client.end()
  }
  return secrets.map((secret, n) => ({
    cookie: formatSessionCookie(`account${n}`, secret),
    id: `member${n}`,
    conversation: `talk${n - (n % 2)}`,
  }))
}
