/**
 * JWTs are short-lived second credentials of a session. Each is signed with a random key that is discarded,
 * and recognised by its stored SHA-256. A database leak reveals none (decision 0028).
 */
import { randomBytes } from 'node:crypto'
import { SignJWT } from 'jose'
import { type Kysely, sql } from 'kysely'
import type { DatabaseTables } from '../database/schema.ts'
import { throwFailure } from '../errors.ts'
import { hashSecretSha256 } from './hash-secret.ts'
import { findCallerByCondition, type RequestCaller, type SelectForCaller } from './session.ts'

/** @param seconds at most an hour */
export async function issueJwt(
  db: Kysely<DatabaseTables>,
  caller: RequestCaller,
  seconds: number,
): Promise<string> {
  const jwt = await new SignJWT({ userId: caller.account.publicId, sessionId: caller.session.publicId })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setJti(randomBytes(16).toString('hex'))
    .setIssuedAt()
    .setExpirationTime(`${seconds} s`)
    .sign(randomBytes(32))
  await db
    .insertInto('jwts')
    .values({
      token_hash: hashSecretSha256(jwt),
      session_id: caller.session.id,
      expires_at: sql<Date>`clock_timestamp() + ${`${seconds} seconds`}::interval`,
    })
    .execute()
  return jwt
}

const jwtPattern = /^[\w-]+\.[\w-]+\.[\w-]+$/
const maxJwtLength = 1000

/** @throws Failure 401 `user_jwt_invalid` if unknown or expired, or after the session ended */
export async function resolveJwt(
  db: Kysely<DatabaseTables>,
  jwt: string,
  select?: SelectForCaller,
): Promise<RequestCaller> {
  const wellFormed = jwt.length <= maxJwtLength && jwtPattern.test(jwt)
  const found =
    wellFormed &&
    (await findCallerByCondition(
      db,
      sql<boolean>`s.id = (select j.session_id from jwts j
        where j.token_hash = ${hashSecretSha256(jwt)} and j.expires_at > clock_timestamp())`,
      select,
    ))
  return (
    found ||
    throwFailure('user_jwt_invalid', { message: 'Failed to verify JWT. Invalid token: it is not valid.' })
  )
}
