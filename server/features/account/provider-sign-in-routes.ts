import type { FastifyInstance, FastifyReply } from 'fastify'
import { isProviderProblem, type ProviderProblem } from '#contract/account/provider-problems.ts'
import * as contract from '#contract/account/provider-sign-in.ts'
import type { AppContext } from '../../app-context.ts'
import { recordAccountEvent } from '../../auth/account-audit-log.ts'
import { createOidcClient, type OidcProfile } from '../../auth/oidc-client.ts'
import { selectTwoFactorStatus } from '../../auth/second-factors.ts'
import { lockCallersAccount } from '../../auth/session.ts'
import type { Config } from '../../config.ts'
import { describeDeliveryError } from '../../email/retry-sms-delivery.ts'
import { throwFailure, toFailure } from '../../errors.ts'
import { generateId } from '../../ids.ts'
import { getPublicUrlForRequest } from '../../net/public-url.ts'
import { type RequestContext, registerRoute } from '../../route.ts'
import { hashInvitationCode } from '../community/admit-new-account.ts'
import { sendAccountNoticeEmail } from './account-security-notices.ts'
import { maxIdentities } from './connected-identity-routes.ts'
import { findOrCreateProfile } from './find-or-create-profile.ts'
import { findOrCreateIdentityAccount, lockIdentity } from './identity-account.ts'
import {
  beginProviderAttempt,
  exchangeCodeOfAttempt,
  type ProviderAttempt,
  spendProviderAttempt,
} from './provider-attempts.ts'
import {
  assertCodeGivenSinceAuthenticatorVerified,
  assertRecentStrongestReauthentication,
} from './reauthentication.ts'
import { createSessionReplacingCurrent, sendSessionCookiesAndNotices } from './session-routes.ts'
import { selectCallerAccount } from './update-caller-account.ts'

const signInPage = '/sign-in'
const accountPage = '/settings/account'

export function registerProviderSignInRoutes(app: FastifyInstance, context: AppContext): void {
  const oauth = createOidcClient(context.config)
  const begin = async (
    ctx: RequestContext,
    attempt: Omit<Parameters<typeof beginProviderAttempt>[2], 'redirectUri'>,
  ) => {
    const redirectUri = callbackUrl(ctx, attempt.provider)
    return { url: (await beginProviderAttempt(ctx, oauth, { ...attempt, redirectUri })).href }
  }

  registerRoute(app, context, contract.listSignInProvidersOperation, async (_input, { config }) => ({
    documents: listSignInProviders(config),
  }))

  registerRoute(app, context, contract.beginProviderSignInOperation, ({ provider, invite }, ctx) =>
    begin(ctx, {
      provider,
      wanted: 'web',
      success_url: '/',
      failure_url: signInPage,
      invite_hash: invite ? hashInvitationCode(invite) : null,
    }),
  )

  registerRoute(app, context, contract.connectIdentityOperation, async ({ provider }, ctx) => {
    await assertRecentStrongestReauthentication(ctx)
    return begin(ctx, {
      provider,
      wanted: 'connection',
      success_url: withQuery(accountPage, { connected: provider }),
      failure_url: accountPage,
      account_id: ctx.caller.account.id,
    })
  })

  registerRoute(
    app,
    context,
    {
      method: 'GET',
      url: '/v1/sign-in-providers/:provider/callback',
      who: 'visitor',
      // The handler itself counts the request, so that it can redirect the browser to a page that shows the
      // refusal.
      limit: ['sign-in'],
      input: {
        from: 'parameters',
        read: ({ params, query }) => ({
          provider: (params as { provider: string }).provider,
          state: (query as { state?: unknown }).state,
        }),
      },
    },
    async ({ provider, state }, ctx) => {
      const { reply } = ctx
      const given = typeof state === 'string' ? state : ''
      const attempt = await spendProviderAttempt(ctx, provider, given, ['web', 'connection'])
      const failurePage = attempt?.failure_url ?? signInPage
      try {
        await ctx.limits.consume(ctx.request, reply, 'sign-in')
        if (!attempt) return throwFailure('user_oauth2_bad_request')
        const person = await exchangeCodeOfAttempt(ctx, oauth, attempt, callbackUrl(ctx, provider))
        await (attempt.wanted === 'connection' ? connect : signIn)(ctx, attempt, person)
        return reply.redirect(attempt.success_url, 302)
      } catch (error) {
        return reply.redirect(withQuery(failurePage, { problem: toProblem(reply, error) }), 302)
      }
    },
  )
}

export const listSignInProviders = ({ oauth }: Config): contract.SignInProvider[] =>
  oauth.map(({ name, label }) => ({ name, label })).sort((one, other) => one.label.localeCompare(other.label))

const withQuery = (page: string, query: Record<string, string>) => `${page}?${new URLSearchParams(query)}`

/** The operator registers this address at the provider. */
const callbackUrl = (ctx: RequestContext, provider: string) =>
  `${getPublicUrlForRequest(ctx.request, ctx)}/v1/sign-in-providers/${encodeURIComponent(provider)}/callback`

async function signIn(
  ctx: RequestContext,
  { provider, invite_hash }: ProviderAttempt,
  person: OidcProfile,
): Promise<void> {
  const { request, config, store } = ctx
  const { created, linked } = await store.transact(async (tx) => {
    const registration = { request, config, ...(invite_hash && { invite: invite_hash }) }
    const { account, linked } = await findOrCreateIdentityAccount(tx.db, registration, provider, person)
    // The page requests the feed and the member concurrently, and the feed needs a profile.
    if (account.email !== null) await findOrCreateProfile(tx, account)
    const origin = { provider, providerUid: person.subject, allowsClosed: true }
    return { linked, created: await createSessionReplacingCurrent(tx.db, ctx, account, origin) }
  })
  await sendSessionCookiesAndNotices(ctx, created)
  if (linked) await sendAccountNoticeEmail(ctx, created.account, 'identity-added')
}

/** The lifetime of a re-authentication, plus the time that an attempt may take. */
const codeBeforeConnection = '25 minutes'

/**
 * The connection needs a live session of the account that started it, and a code if two-factor
 * authentication is on. Otherwise a session that a new password ended could still connect a provider.
 */
async function connect(
  ctx: RequestContext,
  { provider, account_id }: ProviderAttempt,
  { issuer, subject, email }: OidcProfile,
): Promise<void> {
  const { request, store, database } = ctx
  const caller = request.caller
  if (!caller || caller.session.pending || caller.account.id !== account_id)
    return throwFailure('user_oauth2_bad_request')
  const added = await store.transact(async ({ db }) => {
    await lockIdentity(db, provider, subject)
    await lockCallersAccount(db, caller)
    if ((await selectTwoFactorStatus(db, account_id)).on)
      await assertCodeGivenSinceAuthenticatorVerified(db, caller, { within: codeBeforeConnection })
    const holder = await db
      .selectFrom('identities')
      .select('account_id')
      .where('provider', '=', provider)
      .where('issuer', '=', issuer)
      .where('provider_uid', '=', subject)
      .executeTakeFirst()
    if (holder?.account_id === account_id) return false
    if (holder) return throwFailure('user_identity_taken')
    const { count } = await db
      .selectFrom('identities')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('account_id', '=', account_id)
      .executeTakeFirstOrThrow()
    if (count >= maxIdentities) return throwFailure('user_identity_taken')
    await db
      .insertInto('identities')
      .values({
        public_id: generateId(),
        account_id,
        provider,
        issuer,
        provider_uid: subject,
        provider_email: email ?? '',
      })
      .execute()
    await recordAccountEvent(db, request, account_id, 'identity.create')
    return true
  })
  if (added)
    await sendAccountNoticeEmail(ctx, await selectCallerAccount(database.kysely, caller), 'identity-added')
}

function toProblem(reply: FastifyReply, error: unknown): ProviderProblem {
  const failure = toFailure(error)
  if (!failure) reply.log.error({ err: error }, 'a request failed')
  else
    reply.log.warn(
      { type: failure.type, reason: describeDeliveryError(failure.cause ?? failure) },
      'a sign-in through a provider failed',
    )
  return isProviderProblem(failure?.type) ? failure.type : 'general_unknown'
}
