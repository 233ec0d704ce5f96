import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { beginPasskeyOperation, beginPasskeySignInOperation } from '#contract/account/passkeys.ts'
import type { PasskeyAssertion, PasskeyAttestation } from '#contract/account/webauthn-json.ts'
import type { OperationOutput } from '#contract/operation.ts'
import type { DatabaseTables } from '../database/schema.ts'
import { throwFailure } from '../errors.ts'
import { hashSecretSha256 } from './hash-secret.ts'

type Db = Kysely<DatabaseTables>

export type PasskeyCreationOptions = OperationOutput<typeof beginPasskeyOperation>
export type PasskeyRequestOptions = OperationOutput<typeof beginPasskeySignInOperation>

export type PasskeySite = { origin: string; host: string }

/** A challenge for signing in belongs to no session. */
export type PasskeyPurpose = { for: 'sign-in' } | { for: 'proof' | 'registration'; session: { id: number } }

/** The schema has the same limit. */
const challengeLifetimeMs = 10 * 60_000

/**
 * The schema has the same limits. WebAuthn (section 4) limits ids to this length. Public keys of the algorithms
 * below are far shorter.
 */
const maxCredentialIdBytes = 1023
const maxPublicKeyBytes = 2048

/** COSE identifiers (RFC 9053, RFC 8812) of EdDSA, ES256 and RS256, in order of preference. */
const algorithms = [-8, -7, -257]

const loadVerifier = () => import('@simplewebauthn/server')

async function issueChallenge(db: Db, purpose: PasskeyPurpose): Promise<string> {
  const challenge = randomBytes(32).toString('base64url')
  await db
    .insertInto('passkey_challenges')
    .values({
      challenge_hash: hashSecretSha256(challenge),
      purpose: purpose.for,
      session_id: sessionOf(purpose),
    })
    .execute()
  return challenge
}

const sessionOf = (purpose: PasskeyPurpose) => (purpose.for === 'sign-in' ? null : purpose.session.id)

/**
 * Each challenge allows one attempt, so never call this in a transaction that a refusal rolls back.
 * @throws Failure 401 `passkey_invalid` if the challenge has another purpose, expired, or was used before
 */
async function consumeChallenge(db: Db, purpose: PasskeyPurpose, clientDataJson: string): Promise<string> {
  const { challenge, crossOrigin } = readClientData(clientDataJson)
  // Refuses cross-origin frames, because the member cannot see which site asks.
  if (typeof challenge !== 'string' || crossOrigin === true) return throwFailure('passkey_invalid')
  const { rows } = await sql`
    delete from passkey_challenges
    where challenge_hash = ${hashSecretSha256(challenge)} and purpose = ${purpose.for}
      and session_id is not distinct from ${sessionOf(purpose)}::bigint and expires_at > clock_timestamp()
    returning purpose`.execute(db)
  return rows.length > 0 ? challenge : throwFailure('passkey_invalid')
}

function readClientData(base64url: string): { challenge?: unknown; crossOrigin?: unknown } {
  try {
    const data: unknown = JSON.parse(Buffer.from(base64url, 'base64url').toString('utf8'))
    return typeof data === 'object' && data !== null ? data : {}
  } catch {
    return {}
  }
}

/** The options allow any passkey of the host, so they reveal no account. */
export const createPasskeyRequestOptions = async (
  db: Db,
  { host }: PasskeySite,
  purpose: PasskeyPurpose,
): Promise<PasskeyRequestOptions> => ({
  challenge: await issueChallenge(db, purpose),
  timeout: challengeLifetimeMs,
  rpId: host,
  allowCredentials: [],
  userVerification: 'required',
})

/** Excludes authenticators with a passkey of this account. */
export async function createPasskeyRegistrationOptions(
  db: Db,
  { host }: PasskeySite,
  about: {
    accountId: number
    session: { id: number }
    name: string
    displayName: string
    communityName: string
  },
): Promise<PasskeyCreationOptions> {
  // The verifier loads while the member confirms in the browser.
  loadVerifier().catch(() => {})
  const { webauthn_id } = await db
    .updateTable('accounts')
    .set({ webauthn_id: sql<Buffer>`coalesce(webauthn_id, ${randomBytes(32)})` })
    .where('id', '=', about.accountId)
    .returning('webauthn_id')
    .executeTakeFirstOrThrow()
  const others = await db
    .selectFrom('passkeys')
    .select(['credential_id', 'transports'])
    .where('account_id', '=', about.accountId)
    .execute()
  return {
    challenge: await issueChallenge(db, { for: 'registration', session: about.session }),
    timeout: challengeLifetimeMs,
    rp: { id: host, name: about.communityName },
    user: {
      id: (webauthn_id as Buffer).toString('base64url'),
      name: about.name,
      displayName: about.displayName,
    },
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    excludeCredentials: others.map(({ credential_id, transports }) => ({
      type: 'public-key',
      id: credential_id.toString('base64url'),
      transports,
    })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  }
}

export type NewPasskey = {
  credential_id: Buffer
  public_key: Buffer
  sign_count: number
  transports: string[]
  aaguid: string
  backed_up: boolean
}

export async function verifyNewPasskey(
  db: Db,
  { origin, host }: PasskeySite,
  session: { id: number },
  attestation: PasskeyAttestation,
): Promise<NewPasskey> {
  const { clientDataJSON, transports = [] } = attestation.response
  const expectedChallenge = await consumeChallenge(db, { for: 'registration', session }, clientDataJSON)
  const { verifyRegistrationResponse } = await loadVerifier()
  const { registrationInfo: made } = await verifyRegistrationResponse({
    // The stored transports include those that the library does not know.
    response: {
      ...attestation,
      response: { clientDataJSON, attestationObject: attestation.response.attestationObject },
      clientExtensionResults: {},
    },
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: host,
    supportedAlgorithmIDs: algorithms,
  }).catch((cause: unknown) => throwFailure('passkey_invalid', { cause }))
  if (!made) return throwFailure('passkey_invalid')
  const credential_id = Buffer.from(made.credential.id, 'base64url')
  const public_key = Buffer.from(made.credential.publicKey)
  if (credential_id.length > maxCredentialIdBytes || public_key.length > maxPublicKeyBytes)
    throwFailure('general_argument_invalid', { field: 'attestation', message: 'The passkey is too large.' })
  return {
    credential_id,
    public_key,
    sign_count: made.credential.counter,
    transports,
    aaguid: made.aaguid,
    backed_up: made.credentialBackedUp,
  }
}

export type UsedPasskey = { id: number; publicId: string; accountId: number }

/**
 * @returns `isCopy` if the counter decreases (WebAuthn, section 6.1.1): a copy exists, so the use proves
 * nothing
 * @throws Failure 401 `passkey_unknown` if the passkey belongs to no account, or not to the session's
 * account; 401 `passkey_invalid`
 */
export async function verifyPasskey(
  db: Db,
  { origin, host }: PasskeySite,
  purpose: PasskeyPurpose,
  assertion: PasskeyAssertion,
): Promise<UsedPasskey & { isCopy: boolean }> {
  const expectedChallenge = await consumeChallenge(db, purpose, assertion.response.clientDataJSON)
  const found = await findPasskey(db, host, purpose, assertion.id)
  if (!found) return throwFailure('passkey_unknown')
  const { userHandle } = assertion.response
  // A sign-in accepts the passkey of any account, so the authenticator must return the owner's user handle.
  const isOwner =
    userHandle === found.webauthn_id.toString('base64url') ||
    (userHandle === undefined && purpose.for !== 'sign-in')
  if (!isOwner) return throwFailure('passkey_invalid')
  const { verifyAuthenticationResponse } = await loadVerifier()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...assertion, clientExtensionResults: {} },
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: host,
    // The counter is compared after the signature is verified, because a stranger must not learn that a copy
    // exists. With counter 0, the library skips its own earlier comparison.
    credential: { id: assertion.id, publicKey: new Uint8Array(found.public_key), counter: 0 },
  }).catch((cause: unknown) => throwFailure('passkey_invalid', { cause }))
  if (!verified) return throwFailure('passkey_invalid')
  return {
    id: found.id,
    publicId: found.public_id,
    accountId: found.account_id,
    isCopy: !(await countUse(db, found.id, authenticationInfo)),
  }
}

async function findPasskey(db: Db, host: string, purpose: PasskeyPurpose, credentialId: string) {
  const { rows } = await sql<{
    id: number
    public_id: string
    account_id: number
    public_key: Buffer
    webauthn_id: Buffer
  }>`
    select p.id, p.public_id, p.account_id, p.public_key, a.webauthn_id
    from passkeys p join accounts a on a.id = p.account_id
    where p.credential_id = ${Buffer.from(credentialId, 'base64url')} and p.rp_id = ${host}
      and (${purpose.for === 'sign-in'} or a.id = (select s.account_id from sessions s where s.id = ${sessionOf(purpose)}))`.execute(
    db,
  )
  return rows[0]
}

/** Returns whether the counter increased. One of two concurrent uses may be refused. */
async function countUse(
  db: Db,
  id: number,
  { newCounter, credentialBackedUp }: { newCounter: number; credentialBackedUp: boolean },
): Promise<boolean> {
  const { rows } = await sql`
    update passkeys set sign_count = ${newCounter}, backed_up = ${credentialBackedUp}, used_at = clock_timestamp()
    where id = ${id} and (sign_count < ${newCounter} or (sign_count = 0 and ${newCounter} = 0))
    returning id`.execute(db)
  return rows.length > 0
}

export async function isPasskeyStillRegistered(db: Db, { id }: UsedPasskey): Promise<boolean> {
  const found = await db.selectFrom('passkeys').select('id').where('id', '=', id).executeTakeFirst()
  return found !== undefined
}

export async function countPasskeys(db: Db, accountId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from passkeys where account_id = ${accountId}`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Call this after an account is regained.
 * @param which.since keeps passkeys created before that time; null keeps none
 * @param which.keep keeps the passkey that opened this session
 * @returns the number of removed passkeys
 */
export async function removePasskeys(
  db: Db,
  accountId: number,
  { since = null, keep = null }: { since?: Date | null; keep?: { id: number } | null } = {},
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from passkeys p
    where p.account_id = ${accountId} and p.created_at > coalesce(${since}::timestamptz, '-infinity')
      and not exists (
        select from sessions s
        where s.id = ${keep?.id ?? 0} and s.provider = 'passkey' and s.provider_uid = p.public_id)`.execute(
    db,
  )
  return Number(numAffectedRows)
}
