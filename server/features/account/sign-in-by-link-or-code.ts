import type { Transaction } from 'kysely'
import { findOwnerRateLimitKey } from '../../auth/known-browsers.ts'
import {
  consumeOneTimeCode,
  consumeOneTimeLink,
  findOneTimeCode,
  issueOneTimeLink,
  type OneTimeCodeKind,
  type OneTimeTokenRow,
} from '../../auth/one-time-tokens.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { renderLinkEmail } from '../../email/message-templates.ts'
import { generateId } from '../../ids.ts'
import type { RequestContext } from '../../route.ts'
import { admitNewAccount, type RegistrationContext } from '../community/admit-new-account.ts'
import { consumeAccountMessageLimit } from './account-message-limits.ts'
import { sendNoticesOfGivenAccount } from './account-security-notices.ts'
import type { EmailLinkParameters } from './email-link-urls.ts'
import {
  type AccountRow,
  type ContactKind,
  findOrCreateVerifiedAccount,
  type VerifiedAccount,
} from './give-account-to-verified-owner.ts'
import { type CreatedSession, createSessionReplacingCurrent } from './session-routes.ts'

/**
 * Sends a link whether or not an account has the address.
 * @param message `shownUserId` is the id in the response, `linkTo` builds the link, `phrase` appears in the
 * email
 * @throws Failure 429; 503 if emails cannot be sent
 */
export async function sendSignInLink(
  ctx: RequestContext,
  email: string,
  message: {
    shownUserId: string
    linkTo: (linkParameters: EmailLinkParameters, token: OneTimeTokenRow) => string
    phrase?: string
  },
): Promise<OneTimeTokenRow> {
  const { emails, database } = ctx
  const { shownUserId, linkTo, phrase = '' } = message
  emails.assertAvailable()
  const mayBeSent = await consumeAccountMessageLimit(ctx, 'magic-url', email)
  const about = { accountId: null, sentTo: email, shownUserId }
  const { token, secret } = await issueOneTimeLink(database.kysely, 'magic-url', about)
  const link = linkTo({ userId: shownUserId, secret }, token)
  if (mayBeSent) emails.send(email, renderLinkEmail('magic-url', link, phrase))
  return token
}

/** Each kind of secret verifies one contact and names the provider of its session. */
const ways = {
  'magic-url': { proves: 'email', provider: 'magic-url', isCode: false },
  email: { proves: 'email', provider: 'email', isCode: true },
  phone: { proves: 'phone', provider: 'phone', isCode: true },
  oauth: { proves: null, provider: 'oauth2', isCode: false },
} as const

type Way = keyof typeof ways

const codeLength = 6

export async function signInWithOneTimeToken(
  ctx: RequestContext,
  { userId, secret }: EmailLinkParameters,
  kinds: readonly Way[],
  allowsClosed = false,
): Promise<CreatedSession> {
  const { store } = ctx
  const codes = kinds.filter((kind): kind is 'email' | 'phone' => ways[kind].isCode)
  const links = kinds.filter((kind): kind is 'magic-url' | 'oauth' => !ways[kind].isCode)
  const asCode = links.length === 0 || (codes.length > 0 && secret.length <= codeLength)
  // Outside the transaction, because a wrong code must use up an attempt although nothing else is written.
  const spent = asCode ? await consumeRateLimitedOneTimeCode(ctx, codes, userId, secret) : null
  const { created, account } = await store.transact(async ({ db }) => {
    const token = spent ?? (await consumeOneTimeLink(db, links, userId, secret))
    const { proves, provider } = ways[token.kind as Way]
    const account: VerifiedAccount =
      proves === null ? await ownerOf(db, token) : await verifiedBy(db, ctx, token, proves, allowsClosed)
    const created = await createSessionReplacingCurrent(db, ctx, account, {
      provider,
      providerUid: token.sent_to ?? '',
      allowsClosed,
    })
    return { created, account }
  })
  await sendNoticesOfGivenAccount(ctx, account)
  return created
}

/**
 * Attempts count by the recipient's address, because every email has its own user id.
 * Only the code whose address was counted is compared, not one sent meanwhile under the same user id.
 * Browsers and networks known to the account have their own attempts.
 */
export async function consumeRateLimitedOneTimeCode(
  { request, reply, config, limits, database }: RequestContext,
  kinds: readonly OneTimeCodeKind[],
  userId: string,
  code: string,
): Promise<OneTimeTokenRow> {
  const found = await findOneTimeCode(database.kysely, kinds, userId)
  const address = found?.sent_to ?? null
  const owner = address && (await findOwnerRateLimitKey(database.kysely, request, config, address))
  const subject = owner ?? address ?? userId
  await limits.consume(request, reply, 'code', { subject })
  const token = await consumeOneTimeCode(database.kysely, found, userId, code)
  if (address !== null) await limits.reset('code', subject)
  return token
}

const verifiedBy = (
  db: Transaction<DatabaseTables>,
  registration: RegistrationContext,
  token: OneTimeTokenRow,
  kind: ContactKind,
  allowsClosed: boolean,
) =>
  findOrCreateVerifiedAccount(
    db,
    registration.request,
    (create) => admitNewAccount(db, registration, create),
    kind,
    token.sent_to ?? '',
    token.asked_as ?? generateId(),
    allowsClosed,
  )

/**
 * The account stays locked until the session exists, so that a request that ends all sessions meanwhile also
 * ends this one.
 */
const ownerOf = (db: Transaction<DatabaseTables>, token: OneTimeTokenRow): Promise<AccountRow> =>
  db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', token.account_id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
