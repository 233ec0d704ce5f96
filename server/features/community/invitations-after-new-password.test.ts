import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiClient } from '#api-client/member-client.ts'
import * as settings from '#contract/account/account-settings.ts'
import * as emailLinks from '#contract/account/email-links.ts'
import {
  createInvitationOperation,
  getInvitationOperation,
  listInvitationsOperation,
} from '#contract/community/invitations.ts'
import { extractCookieHeader, fetchSentLinkSecret } from '#tests/support/sent-messages.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(() => w.end())

const chosen = 'otra clave y muy larga'
const invite = async (member: MemberClient) =>
  (await member.call(createInvitationOperation, {})).code ?? 'an open invitation has a code'
const statusOf = async (code: string) => (await w.visitor.ask(getInvitationOperation, { code })).status
const emailLinkSentTo = async (email: string) => {
  const { userId, secret } = await fetchSentLinkSecret(w, email)
  return { userId, secret }
}
const verifyEmail = async (member: MemberClient) => {
  await member.call(settings.requestEmailConfirmationOperation, {})
  await member.call(emailLinks.confirmEmailOperation, await emailLinkSentTo(member.email))
}
const recover = async ({ email }: MemberClient) => {
  await w.visitor.call(emailLinks.requestPasswordResetOperation, { email })
  const linkParameters = { ...(await emailLinkSentTo(email)), password: chosen }
  return createApiClient(
    w.app,
    extractCookieHeader(await w.visitor.ask(emailLinks.resetPasswordOperation, linkParameters)),
  )
}

test("changing the password ends a thief's invitations through both APIs, and the member can create new ones", async () => {
  for (const api of ['/v1', 'appwrite']) {
    const ana = await w.join('Ana')
    await verifyEmail(ana)
    const code = await invite(ana)
    if (api === 'appwrite')
      await ana.request('PATCH', '/v1/account/password', { password: chosen, oldPassword: testPassword })
    else await ana.call(settings.changePasswordOperation, { password: chosen, currentPassword: testPassword })
    expect(await statusOf(code)).toBe(410)
    const { documents } = await ana.call(listInvitationsOperation, {})
    expect(documents).toMatchObject([{ state: 'ended', code: null }])
    expect(await statusOf(await invite(ana))).toBe(200)
  }
})

test('INV-04 recovering the account ends its open invitations, and their codes no longer work', async () => {
  const bea = await w.join('Bea')
  await verifyEmail(bea)
  const code = await invite(bea)
  const hers = await recover(bea)
  expect((await hers.call(listInvitationsOperation, {})).documents).toMatchObject([{ state: 'ended' }])
  const guest = { userId: 'unique()', email: 'ladron@juntas.test', password: chosen }
  const entering = await w.visitor.request('POST', '/v1/account', guest, { 'x-juntas-invite': code })
  expect(entering.body).toMatchObject({ type: 'invitation_over' })
})

test("verifying an address that someone else signed up with ends that account's invitations", async () => {
  const [byPassword, byLink] = [await w.join('Carlo'), await w.join('Dario')]
  const codes = [await invite(byPassword), await invite(byLink)]
  await recover(byPassword)
  await w.visitor.call(emailLinks.requestSignInLinkOperation, { email: byLink.email })
  await w.visitor.call(emailLinks.signInByLinkOperation, await emailLinkSentTo(byLink.email))
  expect(await Promise.all(codes.map(statusOf))).toEqual([410, 410])
})

test("undoing a change of address ends the account's invitations", async () => {
  const eva = await w.join('Eva')
  await verifyEmail(eva)
  const email = `ladrona.${eva.email}`
  await eva.call(settings.requestEmailChangeOperation, { email, password: testPassword })
  await eva.call(emailLinks.confirmEmailOperation, await emailLinkSentTo(email))
  const code = await invite(eva)
  await w.visitor.call(emailLinks.undoEmailChangeOperation, await emailLinkSentTo(eva.email))
  expect(await statusOf(code)).toBe(410)
})

test('an invitation stays open when the member confirms her own address while signed in', async () => {
  const fay = await w.join('Fay')
  const code = await invite(fay)
  await verifyEmail(fay)
  expect(await statusOf(code)).toBe(200)
})
