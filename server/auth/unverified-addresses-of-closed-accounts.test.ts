import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiClient } from '#api-client/member-client.ts'
import * as settings from '#contract/account/account-settings.ts'
import * as emailLinks from '#contract/account/email-links.ts'
import {
  extractCookieHeader,
  fetchCodeSentTo,
  fetchSentLinkSecret,
  fetchSentMessagesTo,
} from '#tests/support/sent-messages.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(() => w.end())

const herPassword = 'una clave larga y suya'

const close = (stranger: MemberClient) =>
  stranger.request('PATCH', '/v1/account/status', { password: testPassword })
const suspend = ({ accountId }: MemberClient) =>
  w.database.pool.query(
    `with s as (insert into suspensions (account_id, reason, ends_at, reopens)
       select a.id, 'Acoso', null, true from accounts a where a.public_id = $1 returning account_id)
     update accounts set status = 'blocked' from s where accounts.id = s.account_id`,
    [accountId],
  )
const accountOf = async ({ accountId }: MemberClient) =>
  (await w.database.pool.query('select email, phone, status from accounts where public_id = $1', [accountId]))
    .rows[0]
const linkTo = async (email: string) => {
  await w.visitor.ask(emailLinks.requestSignInLinkOperation, { email })
  const { userId, secret } = await fetchSentLinkSecret(w, email)
  return { userId, secret }
}
const kindsSentTo = async (email: string) => (await fetchSentMessagesTo(w, email)).map(({ kind }) => kind)
const seenInside = async (signedIn: { headers: Record<string, string> }) =>
  (await createApiClient(w.app, extractCookieHeader(signedIn)).request('GET', '/v1/account')).body

test("S21 a stranger who closes an account with the owner's address cannot lock her out, by a link or an Appwrite client", async () => {
  for (const url of ['/v1/sign-in-link', '/v1/account/sessions/magic-url']) {
    const stranger = await w.join('Bruno')
    expect((await close(stranger)).status).toBe(200)
    const signedIn = await w.visitor.request('PUT', url, await linkTo(stranger.email))
    expect(signedIn.status).toBeLessThan(300)
    const inside = await seenInside(signedIn)
    expect(inside).toMatchObject({ email: stranger.email, emailVerification: true, name: '', status: true })
    expect(inside).not.toMatchObject({ $id: stranger.accountId })
    expect(await accountOf(stranger)).toMatchObject({ email: null, status: 'blocked' })
    const { email } = stranger
    expect((await w.visitor.request('POST', '/v1/sessions', { email, password: testPassword })).status).toBe(
      401,
    )
  }
})

test('S21 a suspended stranger cannot lock the owner out, and she does not see the reason for the suspension', async () => {
  const stranger = await w.join('Carlo')
  await suspend(stranger)
  const signedIn = await w.visitor.ask(emailLinks.signInByLinkOperation, await linkTo(stranger.email))
  expect(signedIn.status).toBe(200)
  expect(JSON.stringify(signedIn.body)).not.toContain('Acoso')
  expect(await seenInside(signedIn)).toMatchObject({ email: stranger.email, status: true })
  expect(await accountOf(stranger)).toMatchObject({ email: null, status: 'blocked' })
})

test('a recovery email gives the owner a new account, even if a closed or suspended account had her address', async () => {
  for (const shut of [close, suspend]) {
    const stranger = await w.join('Dario')
    const { email } = stranger
    await shut(stranger)
    await w.visitor.call(emailLinks.requestPasswordResetOperation, { email })
    expect(await kindsSentTo(email)).toContain('recovery')
    const { userId, secret } = await fetchSentLinkSecret(w, email)
    const linkParameters = { userId, secret, password: herPassword }
    const back = await w.visitor.ask(emailLinks.resetPasswordOperation, linkParameters)
    expect(back.status).toBe(200)
    expect(await seenInside(back)).toMatchObject({ email, emailVerification: true, name: '' })
    expect(await accountOf(stranger)).toMatchObject({ email: null, status: 'blocked' })
    const byPassword = (password: string) => w.visitor.request('POST', '/v1/sessions', { email, password })
    expect((await byPassword(herPassword)).status).toBe(201)
    expect((await byPassword(testPassword)).status).toBe(401)
  }
})

test('a verification email sent before the stranger closed the account no longer works, and the owner can sign in', async () => {
  const stranger = await w.join('Elio')
  await stranger.call(settings.requestEmailConfirmationOperation, {})
  const { userId, secret } = await fetchSentLinkSecret(w, stranger.email)
  await close(stranger)
  const pressed = await w.visitor.ask(emailLinks.confirmEmailOperation, { userId, secret })
  expect(pressed).toMatchObject({ status: 401, body: { type: 'user_invalid_token' } })
  const signedIn = await w.visitor.ask(emailLinks.signInByLinkOperation, await linkTo(stranger.email))
  expect(signedIn.status).toBe(200)
})

test('a code gives the owner the phone number that a closed account left unverified, even if it closed temporarily', async () => {
  const closeForAWhile = (stranger: MemberClient) => stranger.call(settings.closeAccountOperation, {})
  for (const [index, shut] of [close, suspend, closeForAWhile].entries()) {
    const [stranger, phone] = [await w.join('Fabio'), `+3460077710${index}`]
    await w.database.pool.query('update accounts set phone = $1 where public_id = $2', [
      phone,
      stranger.accountId,
    ])
    await shut(stranger)
    await w.visitor.request('POST', '/v1/account/tokens/phone', { userId: `fabia-${index}`, phone })
    const secret = await fetchCodeSentTo(w, phone)
    const signedIn = await w.visitor.request('PUT', '/v1/account/sessions/phone', {
      userId: `fabia-${index}`,
      secret,
    })
    expect(signedIn.status).toBe(201)
    expect(signedIn.body).toMatchObject({ userId: `fabia-${index}` })
    expect(await accountOf(stranger)).toMatchObject({ email: stranger.email, phone: null, status: 'blocked' })
  }
})

test('a suspended member with a verified address cannot bypass the suspension by email', async () => {
  const gala = await w.join('Gala')
  await gala.call(settings.requestEmailConfirmationOperation, {})
  const { userId, secret } = await fetchSentLinkSecret(w, gala.email)
  await gala.call(emailLinks.confirmEmailOperation, { userId, secret })
  await suspend(gala)
  const refused = await w.visitor.ask(emailLinks.signInByLinkOperation, await linkTo(gala.email))
  expect(refused).toMatchObject({ status: 401, body: { type: 'user_blocked' } })
  await w.visitor.call(emailLinks.requestPasswordResetOperation, { email: gala.email })
  expect(await kindsSentTo(gala.email)).not.toContain('recovery')
  expect(await accountOf(gala)).toMatchObject({ email: gala.email })
})

test('a member who closed her account temporarily reopens it with her password, although her email is unverified', async () => {
  const hada = await w.join('Hada')
  await hada.call(settings.closeAccountOperation, {})
  const { email } = hada
  await w.visitor.call(emailLinks.requestPasswordResetOperation, { email })
  await linkTo(email)
  expect((await w.visitor.request('POST', '/v1/sessions', { email, password: testPassword })).status).toBe(
    201,
  )
  expect(await accountOf(hada)).toMatchObject({ email, status: 'active' })
})
