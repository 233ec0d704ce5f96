import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { confirmEmailOperation } from '#contract/account/email-links.ts'
import { getCurrentMemberOperation, signUpOperation } from '#contract/account/sign-up-and-sign-in.ts'
import { fetchSignUpEmailsTo } from '#tests/support/sent-messages.ts'
import { createTestWorld, type TestWorld, testPassword } from '#tests/support/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(() => w.end())

describe('signing up', () => {
  test('SUP-16 SUP-10 ana signs up with name, username, email and password and gets an account and a profile', async () => {
    await w.visitor.call(signUpOperation, {
      name: 'Ana Luz',
      username: 'ana.luz',
      email: 'Ana@Juntas.test',
      password: testPassword,
    })
    const session = await w.visitor.request('POST', '/v1/account/sessions/email', {
      email: 'ana@juntas.test',
      password: testPassword,
    })
    expect(session.status).toBe(201)
    const cookie = session.headers['set-cookie']?.split(';')[0] ?? ''
    const me = await w.visitor.request('GET', '/v1/me', undefined, { cookie })
    expect(me.body).toMatchObject({
      name: 'Ana Luz',
      username: 'ana.luz',
      email: 'ana@juntas.test',
      postCount: 0,
    })
  })

  test('SUP-09 a second account with the same email or username is refused and leaves nothing behind', async () => {
    const again = await w.visitor.refusal(signUpOperation, {
      name: 'Otra',
      username: 'otra',
      email: 'ANA@juntas.test',
      password: testPassword,
    })
    expect(again).toMatchObject({ code: 409, type: 'user_already_exists' })
    const taken = await w.visitor.refusal(signUpOperation, {
      name: 'Otra',
      username: 'ANA.LUZ',
      email: 'otra@juntas.test',
      password: testPassword,
    })
    expect(taken).toMatchObject({ code: 409, type: 'user_username_already_exists' })
    const { rows } = await w.database.pool.query(
      "select count(*) from accounts where email = 'otra@juntas.test'",
    )
    expect(rows[0].count).toBe(0)
  })

  const emailLinkIn = (text = '') => {
    const { searchParams } = new URL(/https?:\S+/.exec(text)?.[0] ?? '')
    return { userId: searchParams.get('userId') ?? '', secret: searchParams.get('secret') ?? '' }
  }

  test('VER-09 signing up sends bea one email in both languages, and its link confirms her address', async () => {
    const bea = await w.join('Bea Luz')
    const [email, ...others] = await fetchSignUpEmailsTo(w, bea.email)
    expect(others).toEqual([])
    expect(email?.subject).toBe('Te damos la bienvenida: confirma tu correo · Welcome: confirm your email')
    expect(email?.text).toContain('You have a Juntas account now')
    expect(email?.text).toContain('http://localhost:3000/verify?userId=')
    expect(await bea.call(confirmEmailOperation, emailLinkIn(email?.text))).toEqual({ recovery: null })
    const account = await bea.request('GET', '/v1/account')
    expect(account.body).toMatchObject({ email: bea.email, emailVerification: true })
    const again = { email: bea.email, password: testPassword }
    expect((await w.visitor.request('POST', '/v1/sessions', again)).status).toBe(201)
  })

  test('VER-09 the owner of the address that carla signed up with takes over the account by the emailed link', async () => {
    const carla = await w.join('Carla')
    const [email] = await fetchSignUpEmailsTo(w, carla.email)
    const { recovery } = await w.visitor.call(confirmEmailOperation, emailLinkIn(email?.text))
    expect(recovery).not.toBeNull()
    expect((await carla.request('GET', '/v1/me')).status).toBe(401)
  })

  test('VER-09 signing up through the Appwrite API sends no email', async () => {
    const given = { userId: 'unique()', email: 'dina@juntas.test', password: testPassword, name: 'Dina' }
    expect((await w.visitor.request('POST', '/v1/account', given)).status).toBe(201)
    expect(await fetchSignUpEmailsTo(w, 'dina@juntas.test')).toEqual([])
  })

  test('VER-09 the sixth sign-up within an hour with an abandoned address succeeds but sends no email', async () => {
    const email = 'muchas@juntas.test'
    for (let n = 0; n < 6; n += 1) {
      const answer = await w.app.inject({
        method: 'POST',
        url: '/v1/members',
        payload: { name: 'Elsa', username: `elsa${n}`, email, password: testPassword },
        remoteAddress: `198.51.100.${n}`,
      })
      expect(answer.statusCode).toBe(201)
      await w.database.pool.query('update accounts set email = null where email = $1', [email])
    }
    expect(await fetchSignUpEmailsTo(w, email)).toHaveLength(5)
  })

  test('ten concurrent sign-ups with one email create one account', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        w.visitor.request('POST', '/v1/members', {
          name: 'Doble',
          username: `doble${n}`,
          email: 'doble@juntas.test',
          password: testPassword,
        }),
      ),
    )
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1)
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(9)
  })

  test.each([
    ['name', { name: 'A' }, 'Name must be at least 2 characters.'],
    ['username', { username: 'a' }, 'Name must be at least 2 characters.'],
    ['email', { email: 'foo' }, 'Invalid email'],
    ['password', { password: 'seven77' }, 'Password must be at least 8 characters.'],
    ['name', { name: undefined }, 'Required'],
    ['name', { name: 5 }, 'Expected string, received number'],
    ['name', { name: '\u200b\u2800\u202e' }, 'Name must be at least 2 characters.'],
    ['username', { username: '\u0301\u0301' }, 'Usa solo letras, números, punto, guion y guion bajo.'],
    ['username', { username: '..' }, 'Usa solo letras, números, punto, guion y guion bajo.'],
  ])(
    'SUP-05…08 ERR-11 signing up with a wrong %s %j returns 400 and names the field',
    async (field, wrong, message) => {
      const input = {
        name: 'Ana',
        username: 'ana2',
        email: 'ana2@juntas.test',
        password: testPassword,
        ...wrong,
      }
      expect(await w.visitor.refusal(signUpOperation, input)).toMatchObject({ code: 400, field, message })
    },
  )
})

test('X05 a name keeps its emoji and loses invisible characters', async () => {
  const { $id } = await w.visitor.call(signUpOperation, {
    name: ' Li\u200bna\u202e 👩‍🎨❤️ ',
    username: 'lina',
    email: 'lina@juntas.test',
    password: testPassword,
  })
  const { rows } = await w.database.pool.query('select name from users where public_id = $1', [$id])
  expect(rows[0].name).toBe('Lina 👩‍🎨❤️')
})

describe('sessions', () => {
  test('SIN-10 a wrong password and an unknown address get the same error', async () => {
    await w.join('Bea')
    const wrong = await w.visitor.request('POST', '/v1/account/sessions/email', {
      email: 'bea@juntas.test',
      password: 'not her password',
    })
    const unknown = await w.visitor.request('POST', '/v1/account/sessions/email', {
      email: 'nadie@juntas.test',
      password: 'not her password',
    })
    expect(wrong.status).toBe(401)
    expect(wrong.body).toMatchObject({ type: 'user_invalid_credentials' })
    expect(unknown.body).toEqual(wrong.body)
  })

  test('AUTH-09 a visitor gets 401 from /v1/account and /v1/me', async () => {
    for (const path of ['/v1/account', '/v1/me']) {
      const answer = await w.visitor.request('GET', path)
      expect(answer.status).toBe(401)
      expect(answer.body).toMatchObject({ type: 'general_unauthorized_scope' })
    }
  })

  test('NAV-14 signing out ends the session, and its cookie no longer works', async () => {
    const cleo = await w.join('Cleo')
    expect((await cleo.request('DELETE', '/v1/account/sessions/current')).status).toBe(204)
    expect((await cleo.request('GET', '/v1/account')).status).toBe(401)
  })

  test('AUTH-10 AUTH-11 an account without a profile gets initials and a username from its email, with digits if that is taken', async () => {
    const profiles = []
    const accounts: (string | undefined)[] = []
    for (const email of ['lucia.m@uno.test', 'lucia.m@dos.test']) {
      const given = { userId: 'unique()', email, password: testPassword, name: 'Lucía M' }
      accounts.push((await w.visitor.request<{ $id: string }>('POST', '/v1/account', given)).body.$id)
      const session = await w.visitor.request('POST', '/v1/account/sessions/email', {
        email,
        password: testPassword,
      })
      const cookie = session.headers['set-cookie']?.split(';')[0] ?? ''
      const answers = await Promise.all(
        Array.from({ length: 5 }, () =>
          w.visitor.request<{ $id: string }>('GET', '/v1/me', undefined, { cookie }),
        ),
      )
      expect(new Set(answers.map((answer) => answer.body.$id)).size).toBe(1)
      profiles.push(answers[0]?.body)
    }
    expect(profiles[0]).toMatchObject({ username: 'lucia.m', name: 'Lucía M', email: 'lucia.m@uno.test' })
    expect(profiles[0]).toHaveProperty(
      'imageUrl',
      expect.stringContaining('/v1/people/avatars/initials?name=Luc%C3%ADa%20M'),
    )
    expect(profiles[1]).toMatchObject({ username: 'lucia.m2' })
    expect(profiles.map((profile) => (profile as { accountId?: string }).accountId)).toEqual(accounts)
    const { rows } = await w.database.pool.query(
      `select a.public_id as account from users u join accounts a on a.id = u.account_id
       where u.public_id = any($1) order by u.id`,
      [profiles.map((profile) => profile?.$id)],
    )
    expect(rows.map(({ account }) => account)).toEqual(accounts)
  })

  test("a member's eleventh session ends her oldest", async () => {
    const dora = await w.join('Dora')
    for (let n = 0; n < 10; n += 1) {
      await w.visitor.request('POST', '/v1/account/sessions/email', {
        email: dora.email,
        password: testPassword,
      })
    }
    expect((await dora.request('GET', '/v1/account')).status).toBe(401)
  })

  test('a session ends after fourteen idle days or ninety days in total', async () => {
    for (const column of ['last_seen_at', 'expires_at']) {
      const eva = await w.join(`Eva${column[0]}`)
      expect((await eva.request('GET', '/v1/account')).status).toBe(200)
      await w.database.pool.query(
        `update sessions set created_at = created_at - interval '100 days', ${column} = clock_timestamp() - interval '14 days 1 second'
         where account_id = (select id from accounts where public_id = $1)`,
        [eva.accountId],
      )
      expect((await eva.request('GET', '/v1/account')).status).toBe(401)
    }
  })

  test('a session used every day lasts longer than fourteen days', async () => {
    const flor = await w.join('Flor')
    for (let day = 1; day <= 16; day += 1) {
      await w.database.pool.query(
        `update sessions set created_at = created_at - interval '1 day', last_seen_at = last_seen_at - interval '1 day',
           expires_at = expires_at - interval '1 day'
         where account_id = (select id from accounts where public_id = $1)`,
        [flor.accountId],
      )
      expect((await flor.request('GET', '/v1/account')).status, `day ${day}`).toBe(200)
    }
  })

  test('checking an ended session does not clear the cookie of a newer sign-in', async () => {
    const gema = await w.join('Gema')
    const ended = gema.cookie
    await gema.request('DELETE', '/v1/account/sessions/current')
    const signedIn = await w.visitor.request('POST', '/v1/account/sessions/email', {
      email: gema.email,
      password: testPassword,
    })
    const fresh = signedIn.headers['set-cookie']?.split(';')[0] ?? ''
    for (const path of ['/v1/me', '/v1/account', '/v1/account/sessions/current', '/v1/feed']) {
      const late = await w.visitor.request('GET', path, undefined, { cookie: ended })
      expect([path, late.status, late.headers['set-cookie'], late.headers['clear-site-data']]).toEqual([
        path,
        401,
        undefined,
        undefined,
      ])
    }
    expect((await w.visitor.request('GET', '/v1/me', undefined, { cookie: fresh })).status).toBe(200)
  })

  test('DATA-02 the current member includes her own email address', async () => {
    const fe = await w.join('Fe Soler')
    expect(await fe.call(getCurrentMemberOperation, {})).toMatchObject({
      $id: fe.id,
      accountId: fe.accountId,
      email: fe.email,
    })
  })
})
