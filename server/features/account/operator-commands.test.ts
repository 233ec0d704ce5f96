import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiClient } from '#api-client/member-client.ts'
import * as settings from '#contract/account/account-settings.ts'
import * as emailLinks from '#contract/account/email-links.ts'
import { addPasskeyOperation, beginPasskeyOperation } from '#contract/account/passkeys.ts'
import { completeSecondStepOperation } from '#contract/account/sign-up-and-sign-in.ts'
import { readConfig } from '#server/config.ts'
import { createDevOutbox } from '#server/email/dev-outbox.ts'
import { createEmailSender } from '#server/email/email-sender.ts'
import { createServerLogger } from '#server/log.ts'
import { createSoftwarePasskey } from '#tests/doubles/software-authenticator.ts'
import {
  extractCookieHeader,
  fetchSentLinkSecret,
  fetchSentMessagesTo,
} from '#tests/support/sent-messages.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'
import { issueRecoveryLink } from './operator-commands.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(() => w.end())

const rows = async (text: string, values: unknown[] = []) => (await w.database.pool.query(text, values)).rows
const accountOf = async ({ accountId }: MemberClient) =>
  (
    await rows('select email_verified, mfa, email_proven_at, phone from accounts where public_id = $1', [
      accountId,
    ])
  )[0]

async function linkFor({ id }: MemberClient) {
  const emails = await createEmailSender(readConfig({}), createServerLogger('silent'), createDevOutbox())
  const [{ username }] = await rows('select username from users where public_id = $1', [id])
  const link = await issueRecoveryLink(
    { db: w.database.kysely, emails, publicUrl: 'http://localhost:3000' },
    username,
  )
  const { searchParams } = new URL(link)
  return { userId: searchParams.get('userId') ?? '', secret: searchParams.get('secret') ?? '' }
}

const newPassword = 'una nueva y larga'
const choose = (linkParameters: { userId: string; secret: string }) =>
  w.visitor.ask(emailLinks.resetPasswordOperation, { ...linkParameters, password: newPassword })

/** Creates a member with two-factor authentication, a passkey and a verified phone. */
async function joinWithEverything(name: string) {
  const her = await w.join(name)
  const passkey = createSoftwarePasskey(await her.call(beginPasskeyOperation, {}))
  await her.call(addPasskeyOperation, { attestation: passkey.attestation, name: 'Pixel' })
  const { secret } = await her.call(settings.beginAuthenticatorOperation, {})
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  await her.call(settings.turnOnTwoFactorOperation, { code: totp.generate() })
  const phone = `+346${String(Math.random()).slice(2, 10)}`
  await rows('update accounts set phone = $2, phone_verified = true where public_id = $1', [
    her.accountId,
    phone,
  ])
  const passkeys = () =>
    rows('select p.id from passkeys p join accounts a on a.id = p.account_id where a.public_id = $1', [
      her.accountId,
    ])
  return Object.assign(her, { totp, phone, passkeys })
}

describe("the operator's recovery link", () => {
  test('REC-12 the operator creates a link for choosing a password, and the member is notified by email and log', async () => {
    const lucia = await w.join('Lucia')
    const outbox = createDevOutbox()
    const emails = await createEmailSender(readConfig({}), createServerLogger('silent'), outbox)
    const context = { db: w.database.kysely, emails, publicUrl: 'http://localhost:3000' }
    const { username } = (
      await w.database.pool.query('select username from users where public_id = $1', [lucia.id])
    ).rows[0]
    const link = new URL(await issueRecoveryLink(context, `@${username.toUpperCase()}`))
    expect(`${link.origin}${link.pathname}`).toBe('http://localhost:3000/recovery/new')
    const [message] = outbox.entries()
    expect(message).toMatchObject({ to: lucia.email, kind: 'operator-recovery' })
    expect(message?.text).not.toContain(link.searchParams.get('secret'))
    const { documents } = await lucia.call(settings.listSecurityEventsOperation, {})
    expect(documents[0]).toMatchObject({ event: 'recovery.operator', browser: null })
    const chosen = {
      userId: link.searchParams.get('userId') ?? '',
      secret: link.searchParams.get('secret') ?? '',
      password: 'una nueva y larga',
    }
    expect((await w.visitor.ask(emailLinks.resetPasswordOperation, chosen)).status).toBe(200)
    expect((await w.visitor.ask(emailLinks.resetPasswordOperation, chosen)).status).toBe(401)
    await expect(issueRecoveryLink(context, 'nadie')).rejects.toThrow('Nobody is called nadie.')
  })

  test.each([true, false])(
    "MFA-13 the operator's link ends neither two-factor authentication nor passkeys and verifies no mailbox (verified before: %s)",
    async (verified) => {
      const ana = await joinWithEverything('Ana')
      if (verified)
        await rows(
          'update accounts set email_verified = true, email_proven_at = clock_timestamp() where public_id = $1',
          [ana.accountId],
        )
      const before = await accountOf(ana)
      expect(before).toMatchObject({ email_verified: verified, mfa: true, phone: ana.phone })

      const chosen = await choose(await linkFor(ana))
      expect(chosen.body).toMatchObject({ secondStep: true })
      const cookie = extractCookieHeader(chosen)
      expect((await createApiClient(w.app, cookie).request('GET', '/v1/account')).status).toBe(401)
      expect(await accountOf(ana)).toEqual(before)
      expect(await ana.passkeys()).toHaveLength(1)

      // Every earlier session has ended, and only a person with the app can complete the sign-in.
      expect((await ana.request('GET', '/v1/account')).status).toBe(401)
      await rows('update totp_secrets set last_step = 0')
      const step = { factor: 'totp' as const, code: ana.totp.generate() }
      const whole = await createApiClient(w.app, cookie).ask(completeSecondStepOperation, step)
      const { documents } = await createApiClient(w.app, extractCookieHeader(whole)).call(
        settings.listSecurityEventsOperation,
        {},
      )
      const events = documents.map(({ event }) => event)
      expect(events).toEqual(expect.arrayContaining(['recovery.operator', 'recovery.update']))
      expect(events).not.toContain('mfa.delete')
    },
  )

  test('S22 choosing a password through the link removes a passkey added since the mailbox was verified, and an email says so', async () => {
    const olga = await joinWithEverything('Olga')
    await rows(
      "update accounts set email_verified = true, email_proven_at = clock_timestamp() - interval '1 day' where public_id = $1",
      [olga.accountId],
    )
    const before = await accountOf(olga)
    expect((await choose(await linkFor(olga))).body).toMatchObject({ secondStep: true })
    expect(await olga.passkeys()).toHaveLength(0)
    expect(await accountOf(olga)).toMatchObject({
      mfa: true,
      email_proven_at: before.email_proven_at,
    })
    expect((await fetchSentMessagesTo(w, olga.email)).map(({ kind }) => kind)).toContain('passkey-removed')
  })

  test("S21 a password set by the operator's link at an unverified address ends when the address owner signs in", async () => {
    const bruno = await w.join('Bruno')
    const inside = createApiClient(w.app, extractCookieHeader(await choose(await linkFor(bruno))))
    expect((await inside.request('GET', '/v1/account')).body).toMatchObject({ emailVerification: false })
    const unused = await linkFor(bruno)

    await w.visitor.ask(emailLinks.requestSignInLinkOperation, { email: bruno.email })
    const { userId, secret } = await fetchSentLinkSecret(w, bruno.email)
    expect((await w.visitor.ask(emailLinks.signInByLinkOperation, { userId, secret })).status).toBe(200)

    expect((await inside.request('GET', '/v1/account')).status).toBe(401)
    const again = { email: bruno.email, password: newPassword }
    expect((await w.visitor.request('POST', '/v1/sessions', again)).status).toBe(401)
    expect((await choose(unused)).status).toBe(401)
  })

  test("S21 an operator's link from before the member changed her address no longer works", async () => {
    const rita = await w.join('Rita')
    await rows('update accounts set email_verified = true where public_id = $1', [rita.accountId])
    const link = await linkFor(rita)
    const email = `nueva.${rita.email}`
    await rita.ask(settings.requestEmailChangeOperation, { email, password: testPassword })
    const { userId, secret } = await fetchSentLinkSecret(w, email)
    await rita.call(emailLinks.confirmEmailOperation, { userId, secret })
    expect((await choose(link)).status).toBe(401)
  })
})
