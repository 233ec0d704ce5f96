/**
 * Signing in by what was sent to an address: a link, or a code by mail or message (platform reference §4, §5.2). Asking
 * says the same and does the same whether an account has the address or not; the account is found, or made, when the
 * secret comes back.
 */
import type { FastifyInstance } from 'fastify'
import type { Transaction } from 'kysely'
import * as z from 'zod/mini'
import * as fields from '#contract/fields.ts'
import type { Tables } from '../database/schema.ts'
import { fail } from '../errors.ts'
import { newId } from '../ids.ts'
import { codeLetter, codeMessage, linkLetter } from '../letters.ts'
import { issueCode, issueLink, spendCode, spendLink, type TokenRow } from '../one-time-secrets.ts'
import type { Parts } from '../parts.ts'
import { type AccountRow, type AddressKind, accountOfProven } from '../proven-address.ts'
import {
  type AccountAsking,
  allowedUrl,
  customId,
  ownUrl,
  phone,
  redirectUrl,
  secret,
  serveAccountCall,
  userId,
  withQuery,
} from './account-calls.ts'
import { type Begun, handOver, openSession } from './account-sessions.ts'
import { tokenModel } from './models.ts'
import { projectId } from './project.ts'
import { newPhrase } from './security-phrase.ts'

const proof = z.object({ userId, secret })
type Proof = z.output<typeof proof>

const phrase = z.optional(z.boolean())
const emailAndId = { userId: customId, email: fields.email, phrase }

export function signInTokenCalls(app: FastifyInstance, parts: Parts): void {
  serveAccountCall(app, parts, {
    method: 'POST',
    paths: ['/sessions/magic-url', '/tokens/magic-url'],
    who: 'anyone',
    limit: 'letter-request',
    status: 201,
    input: z.object({ ...emailAndId, url: z.optional(redirectUrl) }),
    async answer({ userId, email, url = '', phrase }, asking) {
      const { request, reply, limits, mail, database } = asking
      const page =
        url === '' ? `${ownUrl(request, asking)}/v1/auth/magic-url` : allowedUrl(request, asking, 'url', url)
      mail.mustWork()
      await limits.count(request, reply, 'letter', { subject: email })
      const about = { accountId: null, sentTo: email, askedAs: userId }
      const { token, secret } = await issueLink(database.kysely, 'magic-url', about)
      const model = tokenModel(token, phrase ? newPhrase() : '')
      const link = withQuery(page, { userId, secret, expire: model.expire, project: projectId })
      mail.send(email, linkLetter('magic-url', link, model.phrase))
      return model
    },
  })

  serveAccountCall(app, parts, {
    method: 'POST',
    paths: ['/tokens/email'],
    who: 'anyone',
    limit: 'letter-request',
    status: 201,
    input: z.object(emailAndId),
    async answer({ userId, email, phrase }, { request, reply, limits, mail, store }) {
      mail.mustWork()
      await limits.count(request, reply, 'letter', { subject: email })
      const about = { accountId: null, sentTo: email, askedAs: userId }
      const { token, secret } = await store.transact(({ db }) => issueCode(db, 'email', about))
      const model = tokenModel(token, phrase ? newPhrase() : '')
      mail.send(email, codeLetter(secret, model.phrase))
      return model
    },
  })

  serveAccountCall(app, parts, {
    method: 'POST',
    paths: ['/sessions/phone', '/tokens/phone'],
    who: 'anyone',
    limit: 'letter-request',
    status: 201,
    input: z.object({ userId: customId, phone }),
    async answer({ userId, phone }, { request, reply, limits, sms, store }) {
      sms.mustWork()
      await limits.count(request, reply, 'letter', { subject: phone })
      const about = { accountId: null, sentTo: phone, askedAs: userId }
      const { token, secret } = await store.transact(({ db }) => issueCode(db, 'phone', about))
      sms.send(phone, codeMessage('phone-code', secret))
      return tokenModel(token)
    },
  })

  const confirmations = [
    { method: 'PUT', path: '/sessions/magic-url', kinds: ['magic-url'] },
    { method: 'PUT', path: '/sessions/phone', kinds: ['phone'] },
    { method: 'POST', path: '/sessions/token', kinds: ['magic-url', 'email', 'phone', 'oauth'] },
  ] as const
  for (const { method, path, kinds } of confirmations) {
    serveAccountCall(app, parts, {
      method,
      paths: [path],
      who: 'anyone',
      limit: 'sign-in',
      status: 201,
      input: proof,
      answer: async (proof, asking) => handOver(asking, await signInByProof(asking, proof, kinds)),
    })
  }
}

/** What each secret proves, and what the session it begins is called. */
const ways = {
  'magic-url': { proves: 'email', provider: 'magic-url', isCode: false },
  email: { proves: 'email', provider: 'email', isCode: true },
  phone: { proves: 'phone', provider: 'phone', isCode: true },
  oauth: { proves: null, provider: 'oauth2', isCode: false },
} as const

type Way = keyof typeof ways

const codeLength = 6

/**
 * Begins a session for whoever brings back a secret.
 * @throws Failure 401 `user_invalid_token`, 404 `user_not_found`, 401 `user_blocked`
 */
export async function signInByProof(
  { request, reply, limits, database, store }: Omit<AccountAsking, 'caller'>,
  { userId, secret }: Proof,
  kinds: readonly Way[],
): Promise<Begun> {
  await limits.count(request, reply, 'code', { subject: userId })
  const codes = kinds.filter((kind): kind is 'email' | 'phone' => ways[kind].isCode)
  const links = kinds.filter((kind): kind is 'magic-url' | 'oauth' => !ways[kind].isCode)
  const asCode = links.length === 0 || (codes.length > 0 && secret.length <= codeLength)
  // A wrong code uses up a try, also when nothing else is written: so not in the transaction below.
  const spent = asCode ? await spendCode(database.kysely, codes, userId, secret) : null
  return store.transact(async ({ db }) => {
    const token = spent ?? (await spendLink(db, links, userId, secret))
    const { proves, provider } = ways[token.kind as Way]
    const account = proves === null ? await ownerOf(db, token) : await provenBy(db, token, proves)
    return openSession(db, request, account, { provider, providerUid: token.sent_to ?? '' })
  })
}

const provenBy = (db: Transaction<Tables>, token: TokenRow, kind: AddressKind) =>
  accountOfProven(db, kind, token.sent_to ?? '', token.asked_as ?? newId())

async function ownerOf(db: Transaction<Tables>, token: TokenRow): Promise<AccountRow> {
  const account = await db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', token.account_id)
    .executeTakeFirstOrThrow()
  return account.status === 'blocked' ? fail('user_blocked') : account
}
