import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MemberClient } from '#api-client/member-client.ts'
import {
  getCurrentMemberOperation,
  signInOperation,
  signUpOperation,
} from '#contract/account/sign-up-and-sign-in.ts'
import {
  acceptHouseRulesOperation,
  checkSetupLinkOperation,
  getCommunityOperation,
  getCommunitySettingsOperation,
  setUpCommunityOperation,
  updateCommunityOperation,
} from '#contract/community/community.ts'
import { createTestWorld, type TestWorld, testPassword } from '#tests/support/world.ts'
import { promoteToOperator } from './promote-to-operator.ts'
import { issueCommunitySetupPath } from './setup-link.ts'

const missing = { code: 404, type: 'general_route_not_found' }

describe('community settings', () => {
  let w: TestWorld
  let ana: MemberClient
  let olga: MemberClient
  beforeAll(async () => {
    w = await createTestWorld()
    ana = await w.join('Ana')
    olga = await w.join('Olga')
    await promoteToOperator(w.database.kysely, 'olga2')
  })
  afterAll(() => w.end())

  test('INV-09 only an operator reads and writes the community settings; for ana they do not exist', async () => {
    expect(await ana.refusal(getCommunitySettingsOperation, {})).toMatchObject(missing)
    expect(await ana.refusal(updateCommunityOperation, { name: 'De Ana' })).toMatchObject(missing)
    expect(await w.visitor.refusal(getCommunitySettingsOperation, {})).toMatchObject({ code: 401 })
    expect(await olga.call(getCommunitySettingsOperation, {})).toMatchObject({
      name: 'Juntas',
      registration: 'open',
      fixed: [],
    })
    const change = { name: 'Juntas Jalisco', registration: 'invite', contact: 'Colectiva Barro' } as const
    expect(await olga.call(updateCommunityOperation, change)).toMatchObject(change)
    expect(await w.visitor.call(getCommunityOperation, {})).toMatchObject(change)
    expect(await olga.call(getCurrentMemberOperation, {})).toMatchObject({ operates: true, invites: true })
    expect(await ana.call(getCurrentMemberOperation, {})).not.toHaveProperty('operates')
    await olga.call(updateCommunityOperation, { registration: 'open' })
  })

  test.each([
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(61) }, 'name'],
    [{ registration: 'maybe' }, 'registration'],
    [{ rules: ['1', '2', '3', '4', '5', '6'] }, 'rules'],
    [{ rules: ['x'.repeat(301)] }, 'rules.0'],
    [{ contact: 'x'.repeat(201) }, 'contact'],
  ])('INV-09 changing the community settings to %j returns 400, naming the field', async (wrong, field) => {
    expect(await olga.refusal(updateCommunityOperation, wrong)).toMatchObject({ code: 400, field })
  })

  test('INV-08 existing members must accept changed rules once; new members accept them at sign-up', async () => {
    const rules = ['Lo que se ve aquí se queda aquí.', 'Nada de odio.']
    const { rulesVersion } = await olga.call(updateCommunityOperation, { rules: [...rules, ' '] })
    expect(await w.visitor.call(getCommunityOperation, {})).toMatchObject({ rules, rulesVersion })
    expect((await ana.call(getCurrentMemberOperation, {})).unreadHouseRules).toBe(rulesVersion)
    await ana.call(acceptHouseRulesOperation, { version: rulesVersion })
    expect(await ana.call(getCurrentMemberOperation, {})).not.toHaveProperty('unreadHouseRules')

    const nora = { name: 'Nora', username: 'nora', email: 'nora@juntas.test', password: testPassword }
    for (const version of [undefined, rulesVersion - 1])
      expect(await w.visitor.refusal(signUpOperation, { ...nora, rulesVersion: version })).toMatchObject({
        code: 400,
        type: 'rules_unseen',
        field: 'rulesVersion',
      })
    await w.visitor.call(signUpOperation, { ...nora, rulesVersion })
    const session = await w.visitor.ask(signInOperation, nora)
    const cookie = session.headers['set-cookie']?.split(';')[0] ?? ''
    const me = await w.visitor.request('GET', '/v1/me', undefined, { cookie })
    expect(me.body).not.toHaveProperty('unreadHouseRules')

    // Rules with the same text do not count as a change.
    expect(await olga.call(updateCommunityOperation, { rules, name: 'Otro nombre' })).toMatchObject({
      rulesVersion,
    })
    const next = await olga.call(updateCommunityOperation, { rules: rules.slice(0, 1) })
    expect(next.rulesVersion).toBe(rulesVersion + 1)
    expect((await ana.call(getCurrentMemberOperation, {})).unreadHouseRules).toBe(rulesVersion + 1)
    await ana.call(acceptHouseRulesOperation, { version: 2_000_000_000 })
    await olga.call(updateCommunityOperation, { rules })
    expect((await ana.call(getCurrentMemberOperation, {})).unreadHouseRules).toBe(rulesVersion + 2)
    await olga.call(updateCommunityOperation, { rules: [] })
    expect(await ana.call(getCurrentMemberOperation, {})).not.toHaveProperty('unreadHouseRules')
  })
})

test('INV-09 environment variables override community settings, and the screen cannot change them', async () => {
  const w = await createTestWorld({ REGISTRATION: 'open', CONTACT: 'Colectiva Barro' })
  try {
    const olga = await w.join('Olga')
    await promoteToOperator(w.database.kysely, 'olga')
    await w.database.pool.query(`insert into community (registration, contact) values ('closed', 'otra')
      on conflict (only_row) do update set registration = 'closed', contact = 'otra'`)
    expect(await olga.call(getCommunitySettingsOperation, {})).toMatchObject({
      registration: 'open',
      contact: 'Colectiva Barro',
      fixed: ['registration', 'contact'],
    })
    expect(await olga.refusal(updateCommunityOperation, { registration: 'invite' })).toMatchObject({
      code: 409,
      type: 'community_set_by_operator',
      field: 'registration',
    })
    expect((await olga.call(updateCommunityOperation, { name: 'Juntas Jalisco' })).name).toBe(
      'Juntas Jalisco',
    )
  } finally {
    await w.end()
  }
})

describe('INV-10 the setup link of the first start', () => {
  let w: TestWorld
  beforeAll(async () => {
    w = await createTestWorld({ LIMITS: 'off' })
  })
  afterAll(() => w.end())

  const secretOf = (path: string | null) => path?.split('/').at(-1) ?? ''
  const account = { name: 'Olga', username: 'olga', email: 'olga@juntas.test', password: testPassword }
  const community = {
    name: 'Juntas Jalisco',
    registration: 'invite',
    rules: ['Nada de odio.'],
    contact: '',
  } as const

  test('INV-10 a setup link works once, creates an operator, and ends all other setup links', async () => {
    const first = secretOf(await issueCommunitySetupPath(w.database.kysely))
    const secret = secretOf(await issueCommunitySetupPath(w.database.kysely))
    for (const one of [first, secret]) await w.visitor.call(checkSetupLinkOperation, { secret: one })
    expect(
      await w.visitor.refusal(setUpCommunityOperation, {
        secret,
        community,
        account: { ...account, email: 'x' },
      }),
    ).toMatchObject({ code: 400, field: 'account.email' })

    const answers = await Promise.all([
      w.visitor.ask(setUpCommunityOperation, { secret, community, account }),
      w.visitor.ask(setUpCommunityOperation, {
        secret,
        community,
        account: { ...account, username: 'otra', email: 'otra@juntas.test' },
      }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 404])
    for (const one of [first, secret])
      expect(await w.visitor.refusal(checkSetupLinkOperation, { secret: one })).toMatchObject(missing)
    expect(await issueCommunitySetupPath(w.database.kysely)).toBeNull()
    expect(await w.visitor.call(getCommunityOperation, {})).toMatchObject({
      name: 'Juntas Jalisco',
      registration: 'invite',
    })
    const email = answers[0]?.status === 201 ? account.email : 'otra@juntas.test'
    const session = await w.visitor.ask(signInOperation, { email, password: testPassword })
    const cookie = session.headers['set-cookie']?.split(';')[0] ?? ''
    const me = await w.visitor.request('GET', '/v1/me', undefined, { cookie })
    expect(me.body).toMatchObject({ operates: true })
    expect(me.body).not.toHaveProperty('unreadHouseRules')
  })

  test('INV-10 a setup link stays valid if someone has signed up meanwhile', async () => {
    const empty = await createTestWorld({ LIMITS: 'off' })
    try {
      const secret = secretOf(await issueCommunitySetupPath(empty.database.kysely))
      expect((await empty.visitor.request('POST', '/v1/account/sessions/anonymous', {})).status).toBe(201)
      await empty.join('Eva')
      await empty.visitor.call(checkSetupLinkOperation, { secret })
      await empty.visitor.call(setUpCommunityOperation, {
        secret,
        community: { ...community, rules: [] },
        account,
      })
      expect(await empty.visitor.call(getCommunityOperation, {})).toMatchObject({ name: 'Juntas Jalisco' })
      expect(await issueCommunitySetupPath(empty.database.kysely)).toBeNull()
    } finally {
      await empty.end()
    }
  })

  test('INV-18 in production nobody can sign up before the setup is complete, through either API', async () => {
    const closed = await createTestWorld({
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://juntas.test',
    })
    try {
      const secret = secretOf(await issueCommunitySetupPath(closed.database.kysely))
      const eva = { name: 'Eva', username: 'eva', email: 'eva@juntas.test', password: testPassword }
      const refused = { status: 403, body: { type: 'registration_closed' } }
      const signUp = () => closed.visitor.ask(signUpOperation, eva)
      const create = () =>
        closed.visitor.request('POST', '/v1/account', {
          userId: 'unique()',
          email: 'olivia@juntas.test',
          password: testPassword,
        })
      for (const attempt of [signUp, create]) expect(await attempt()).toMatchObject(refused)
      const open = { ...community, registration: 'open' } as const
      await closed.visitor.call(setUpCommunityOperation, {
        secret,
        community: { ...open, rules: [] },
        account,
      })
      for (const attempt of [signUp, create]) expect((await attempt()).status).toBe(201)
    } finally {
      await closed.end()
    }
  })
})
