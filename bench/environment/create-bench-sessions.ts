import { createHash, randomBytes } from 'node:crypto'
import { queryBenchDatabase } from './bench-databases.ts'
import { publicIdBuilders } from './generate-dataset.ts'

/** @returns the session cookies, in the order of the members */
export async function createBenchSessions(url: string, members: readonly number[]): Promise<string[]> {
  const secrets = members.map(() => randomBytes(32).toString('hex'))
  await queryBenchDatabase(
    url,
    `insert into sessions (public_id, account_id, secret_hash, provider, expires_at)
     select 'bench' || n || 'of' || account, account, hash, 'email', now() + interval '90 days'
     from unnest($1::bigint[], $2::bytea[]) with ordinality as given (account, hash, n)`,
    [members, secrets.map((secret) => createHash('sha256').update(secret).digest())],
  )
  return members.map((member, n) => formatSessionCookie(publicIdBuilders.account(member), secrets[n] ?? ''))
}

export const formatSessionCookie = (accountId: string, secret: string): string =>
  `a_session_juntas=${encodeURIComponent(Buffer.from(JSON.stringify({ id: accountId, secret })).toString('base64'))}`
