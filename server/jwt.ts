/**
 * JWTs: a second credential of a session, for minutes (platform reference §3.2). Each is signed with a key of its own
 * that nobody keeps; the server recognises its JWTs by their SHA-256, which ends with the session. So there is no key to
 * share between nodes, to rotate or to lose, and reading the database gives nobody a JWT (decision 0300).
 */
import { randomBytes } from 'node:crypto'
import { SignJWT } from 'jose'
import { type Kysely, sql } from 'kysely'
import type { Tables } from './database/schema.ts'
import { fail } from './errors.ts'
import { type Caller, findCaller, hashOf } from './session.ts'

/** @param seconds how long it lives, at most an hour */
export async function issueJwt(db: Kysely<Tables>, caller: Caller, seconds: number): Promise<string> {
  const jwt = await new SignJWT({ userId: caller.account.publicId, sessionId: caller.session.publicId })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setJti(randomBytes(16).toString('hex'))
    .setIssuedAt()
    .setExpirationTime(`${seconds} s`)
    .sign(randomBytes(32))
  await db
    .insertInto('jwts')
    .values({
      token_hash: hashOf(jwt),
      session_id: caller.session.id,
      expires_at: sql<Date>`clock_timestamp() + ${`${seconds} seconds`}::interval`,
    })
    .execute()
  return jwt
}

/** Three base64url parts: 500 bytes is twice what ours have. */
const form = /^[\w-]+\.[\w-]+\.[\w-]+$/
const longest = 1000

/**
 * The caller behind a JWT.
 * @throws Failure 401 `user_jwt_invalid` when it is not one of ours, over, or its session has ended
 */
export async function resolveJwt(db: Kysely<Tables>, jwt: string): Promise<Caller> {
  const wellFormed = jwt.length <= longest && form.test(jwt)
  const found =
    wellFormed &&
    (await findCaller(
      db,
      sql<boolean>`s.id = (select j.session_id from jwts j
        where j.token_hash = ${hashOf(jwt)} and j.expires_at > clock_timestamp())`,
    ))
  return (
    found || fail('user_jwt_invalid', { message: 'Failed to verify JWT. Invalid token: it is not valid.' })
  )
}
