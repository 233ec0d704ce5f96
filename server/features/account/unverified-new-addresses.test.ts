import { afterAll, beforeAll, expect, test } from 'vitest'
import * as settings from '#contract/account/account-settings.ts'
import * as emailLinks from '#contract/account/email-links.ts'
import {
  fetchNewestMessageTo,
  fetchSentLinkSecret,
  fetchSentMessagesTo,
} from '#tests/support/sent-messages.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(() => w.end())

const followLinkTo = async (member: Pick<MemberClient, 'ask'>, email: string) => {
  const { userId, secret } = await fetchSentLinkSecret(w, email)
  return member.ask(emailLinks.confirmEmailOperation, { userId, secret })
}
const verifyEmail = async (member: MemberClient) => {
  await member.call(settings.requestEmailConfirmationOperation, {})
  expect((await followLinkTo(member, member.email)).status).toBe(200)
}
const joinVerified = async (name: string) => {
  const member = await w.join(name)
  await verifyEmail(member)
  return member
}
const emailOf = async (member: MemberClient) =>
  (await member.request<{ email: string }>('GET', '/v1/account')).body.email
const signIn = (email: string) => w.visitor.request('POST', '/v1/sessions', { email, password: testPassword })

test('S21 a member verifies an address that a stranger left unverified, through both APIs; the stranger loses only the address', async () => {
  for (const api of ['/v1', 'appwrite']) {
    const [ana, stranger] = [await joinVerified('Ana'), await w.join('Bruno')]
    const wanted = { email: stranger.email, password: testPassword }
    const asked =
      api === 'appwrite'
        ? await ana.request('PATCH', '/v1/account/email', wanted)
        : await ana.ask(settings.requestEmailChangeOperation, wanted)
    expect(asked.status).toBe(200)
    expect(await fetchNewestMessageTo(w, stranger.email)).toMatchObject({ kind: 'email-change' })
    expect(await emailOf(stranger)).toBe(stranger.email)
    expect((await followLinkTo(ana, stranger.email)).status).toBe(200)
    expect(await emailOf(ana)).toBe(stranger.email)
    expect((await signIn(stranger.email)).body).toMatchObject({ accountId: ana.accountId })
    expect(await emailOf(stranger)).toBe('')
    const own = `propio.${stranger.email}`
    await stranger.call(settings.requestEmailChangeOperation, { email: own })
    expect((await signIn(own)).body).toMatchObject({ accountId: stranger.accountId })
  }
})

test("S21 once the member has verified an address, links emailed there for the stranger's account stop working", async () => {
  const [carla, stranger] = [await joinVerified('Carla'), await w.join('Dario')]
  await stranger.call(settings.requestEmailConfirmationOperation, {})
  const his = await fetchSentLinkSecret(w, stranger.email)
  await carla.call(settings.requestEmailChangeOperation, { email: stranger.email, password: testPassword })
  await followLinkTo(carla, stranger.email)
  const { userId, secret } = his
  expect((await stranger.ask(emailLinks.confirmEmailOperation, { userId, secret })).body).toMatchObject({
    type: 'user_invalid_token',
  })
  expect(await emailOf(carla)).toBe(stranger.email)
})

test('S21 nobody can take over an address that another account has verified: its owner is notified, and no link works', async () => {
  const [eva, fay] = [await joinVerified('Eva'), await joinVerified('Fay')]
  await eva.call(settings.requestEmailChangeOperation, { email: fay.email, password: testPassword })
  const message = await fetchNewestMessageTo(w, fay.email)
  expect(message).toMatchObject({ kind: 'email-taken' })
  expect(message.text).not.toContain('secret')
  const throughAppwrite = await eva.request('PATCH', '/v1/account/email', {
    email: fay.email,
    password: testPassword,
  })
  expect(throughAppwrite).toMatchObject({ status: 409, body: { type: 'user_email_already_exists' } })
})

test('S21 an address that the stranger verifies first stays with the stranger', async () => {
  const [gala, other] = [await joinVerified('Gala'), await w.join('Otra')]
  await gala.call(settings.requestEmailChangeOperation, { email: other.email, password: testPassword })
  const { userId, secret } = await fetchSentLinkSecret(w, other.email)
  await verifyEmail(other)
  expect((await gala.ask(emailLinks.confirmEmailOperation, { userId, secret })).status).toBe(401)
  expect(await emailOf(gala)).toBe(gala.email)
})

test("S21 an attacker who changed a member's address cannot block her undo by signing up with the old address", async () => {
  const hada = await joinVerified('Hada')
  const email = `ladrona.${hada.email}`
  await hada.call(settings.requestEmailChangeOperation, { email, password: testPassword })
  await followLinkTo(hada, email)
  const claim = { userId: 'unique()', email: hada.email, password: 'una clave de ladrona' }
  expect((await w.visitor.request('POST', '/v1/account', claim)).status).toBe(201)
  const undo = (await fetchSentMessagesTo(w, hada.email)).findLast(({ kind }) => kind === 'email-undo')
  const { searchParams } = new URL(/https?:\S+/.exec(undo?.text ?? '')?.[0] ?? '')
  const linkParameters = {
    userId: searchParams.get('userId') ?? '',
    secret: searchParams.get('secret') ?? '',
  }
  const back = await w.visitor.call(emailLinks.undoEmailChangeOperation, linkParameters)
  const chosen = { ...back, password: 'otra vez la mia' }
  expect((await w.visitor.ask(emailLinks.resetPasswordOperation, chosen)).body).toMatchObject({
    accountId: hada.accountId,
  })
})
