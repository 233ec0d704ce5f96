/** Taking another username, disconnecting a provider, and the link an operator makes for somebody who cannot sign in. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signUpOperation } from '#contract/account.ts'
import * as settings from '#contract/account-security.ts'
import * as recovery from '#contract/recovery.ts'
import { readConfig } from '#server/config.ts'
import { createServerLogger } from '#server/log.ts'
import { createDevOutbox } from '#server/messaging/dev-outbox.ts'
import { createMailSender } from '#server/messaging/mail.ts'
import { countResponsesByStatus, raceTimeoutMs, runRaceRounds } from '#tests/support/race.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'
import { issueRecoveryLink } from './operator-commands.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(() => w.end())

const rename = (her: MemberClient, username: string) =>
  her.ask(settings.changeUsernameOperation, { username })
const signUpAs = (username: string, email = `${username}@juntas.test`) =>
  w.visitor.ask(signUpOperation, { name: 'Nueva', username, email, password: testPassword })
/** Lets time pass for whoever changed a username. */
const pass = (days: number) =>
  w.database.pool.query(
    `with a as (update accounts set username_changed_at = username_changed_at - make_interval(days => ${days}))
     update held_usernames set held_until = held_until - make_interval(days => ${days})`,
  )

describe('another username', () => {
  test('SET-07 is hers at once; the old one is nobody else’s for thirty days, not by a look-alike, and hers again at once', async () => {
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

  test('SET-07 is refused when taken, the operator’s or without a proof, and then nothing has changed', async () => {
    const [cleo, dora] = [await w.join('Cleo'), await w.join('Dora')]
    const { username } = await cleo.call(settings.changeUsernameOperation, { username: 'cleo.libre' })
    expect(await rename(dora, username)).toMatchObject({ body: { type: 'user_username_already_exists' } })
    expect(await rename(dora, 'soporte')).toMatchObject({ body: { type: 'user_name_reserved' } })
    expect((await rename(dora, 'x')).status).toBe(400)
    expect((await dora.call(settings.getSettingsOperation, {})).usernameFixedUntil).toBeNull()
    await w.database.pool.query("update sessions set proved_at = proved_at - interval '16 minutes'")
    expect(await rename(dora, 'dora.libre')).toMatchObject({
      status: 401,
      body: { type: 'user_challenge_required' },
    })
  })

  test('SET-08 is changed once in fourteen days', async () => {
    const eva = await w.join('Eva')
    expect((await rename(eva, 'eva.uno')).status).toBe(200)
    const refused = await rename(eva, 'eva.dos')
    expect(refused).toMatchObject({ status: 429, body: { type: 'username_too_soon' } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(13 * 86_400)
    const { usernameFixedUntil } = await eva.call(settings.getSettingsOperation, {})
    expect(Date.parse(usernameFixedUntil ?? '') - Date.now()).toBeGreaterThan(13 * 86_400_000)
    await pass(14)
    expect((await rename(eva, 'eva.dos')).status).toBe(200)
  })

  test('SET-07 of two who want one that is being left neither gets it; of two changes of hers one is made', {
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

describe('providers that open the account', () => {
  const connect = async ({ accountId }: MemberClient, provider: string) =>
    w.database.pool.query(
      `insert into identities (public_id, account_id, provider, provider_uid, provider_email)
       select $2 || a.id, a.id, $2, a.public_id, 'hana@proveedora.test' from accounts a where a.public_id = $1`,
      [accountId, provider],
    )
  const forgetPassword = ({ accountId }: MemberClient) =>
    w.database.pool.query('update accounts set password_hash = null where public_id = $1', [accountId])

  test('SET-11 SET-12 are listed and disconnected; the last way in stays, at either door; nobody else’s by any id', async () => {
    const [hana, iris] = [await w.join('Hana'), await w.join('Iris')]
    for (const provider of ['google', 'gitlab']) await connect(hana, provider)
    await forgetPassword(hana)
    const { identities } = await hana.call(settings.getSettingsOperation, {})
    expect(identities).toMatchObject([
      { provider: 'google', email: 'hana@proveedora.test' },
      { provider: 'gitlab' },
    ])
    const [google = '', gitlab = ''] = identities.map(({ $id }) => $id)
    expect((await iris.ask(settings.disconnectIdentityOperation, { identityId: google })).status).toBe(204)
    for (const status of [204, 204])
      expect((await hana.ask(settings.disconnectIdentityOperation, { identityId: google })).status).toBe(
        status,
      )
    const last = { status: 409, body: { type: 'user_last_way_in' } }
    expect(await hana.ask(settings.disconnectIdentityOperation, { identityId: gitlab })).toMatchObject(last)
    expect(await hana.request('DELETE', `/v1/account/identities/${gitlab}`)).toMatchObject(last)
    expect((await hana.call(settings.getSettingsOperation, {})).identities).toMatchObject([
      { provider: 'gitlab' },
    ])
  })

  test('SET-11 of the last two that are disconnected at once one stays', {
    timeout: raceTimeoutMs,
  }, async () => {
    await runRaceRounds(
      w.database,
      async () => {
        const juana = await w.join('Juana')
        for (const provider of ['google', 'gitlab']) await connect(juana, provider)
        await forgetPassword(juana)
        const { identities } = await juana.call(settings.getSettingsOperation, {})
        return identities.map(
          ({ $id }) =>
            () =>
              juana.ask(settings.disconnectIdentityOperation, { identityId: $id }),
        )
      },
      (answers) => expect(countResponsesByStatus(answers)).toEqual({ 204: 1, 409: 1 }),
    )
  })
})

describe('the operator', () => {
  test('REC-12 makes a link by which a member chooses a password; the member is told by letter and in the log', async () => {
    const lucia = await w.join('Lucia')
    const outbox = createDevOutbox()
    const mail = await createMailSender(readConfig({}), createServerLogger('silent'), outbox)
    const context = { db: w.database.kysely, mail, publicUrl: 'http://localhost:3000' }
    const { username } = (
      await w.database.pool.query('select username from users where public_id = $1', [lucia.id])
    ).rows[0]
    const link = new URL(await issueRecoveryLink(context, `@${username.toUpperCase()}`))
    expect(`${link.origin}${link.pathname}`).toBe('http://localhost:3000/recovery/new')
    const [letter] = outbox.entries()
    expect(letter).toMatchObject({ to: lucia.email, kind: 'operator-recovery' })
    expect(letter?.text).not.toContain(link.searchParams.get('secret'))
    const { documents } = await lucia.call(settings.listSecurityEventsOperation, {})
    expect(documents[0]).toMatchObject({ event: 'recovery.operator', browser: null })
    const chosen = {
      userId: link.searchParams.get('userId') ?? '',
      secret: link.searchParams.get('secret') ?? '',
      password: 'una nueva y larga',
    }
    expect((await w.visitor.ask(recovery.resetPasswordOperation, chosen)).status).toBe(200)
    expect((await w.visitor.ask(recovery.resetPasswordOperation, chosen)).status).toBe(401)
    await expect(issueRecoveryLink(context, 'nadie')).rejects.toThrow('Nobody is called nadie.')
  })
})
