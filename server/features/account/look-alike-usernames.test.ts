import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getCurrentMemberOperation, signUpOperation } from '#contract/account/sign-up-and-sign-in.ts'
import { updateProfileOperation } from '#contract/people/people.ts'
import { extractCookieHeader } from '#tests/support/sent-messages.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana')
  await join('Irene')
  await join('carmen.28')
})
afterAll(() => w.end())

let addresses = 0
const address = () => {
  addresses += 1
  return `alguien${addresses}@juntas.test`
}
const given = (username: string, name = 'Alguien') => ({
  name,
  username,
  email: address(),
  password: testPassword,
})
const join = (username: string) => w.visitor.call(signUpOperation, given(username))
const documents = '/v1/databases/main/collections/users/documents'
/** Makes the three calls of an old client, up to creating its profile. */
async function oldSignUp(username: string, name = 'Alguien', documentId = 'unique()') {
  const account = { userId: `antigua${addresses}`, email: address(), password: testPassword, name: 'Alguien' }
  await w.visitor.request('POST', '/v1/account', account)
  const data = { accountId: account.userId, email: account.email, name, username }
  return w.visitor.request<{ type: string }>('POST', documents, { documentId, data })
}

describe('S28 a username that looks like another member’s', () => {
  test.each([
    ['lrene', 'a small l for a capital i'],
    ['1rene', 'a one'],
    ['\u0456rene', 'a Cyrillic i'],
    ['Iren\u0435', 'a Cyrillic e'],
    ['irene\ufe0f', 'a sign that cannot be seen'],
    ['carrnen.28', 'r and n for m'],
    ['\u0441arm\u0435n.28', 'Cyrillic letters in a Latin name'],
    ['carmen.2\u0038', 'the same, typed otherwise'],
    ['carmen28', 'without what separates its words'],
    ['carmen_28', 'with something else between them'],
    ['carmen..28', 'with more of it'],
    ['_c.a.r.m.e.n-28.', 'with it everywhere'],
    ['c\u00e1rmen.28', 'with an accent'],
    ['car.rnen28', 'r and n for m behind a dot'],
    ['iren\u00e9', 'with an accent at its end'],
    ['\u0130r\u00ebn_\u00e9', 'with accents and an underscore'],
    ['ɪʀᴇɴᴇ', 'in small capitals'],
    ['ᴄaʀмᴇɴ.28', 'in small capitals of two scripts'],
    ['𝓘𝓻𝓮𝓷𝓮', 'in mathematical letters'],
    ['ⅰrene', 'a Roman numeral'],
  ])('the look-alike username %s is taken: %s', async (username) => {
    expect((await w.visitor.refusal(signUpOperation, given(username))).type).toBe(
      'user_username_already_exists',
    )
    expect((await oldSignUp(username)).body.type).toBe('user_username_already_exists')
  })

  test.each(['Irene', 'irene', '1rene', 'carmen-28', 'Carrnen28'])(
    "a profile id like %s is refused because it looks like another member's username",
    async (documentId) => {
      const refused = await oldSignUp(`libre${addresses}`, 'Alguien', documentId)
      expect(refused.body).toMatchObject({ code: 409, type: 'user_username_already_exists' })
    },
  )

  test("an old client may choose an arbitrary profile id or the member's own username", async () => {
    for (const [username, documentId] of [
      ['rocio.dos', 'perfil-1'],
      ['rocio.tres', 'rocio.tres'],
    ] as const)
      expect((await oldSignUp(username, 'Alguien', documentId)).body).toMatchObject({ $id: documentId })
  })

  test.each(['irina', 'carmen.29', 'irenne', 'Ирина', 'דנה', '小雨', 'سارة٢٠', '٠٠'])(
    'the username %s is free',
    async (username) => {
      await join(username)
    },
  )

  test('C12 only one of ten concurrent sign-ups with look-alike usernames succeeds', async () => {
    const alike = [
      'mila',
      'Mila',
      'm1la',
      'mlla',
      'rnila',
      'm\u0456la',
      'mil\u0430',
      'MILA',
      'rn1la',
      'rnlla',
    ]
    const answers = await Promise.all(
      alike.map((username, n) =>
        n % 2 ? oldSignUp(username) : w.visitor.ask(signUpOperation, given(username)),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)])
  })

  test("a client that sends no username gets one that looks like no other member's", async () => {
    const account = { userId: 'unique()', email: 'lrene@juntas.test', password: testPassword, name: '' }
    await w.visitor.request('POST', '/v1/account', account)
    const session = await w.visitor.request('POST', '/v1/account/sessions/email', account)
    const me = await w.visitor.request<{ username: string }>('GET', '/v1/me', undefined, {
      cookie: extractCookieHeader(session),
    })
    expect(me.body.username).toBe('lrene2')
  })
})

describe('S29 a name reserved for operators', () => {
  const usernames = [
    'admin',
    'Admin2',
    'adm1n',
    '\u0430dmin',
    'a.d.m.i.n',
    'soporte',
    'moderación',
    'juntas_oficial',
    'mod',
    'ᴀᴅᴍɪɴ',
    'ѕороrте',
    'ａｄｍｉｎ',
  ]
  const composed = ['juntasapp', 'soportetecnico', '4dm1n', 'el.equipo', 'jun7as', 'addmin', 'modd.erador']
  test.each([...usernames, ...composed, 'equipojuntas', 'support-team', 'root'])(
    'no member can have the reserved username %s',
    async (username) => {
      const reserved = {
        code: 400,
        type: 'user_name_reserved',
        field: 'username',
        message: expect.stringContaining('Elige otro'),
      }
      expect(await w.visitor.refusal(signUpOperation, given(username))).toMatchObject(reserved)
      expect((await oldSignUp(username)).body).toMatchObject(reserved)
    },
  )

  test.each(['juntas-soporte', 'admin', 'Moderacion', 'equipo', 'adm1n2'])(
    'no member can have the reserved profile id %s',
    async (documentId) => {
      const refused = await oldSignUp(`libre${addresses}`, 'Alguien', documentId)
      expect(refused.body).toMatchObject({ code: 400, type: 'user_name_reserved' })
    },
  )

  test.each([
    'Admin',
    'Soporte Juntas',
    'Moderación',
    'Equipo Juntas',
    'S0P0RTE',
    'Ana (Staff)',
    'JuntasApp',
    'Juntas Oficial',
    'Seguridad Juntas',
    'J.u.n.t.a.s',
    'J u n t a s  A p p',
    'Júntäs_app',
    'Јuntаs',
    'Juuntass',
    'xXJuntasXx',
    'Seguridad',
    'Centro de Ayuda',
    'SoporteTécnico',
    'AdminAna',
    '@dm1n',
    '$oporte',
    'aclmin',
    'Atención al cliente',
    'ＡＤＭＩＮ',
    '𝐀𝐝𝐦𝐢𝐧𝐀𝐧𝐚',
    '𝓢𝓸𝓹𝓸𝓻𝓽𝓮',
    '𝕛𝕦𝕟𝕥𝕒𝕤',
    'ⓈⓄⓅⓄⓇⓉⒺ',
    '⒜⒟⒨⒤⒩ Ana',
    '🅐🅓🅜🅘🅝',
    '🅰🅳🅼🅸🅽 Ana',
    '🇯🇺🇳🇹🇦🇸',
    'ᴀᴅᴍɪɴ',
    'ꜱᴏᴘᴏʀᴛᴇ Ana',
    'ᴊᴜɴᴛᴀꜱ',
    'ᵃᵈᵐⁱⁿ',
    'ADMIИ',
    'ＡＤＭ１Ｎ',
    'a⃝d⃝m⃝i⃝n⃝ Ana',
    'A D M I N Ana',
    'Ad\ufe0fmi\u200dn Ana',
    'Ad\u2066mi\u2069n',
    'So\u00adporte',
    'So\u{e0061}porte',
  ])('no member can be named %s, at sign-up or later, through either API', async (name) => {
    const reserved = { code: 400, type: 'user_name_reserved', field: 'name' }
    expect(await w.visitor.refusal(signUpOperation, given(`libre${addresses}`, name))).toMatchObject(reserved)
    expect((await oldSignUp(`libre${addresses}`, name)).body).toMatchObject(reserved)
    expect(await ana.refusal(updateProfileOperation, { personId: ana.id, name, bio: '' })).toMatchObject(
      reserved,
    )
    expect((await ana.request('PATCH', '/v1/account/name', { name })).body).toMatchObject(reserved)
    expect((await ana.request('PATCH', `${documents}/${ana.id}`, { data: { name } })).body).toMatchObject(
      reserved,
    )
    expect((await ana.call(getCurrentMemberOperation, {})).name).toBe('Ana')
  })

  test.each([
    'Ayuda Mutua',
    'Ada Minero',
    'Ana Soportes',
    'Modesta',
    'Rita Hidalgo',
    'Clara Oficial',
    'Elena de la Red',
    'Juana Tassier',
    'Equipo de Ana',
    'Socorro Ayuda',
    'Ａｎａ Ｓｏｐｏｒｔｅｓ',
    'ᴍᴏᴅᴇꜱᴛᴀ',
    '𝒥𝓊𝒶𝓃𝒶 🇪🇸',
    'Надя Минина',
  ])('a member can be named %s', async (name) => {
    const renamed = await ana.request('PATCH', '/v1/account/name', { name })
    expect(renamed.status).toBe(200)
    await ana.request('PATCH', '/v1/account/name', { name: 'Ana' })
  })

  test('a client that sends no username gets no reserved name and takes none from another account', async () => {
    const account = { userId: 'unique()', email: 'admin@otra.test', password: testPassword, name: 'Soporte' }
    await w.visitor.request('POST', '/v1/account', account)
    const session = await w.visitor.request('POST', '/v1/account/sessions/email', account)
    const { body } = await w.visitor.request<{ username: string; name: string }>('GET', '/v1/me', undefined, {
      cookie: extractCookieHeader(session),
    })
    expect(body.username).toMatch(/^socia\d+$/)
    expect(body.name).toBe(body.username)
  })
})
