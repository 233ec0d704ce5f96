import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiClient } from '#api-client/member-client.ts'
import * as settings from '#contract/account/account-settings.ts'
import * as exporting from '#contract/data-export/account-export.ts'
import * as contract from '#contract/deletion/deletion.ts'
import { extractCookieHeader, fetchSentMessagesTo } from '#tests/support/sent-messages.ts'
import { waitFor } from '#tests/support/wait-for.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(() => w.end())

const query = async <T = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await w.database.pool.query(text, values)).rows

/** This machine is exempt from limits. */
const from = (remoteAddress: string, cookie = '') =>
  createApiClient({ inject: (options: InjectOptions) => w.app.inject({ ...options, remoteAddress }) }, cookie)

const signInFrom = async (address: string, email: string) => {
  const answer = await from(address).request('POST', '/v1/sessions', { email, password: testPassword })
  expect(answer.status).toBe(201)
  return from(address, extractCookieHeader(answer))
}

let networks = 0
const nextNetwork = () => {
  networks += 1
  return `198.51.100.${networks}`
}

const askToDelete = async (who: ReturnType<typeof from>, username: string) => {
  const answer = await who.ask(contract.requestDeletionOperation, { username })
  expect([answer.status, answer.body]).toMatchObject([200, {}])
}

const emailsTo = async (to: string, kind = 'deletion-asked') =>
  (await fetchSentMessagesTo(w, to)).filter((message) => message.kind === kind).length

const verifyEmail = ({ accountId }: MemberClient) =>
  query(
    'update accounts set email_verified = true, email_proven_at = clock_timestamp() where public_id = $1',
    [accountId],
  )

describe('repeatedly requesting the deletion and keeping the account', () => {
  const phone = '+34611000888'
  test.each([
    ['to an address that nobody has proven', async () => {}, null],
    ['to one that is proven', verifyEmail, null],
    ['to a number', async () => {}, phone],
  ])(
    'DEL-05 S25 repeated deletion requests send at most ten messages a day %s, and each request still takes effect',
    async (_, prepare, number) => {
      const eva = await w.join('Eva')
      const username = eva.email.split('@')[0] as string
      await prepare(eva)
      for (let time = 0; time < 13; time += 1) {
        const thief = await signInFrom(nextNetwork(), eva.email)
        if (number)
          await query(
            'update accounts set email = null, phone = $1, phone_verified = true where public_id = $2',
            [number, eva.accountId],
          )
        await askToDelete(thief, username)
        expect(await query('select status from accounts where public_id = $1', [eva.accountId])).toEqual([
          { status: 'blocked' },
        ])
        await query('update accounts set email = $1 where public_id = $2', [eva.email, eva.accountId])
        await (await signInFrom(nextNetwork(), eva.email)).call(contract.keepAccountOperation, {})
      }
      expect(await emailsTo(number ?? eva.email)).toBe(10)
    },
  )
})

test('S25 a network that used up its fifty emails sends deletion and new-browser emails only to verified addresses', async () => {
  const [eva, ana] = [await w.join('Eva'), await w.join('Ana')]
  await verifyEmail(ana)
  const site = (time: number) => `2001:db8:7:${time.toString(16)}::1`
  for (let time = 0; time < 50; time += 1)
    await from(site(time)).request('POST', '/v1/account/tokens/email', {
      userId: 'unique()',
      email: `lejos${time}@juntas.test`,
    })
  for (const [who, messages] of [
    [eva, 0],
    [ana, 1],
  ] as const) {
    const there = await signInFrom(site(60), who.email)
    expect(await emailsTo(who.email, 'new-device')).toBe(messages)
    const { secret } = await there.call(settings.beginAuthenticatorOperation, {})
    const { Secret, TOTP } = await import('otpauth')
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
    await there.call(settings.turnOnTwoFactorOperation, { code })
    expect(await emailsTo(who.email, 'two-steps-on')).toBe(messages)
    await askToDelete(there, who.email.split('@')[0] as string)
    expect(await emailsTo(who.email)).toBe(messages)
  }
})

test("DEL-05 EXPT-01 repeated sign-ups with a stranger's address send it at most ten export and deletion emails a day", async () => {
  const email = 'ajena@juntas.test'
  for (let time = 0; time < 7; time += 1) {
    await from('127.0.0.1').request('POST', '/v1/members', {
      name: 'Ajena',
      username: `ajena${time}`,
      email,
      password: testPassword,
    })
    const there = await signInFrom(nextNetwork(), email)
    await there.call(exporting.requestExportOperation, {})
    await waitFor(async () =>
      expect((await there.call(exporting.getExportOperation, {})).export?.state).toBe('ready'),
    )
    await askToDelete(there, `ajena${time}`)
    const again = await signInFrom(nextNetwork(), email)
    await again.call(contract.eraseNowOperation, { username: `ajena${time}`, password: testPassword })
    await waitFor(async () =>
      expect(await query('select from accounts where email = $1', [email])).toEqual([]),
    )
  }
  expect((await emailsTo(email, 'export-ready')) + (await emailsTo(email, 'deletion-done'))).toBe(10)
})
