import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signUpOperation } from '#contract/account/sign-up-and-sign-in.ts'
import { createTestWorld, type TestWorld, testPassword } from '#tests/support/world.ts'
import { fetchSentLinkSecret } from '../../../tests/support/sent-messages.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(() => w.end())

const tooCommon = { code: 400, type: 'password_too_common', field: 'password' }
const personal = { code: 400, type: 'password_personal_data', field: 'password' }
const eva = { name: 'Eva Núñez', username: 'evita_88', email: 'e.nunez@juntas.test' }

describe('a weak password', () => {
  test.each(['12345678', 'password', 'Password1', 'iloveyou', 'TEQUIERO', 'princesa', 'barcelona'])(
    '%s, a common password, is refused at sign-up in both APIs',
    async (attempt) => {
      expect(await w.visitor.refusal(signUpOperation, { ...eva, password: attempt })).toMatchObject(tooCommon)
      const { body } = await w.visitor.request('POST', '/v1/account', {
        userId: 'unique()',
        email: eva.email,
        password: attempt,
      })
      expect(body).toMatchObject(tooCommon)
    },
  )

  test.each([
    'evanunez',
    'Eva.Núñez1',
    'evita_88',
    '88evita88!',
    'e.nunez@juntas.test',
    'e.nunez2026',
    'juntas2026',
  ])("%s, derived from the member's own data, is refused", async (attempt) => {
    expect(await w.visitor.refusal(signUpOperation, { ...eva, password: attempt })).toMatchObject(personal)
  })

  test.each(['eva come nueces', '83650274916', 'zanahoria evita la'])(
    'the password %s is allowed',
    async (own) => {
      const someone = { name: eva.name, username: `u${own.length}`, email: `${own.length}@juntas.test` }
      expect(await w.visitor.call(signUpOperation, { ...someone, password: own })).toHaveProperty('$id')
    },
  )

  test('a weak password is refused when a member changes her password', async () => {
    const ana = await w.join('Ana Mora')
    const change = (given: string) =>
      ana.request('PATCH', '/v1/account/password', { password: given, oldPassword: testPassword })
    expect((await change('qwertyuiop')).body).toMatchObject(tooCommon)
    expect((await change('AnaMora77')).body).toMatchObject(personal)
    expect((await change('una nueva y larga')).status).toBe(200)
  })

  test('a weak password is refused in recovery, and the recovery link stays usable', async () => {
    const bea = await w.join('Bea Sol')
    await w.visitor.request('POST', '/v1/account/recovery', {
      email: bea.email,
      url: 'http://localhost:3000/',
    })
    const { userId, secret } = await fetchSentLinkSecret(w, bea.email)
    const choose = (given: string) =>
      w.visitor.request('PUT', '/v1/account/recovery', {
        userId,
        secret,
        password: given,
        passwordAgain: given,
      })
    expect((await choose('12345678')).body).toMatchObject(tooCommon)
    expect((await choose('bea.sol.1')).body).toMatchObject(personal)
    expect((await choose('una nueva y larga')).status).toBe(200)
    const opened = await w.visitor.request('POST', '/v1/account/sessions/email', {
      email: bea.email,
      password: 'una nueva y larga',
    })
    expect(opened.status).toBe(201)
  })

  test('a weak password is refused as the first password of an account', async () => {
    const session = await w.visitor.request('POST', '/v1/account/sessions/anonymous', {})
    const cookie = (session.headers['set-cookie'] ?? '').split(';')[0] ?? ''
    const become = (given: string) =>
      w.visitor.request(
        'PATCH',
        '/v1/account/email',
        { email: 'nadia@juntas.test', password: given },
        { cookie },
      )
    expect((await become('sunshine')).body).toMatchObject(tooCommon)
    expect((await become('zapatos y nubes')).status).toBe(200)
  })
})
