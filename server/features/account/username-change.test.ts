import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as settings from '#contract/account/account-settings.ts'
import { signUpOperation } from '#contract/account/sign-up-and-sign-in.ts'
import { countResponsesByStatus, raceTimeoutMs, runRaceRounds } from '#tests/support/run-race-rounds.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(() => w.end())

const rename = (her: MemberClient, username: string) =>
  her.ask(settings.changeUsernameOperation, { username })
const signUpAs = (username: string, email = `${username}@juntas.test`) =>
  w.visitor.ask(signUpOperation, { name: 'Nueva', username, email, password: testPassword })
const pass = (days: number) =>
  w.database.pool.query(
    `with a as (update accounts set username_changed_at = username_changed_at - make_interval(days => ${days}))
     update held_usernames set held_until = held_until - make_interval(days => ${days})`,
  )

describe('changing the username', () => {
  test('SET-07 a new username takes effect immediately, and the old one stays reserved for the member for thirty days', async () => {
    const ana = await w.join('Ana')
    expect(await rename(ana, 'ana.mar')).toMatchObject({ status: 200, body: { username: 'ana.mar' } })
    const taken = { status: 409, body: { type: 'user_username_already_exists' } }
    expect(await signUpAs('ana', 'una@juntas.test')).toMatchObject(taken)
    expect(await signUpAs('An_á', 'otra@juntas.test')).toMatchObject(taken)
    const bea = await w.join('Bea')
    expect(await rename(bea, 'ana')).toMatchObject(taken)
    expect(await rename(ana, 'ana')).toMatchObject({ status: 200 })
    expect(await signUpAs('ana.mar')).toMatchObject(taken)
    await pass(31)
    expect((await signUpAs('ana.mar')).status).toBe(201)
    const { documents } = await ana.call(settings.listSecurityEventsOperation, {})
    expect(documents.filter(({ event }) => event === 'username.update')).toHaveLength(2)
  })

  test('SET-07 a taken or reserved username or a missing re-authentication is refused and changes nothing', async () => {
    const [cleo, dora] = [await w.join('Cleo'), await w.join('Dora')]
    const { username } = await cleo.call(settings.changeUsernameOperation, { username: 'cleo.libre' })
    expect(await rename(dora, username)).toMatchObject({ body: { type: 'user_username_already_exists' } })
    expect(await rename(dora, 'soporte')).toMatchObject({ body: { type: 'user_name_reserved' } })
    expect((await rename(dora, 'x')).status).toBe(400)
    expect((await dora.call(settings.getAccountSettingsOperation, {})).usernameFixedUntil).toBeNull()
    await w.database.pool.query("update sessions set proved_at = proved_at - interval '16 minutes'")
    expect(await rename(dora, 'dora.libre')).toMatchObject({
      status: 401,
      body: { type: 'user_challenge_required' },
    })
  })

  test('SET-08 a member can change her username once in fourteen days', async () => {
    const eva = await w.join('Eva')
    expect((await rename(eva, 'eva.uno')).status).toBe(200)
    const refused = await rename(eva, 'eva.dos')
    expect(refused).toMatchObject({ status: 429, body: { type: 'username_too_soon' } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(13 * 86_400)
    const { usernameFixedUntil } = await eva.call(settings.getAccountSettingsOperation, {})
    expect(Date.parse(usernameFixedUntil ?? '') - Date.now()).toBeGreaterThan(13 * 86_400_000)
    await pass(14)
    expect((await rename(eva, 'eva.dos')).status).toBe(200)
  })

  test('SET-07 two requests for a username that is being given up both fail; of two concurrent changes, one succeeds', {
    timeout: raceTimeoutMs,
  }, async () => {
    await runRaceRounds(
      w.database,
      async (n) => {
        const [fara, gala] = [await w.join('Fara'), await w.join('Gala')]
        const left = (
          await w.database.pool.query('select username from users where public_id = $1', [fara.id])
        ).rows[0].username
        return [
          () => rename(fara, `fara.nueva.${n}`),
          () => rename(fara, `fara.otra.${n}`),
          () => rename(gala, left),
          () => signUpAs(left, `quien${n}@juntas.test`),
        ]
      },
      (answers) => expect(countResponsesByStatus(answers)).toEqual({ 200: 1, 409: 2, 429: 1 }),
    )
  })
})
