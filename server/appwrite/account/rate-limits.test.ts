import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { stopClock } from '#tests/support/stop-clock.ts'
import { createTestWorld, type TestWorld, testPassword } from '#tests/support/world.ts'
import {
  fetchCodeSentTo,
  fetchSentLinkSecret,
  fetchSentMessagesTo,
} from '../../../tests/support/sent-messages.ts'

const redisUrl = process.env.TEST_REDIS_URL
const stores: [string, Record<string, string>][] = [['this node', {}]]
if (redisUrl) stores.push(['all nodes in Redis', { REDIS_URL: redisUrl }])

describe.each(stores)('rate limits counted for %s', (_, env) => {
  let w: TestWorld
  beforeAll(async () => {
    w = await createTestWorld(env)
  })
  afterAll(() => w.end())

  /**
   * With a forwarding header, requests of this machine count too. The server does not trust the address in
   * the header.
   */
  let from: Record<string, string> = {}
  let n = 0
  beforeEach(() => {
    stopClock()
    n += 1
    from = { 'x-forwarded-for': '203.0.113.1' }
  })

  const post = (path: string, body: object, remoteAddress = `198.51.100.${n}`) =>
    w.app.inject({
      method: 'POST',
      url: `/v1/account${path}`,
      payload: body,
      remoteAddress,
      headers: { host: 'localhost:3000', ...from },
    })

  const tally = (answers: { statusCode: number }[]) => {
    const counts: Record<number, number> = {}
    for (const { statusCode } of answers) counts[statusCode] = (counts[statusCode] ?? 0) + 1
    return counts
  }

  async function repeat(times: number, call: (time: number) => ReturnType<typeof post>) {
    const answers = []
    for (let time = 0; time < times; time += 1) answers.push(await call(time))
    return answers
  }

  describe('S01 guessing a password', () => {
    test('an account allows ten password attempts an hour, from any addresses', async () => {
      const ana = await w.join('Ana')
      const answers = await repeat(40, (time) => {
        from = {
          'x-forwarded-for': `203.0.113.${time}`,
          forwarded: `for=203.0.113.${time}`,
          'x-real-ip': `203.0.113.${time}`,
        }
        return post(
          '/sessions/email',
          { email: ana.email, password: `my guess ${time}` },
          `2001:db8:1:${time}::1`,
        )
      })
      expect(tally(answers)).toEqual({ 401: 10, 429: 30 })
      const refused = answers.at(-1)
      expect(refused?.json()).toMatchObject({ code: 429, type: 'general_rate_limit_exceeded' })
      expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
      expect(refused?.headers).toMatchObject({ 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '0' })
    })

    test('a household allows twenty-five password attempts in five minutes, for any accounts', async () => {
      const answers = await repeat(30, (time) =>
        post(
          '/sessions/email',
          { email: `nadie${time}@juntas.test`, password: testPassword },
          `2001:db8::${time + 1}`,
        ),
      )
      expect(tally(answers)).toEqual({ 401: 25, 429: 5 })
    })

    test('the limits of an address count all its signed-in callers together, for any account', async () => {
      const guessers = [await w.join('Gala'), await w.join('Hera')]
      const asOneOfThem = (time: number) => {
        from.cookie = guessers[time % 2]?.cookie ?? ''
      }
      const answers = await repeat(30, (time) => {
        asOneOfThem(time)
        return post('/sessions/email', { email: `nadie${time}@juntas.test`, password: testPassword })
      })
      expect(tally(answers)).toEqual({ 401: 25, 429: 5 })
      const accounts = await repeat(8, (time) => {
        asOneOfThem(time)
        return post('', {
          userId: 'unique()',
          email: `otra.cuenta${time}@juntas.test`,
          password: testPassword,
        })
      })
      expect(tally(accounts)).toEqual({ 201: 5, 429: 3 })
      const messages = await repeat(30, (time) => {
        asOneOfThem(time)
        return post('/tokens/email', { userId: 'unique()', email: `carta${time}@juntas.test` })
      })
      expect(tally(messages)).toEqual({ 201: 25, 429: 5 })
    })

    test('a stranger who uses up the attempts does not lock the member out of a known browser', async () => {
      const eva = await w.join('Eva')
      const right = { email: eva.email, password: testPassword }
      const before = await post('/sessions/email', right)
      const device = [before.headers['set-cookie'] ?? []]
        .flat()
        .find((cookie) => cookie.startsWith('device_juntas='))
        ?.split(';')[0]
      const strangers = await repeat(11, (time) =>
        post('/sessions/email', { email: eva.email, password: `my guess ${time}` }, `192.0.2.${time}`),
      )
      expect(strangers.at(-1)?.statusCode).toBe(429)
      expect((await post('/sessions/email', right, '192.0.2.99')).statusCode).toBe(429)
      from.cookie = device ?? ''
      expect((await post('/sessions/email', right)).statusCode).toBe(201)
      // Only her account knows this browser, so it has the usual number of attempts there.
      const dora = await w.join('Dora')
      const own = await repeat(12, (time) =>
        post('/sessions/email', { email: eva.email, password: `my guess ${time}` }, `192.0.2.${100 + time}`),
      )
      expect(tally(own)).toEqual({ 401: 10, 429: 2 })
      from.cookie = ''
      await repeat(10, (time) =>
        post('/sessions/email', { email: dora.email, password: `my guess ${time}` }, `192.0.2.${200 + time}`),
      )
      from.cookie = device ?? ''
      expect((await post('/sessions/email', { email: dora.email, password: testPassword })).statusCode).toBe(
        429,
      )
    })

    test('S24 a stranger who uses up the attempts does not lock the member out of a network where she is signed in', async () => {
      for (const [hers, neighbour, stranger] of [
        [`198.51.100.${n}`, `198.51.100.${n}`, '192.0.2.1'],
        ['2001:db8:7:7::1', '2001:db8:7:7::2', '2001:db8:7:8::1'],
        ['::ffff:198.51.100.77', '::ffff:198.51.100.77', '::ffff:192.0.2.77'],
      ] as const) {
        const ida = await w.join('Ida')
        const right = { email: ida.email, password: testPassword }
        expect((await post('/sessions/email', right, hers)).statusCode).toBe(201)
        const attempts = await repeat(11, (time) =>
          post('/sessions/email', { email: ida.email, password: `my guess ${time}` }, stranger),
        )
        expect(tally(attempts)).toEqual({ 401: 10, 429: 1 })
        expect((await post('/sessions/email', right, stranger)).statusCode).toBe(429)
        expect((await post('/sessions/email', right, neighbour)).statusCode).toBe(201)
        // A new password resets the known networks.
        await w.database.pool.query(
          `update accounts set password_updated_at = clock_timestamp() where email = $1`,
          [ida.email],
        )
        await w.database.pool.query(
          'delete from sessions s using accounts a where a.id = s.account_id and a.email = $1',
          [ida.email],
        )
        expect((await post('/sessions/email', right, neighbour)).statusCode).toBe(429)
      }
    })

    test('correct sign-ins do not count as attempts', async () => {
      const bea = await w.join('Bea')
      const answers = await repeat(24, () =>
        post('/sessions/email', { email: bea.email, password: testPassword }),
      )
      expect(tally(answers)).toEqual({ 201: 24 })
    })
  })

  test('S01 a member under attack recovers by email and signs in, in the browser that opened the link', async () => {
    const fela = await w.join('Fela')
    await repeat(11, (time) =>
      post('/sessions/email', { email: fela.email, password: `my guess ${time}` }, `192.0.2.${time}`),
    )
    const chosen = { email: fela.email, password: 'una nueva y larga' }
    await post('/recovery', { email: fela.email, url: 'http://localhost:3000/' })
    const { userId, secret } = await fetchSentLinkSecret(w, fela.email)
    const recovered = await w.app.inject({
      method: 'PUT',
      url: '/v1/account/recovery',
      payload: { userId, secret, password: chosen.password },
      remoteAddress: `198.51.100.${n}`,
      headers: { host: 'localhost:3000', ...from },
    })
    expect(recovered.statusCode).toBe(200)
    expect((await post('/sessions/email', chosen)).statusCode).toBe(429)
    from.cookie = String(recovered.headers['set-cookie']).split(';')[0] ?? ''
    expect((await post('/sessions/email', chosen)).statusCode).toBe(201)
  })

  describe('S02 emails', () => {
    test('each kind of email goes to one address at most five times an hour, through any call', async () => {
      const cleo = await w.join('Cleo')
      const url = 'http://localhost:3000/'
      const { email } = cleo
      from.cookie = cleo.cookie
      const kinds = [
        [() => post('/recovery', { email, url })],
        [
          () => post('/sessions/magic-url', { userId: 'unique()', email }),
          () => post('/tokens/magic-url', { userId: 'unique()', email }),
        ],
        [() => post('/tokens/email', { userId: 'unique()', email })],
        [() => post('/verification', { url }), () => post('/verifications/email', { url })],
      ]
      for (const [kind, calls] of kinds.entries()) {
        const answers = await repeat(7, (time) =>
          (calls[time % calls.length] as () => ReturnType<typeof post>)().then((answer) => answer),
        )
        expect([kind, tally(answers)]).toEqual([kind, { 201: 5, 429: 2 }])
        n += 1
      }
      expect(await fetchSentMessagesTo(w, email)).toHaveLength(20)
      const phones = await repeat(8, (time) =>
        post(time % 2 ? '/sessions/phone' : '/tokens/phone', { userId: 'unique()', phone: '+34600111222' }),
      )
      expect(tally(phones)).toEqual({ 201: 5, 429: 3 })
    })

    test("S24 emails that strangers request never block the member's own recovery", async () => {
      const nora = await w.join('Nora')
      const { email } = nora
      const url = 'http://localhost:3000/'
      // Sixty networks send wrong passwords and request every kind of email, which exceeds every limit.
      for (let network = 1; network <= 60; network += 1) {
        const elsewhere = `203.0.113.${network}`
        await post('/sessions/email', { email, password: `my guess ${network}` }, elsewhere)
        await post('/tokens/email', { userId: 'unique()', email }, elsewhere)
        await post('/recovery', { email, url }, elsewhere)
      }
      const recoveries = (await fetchSentMessagesTo(w, email)).filter(({ kind }) => kind === 'recovery')
      expect(recoveries).toHaveLength(10)
      // Her own request is still answered, and the newest email opens her account.
      expect((await post('/recovery', { email, url }, '192.0.2.200')).statusCode).toBe(201)
      const link = new URL(/https?:\S+/.exec(recoveries.at(-1)?.text ?? '')?.[0] ?? '')
      const { userId, secret } = Object.fromEntries(link.searchParams)
      const recovered = await w.app.inject({
        method: 'PUT',
        url: '/v1/account/recovery',
        payload: { userId, secret, password: 'una nueva y larga' },
        remoteAddress: '192.0.2.200',
        headers: { host: 'localhost:3000', ...from },
      })
      expect(recovered.statusCode).toBe(200)
    })

    test('S24 emails that strangers request leave the member her quota: known browsers and networks can request more', async () => {
      const iria = await w.join('Iria')
      const { email } = iria
      await w.database.pool.query('update accounts set email_verified = true where public_id = $1', [
        iria.accountId,
      ])
      const url = 'http://localhost:3000/'
      const home = `198.51.100.${n}`
      const signedIn = await post('/sessions/email', { email, password: testPassword }, home)
      const device = [signedIn.headers['set-cookie'] ?? []]
        .flat()
        .find((cookie) => cookie.startsWith('device_juntas='))
        ?.split(';')[0]
      const kinds: Record<string, (from: string) => ReturnType<typeof post>> = {
        recovery: (from) => post('/recovery', { email, url }, from),
        'magic-url': (from) => post('/tokens/magic-url', { userId: 'unique()', email }, from),
        'email-code': (from) => post('/tokens/email', { userId: 'unique()', email }, from),
      }
      const sent = async () => (await fetchSentMessagesTo(w, email)).length
      for (const [kind, ask] of Object.entries(kinds)) {
        for (let network = 1; network <= 60; network += 1) await ask(`203.0.113.${network}`)
        const before = await sent()
        expect([kind, (await ask(home)).statusCode, (await sent()) - before]).toEqual([kind, 201, 1])
        // Her known phone has its own limit in any network.
        from.cookie = device ?? ''
        const away = await repeat(7, () => ask('192.0.2.77'))
        expect([kind, tally(away), (await sent()) - before]).toEqual([kind, { 201: 5, 429: 2 }, 6])
        from.cookie = ''
        // A browser that only another account knows has no quota of its own here.
        expect((await ask('192.0.2.78')).statusCode).toBe(kind === 'recovery' ? 201 : 429)
        expect((await sent()) - before).toBe(6)
      }
    })

    test('S25 messages to strangers are limited per network, text messages more strictly than emails', async () => {
      const site = (time: number) => `2001:db8:${n}:${time.toString(16)}::1`
      const phones = await repeat(12, (time) =>
        post('/tokens/phone', { userId: 'unique()', phone: `+3460022${1000 + time}` }, site(time)),
      )
      expect(tally(phones)).toEqual({ 201: 10, 429: 2 })
      const messages = await repeat(53, (time) =>
        post('/tokens/email', { userId: 'unique()', email: `lejos${time}@juntas.test` }, site(time)),
      )
      expect(tally(messages)).toEqual({ 201: 50, 429: 3 })
    })

    test('S25 text messages to strangers are limited in total, silently, and members still get theirs', async () => {
      const phone = '+34600333000'
      const rosa = await w.join('Rosa')
      await w.database.pool.query(
        'update accounts set phone = $2, phone_verified = true where public_id = $1',
        [rosa.accountId, phone],
      )
      const ask = (number: string, time: number) =>
        post('/tokens/phone', { userId: 'unique()', phone: number }, `10.${n}.${time >> 8}.${time & 255}`)
      const answers = await repeat(520, (time) => ask(`+3460044${1000 + time}`, time))
      expect(tally(answers)).toEqual({ 201: 520 })
      expect(await fetchSentMessagesTo(w, '+34600441519')).toEqual([])
      expect((await ask(phone, 600)).statusCode).toBe(201)
      expect(await fetchSentMessagesTo(w, phone)).toHaveLength(1)
    })

    test('a household can request twenty-five emails in five minutes', async () => {
      const answers = await repeat(30, (time) =>
        post('/tokens/email', { userId: 'unique()', email: `otra${time}@juntas.test` }),
      )
      expect(tally(answers)).toEqual({ 201: 25, 429: 5 })
    })
  })

  describe('codes and re-authentication', () => {
    test('S26 a phone number allows ten code attempts an hour, however many codes are sent', async () => {
      const phone = '+34600111888'
      const outcomes: number[] = []
      for (let message = 0; message < 5; message += 1) {
        const userId = `guesser${n}x${message}`
        await post('/tokens/phone', { userId, phone })
        const answers = await repeat(5, (time) =>
          w.app.inject({
            method: 'PUT',
            url: '/v1/account/sessions/phone',
            payload: { userId, secret: String(message * 5 + time).padStart(6, '0') },
            remoteAddress: `192.0.2.${message * 5 + time}`,
            headers: { host: 'localhost:3000', ...from },
          }),
        )
        outcomes.push(...answers.map(({ statusCode }) => statusCode))
      }
      expect(tally(outcomes.map((statusCode) => ({ statusCode })))).toEqual({ 401: 10, 429: 15 })
    })

    test('S24 S26 a stranger who guesses codes does not lock the member out of a known browser or network', async () => {
      const phone = '+34600111777'
      const known = 'insert into accounts (public_id, phone, phone_verified) values ($1, $2, true)'
      await w.database.pool.query(known, [`owner${n}`, phone])
      const bring = (userId: string, secret: string, remoteAddress = `198.51.100.${n}`) =>
        w.app.inject({
          method: 'PUT',
          url: '/v1/account/sessions/phone',
          payload: { userId, secret },
          remoteAddress,
          headers: { host: 'localhost:3000', ...from },
        })
      const signIn = async (userId: string, at?: string) => {
        await post('/tokens/phone', { userId, phone }, at)
        return bring(userId, await fetchCodeSentTo(w, phone), at)
      }
      const first = await signIn(`owner${n}x1`)
      expect(first.statusCode).toBe(201)
      const device = /device_juntas=[0-9a-f]+/.exec(String(first.headers['set-cookie']))?.[0] ?? ''
      for (const message of [1, 2]) {
        await post('/tokens/phone', { userId: `stranger${n}x${message}`, phone }, '192.0.2.1')
        await repeat(5, () => bring(`stranger${n}x${message}`, 'wrong!', '192.0.2.1'))
      }
      expect((await signIn(`stranger${n}x3`, '192.0.2.1')).statusCode).toBe(429)
      expect((await signIn(`owner${n}x2`)).statusCode).toBe(201)
      from.cookie = device
      expect((await signIn(`owner${n}x3`, '192.0.2.77')).statusCode).toBe(201)
      // Her phone has the usual number of attempts, and strangers get no more.
      await post('/tokens/phone', { userId: `owner${n}x4`, phone }, '192.0.2.77')
      const own = await repeat(11, () => bring(`owner${n}x4`, 'wrong!', '192.0.2.77'))
      expect(tally(own)).toEqual({ 401: 10, 429: 1 })
      from.cookie = ''
      expect((await bring(`stranger${n}x3`, 'wrong!', '192.0.2.1')).statusCode).toBe(429)
    })

    test('S27 attempts to take an address notify its owner at most five times in half an hour', async () => {
      const taken = await w.join('Sara')
      const asked: { statusCode: number }[] = []
      for (let time = 0; time < 4; time += 1) {
        const session = await post('/sessions/anonymous', {})
        asked.push(session)
        from.cookie = String(session.headers['set-cookie'] ?? '').split(';')[0] ?? ''
        for (const [path, body] of [
          ['email', { email: taken.email }],
          ['phone', { phone: '+34600111222' }],
        ] as const) {
          asked.push(
            await w.app.inject({
              method: 'PATCH',
              url: `/v1/account/${path}`,
              payload: { ...body, password: 'una nueva y larga' },
              remoteAddress: `198.51.100.${n}`,
              headers: { host: 'localhost:3000', ...from },
            }),
          )
        }
      }
      expect(asked.filter(({ statusCode }) => ![401, 429].includes(statusCode)).length).toBeLessThanOrEqual(5)
    })

    test('a user id allows ten code attempts an hour', async () => {
      const { userId } = (await post('/sessions/phone', { userId: 'unique()', phone: '+34600111999' })).json()
      const answers = await repeat(15, (time) =>
        w.app.inject({
          method: 'PUT',
          url: '/v1/account/sessions/phone',
          payload: { userId, secret: String(time).padStart(6, '0') },
          remoteAddress: `198.51.100.${100 + time}`,
          headers: { host: 'localhost:3000', ...from },
        }),
      )
      expect(tally(answers)).toEqual({ 401: 10, 429: 5 })
    })

    const ways = [
      ['POST', '/v1/me/proof', (password: string) => ({ password })],
      ['PUT', '/v1/me/password', (currentPassword: string) => ({ currentPassword, password: testPassword })],
      ['PATCH', '/v1/account/password', (oldPassword: string) => ({ oldPassword, password: testPassword })],
      ['PATCH', '/v1/account/status', (password: string) => ({ password })],
      ['PATCH', '/v1/account/phone', (password: string) => ({ password, phone: '+34600111666' })],
    ] as const

    test("S01 a session allows ten password attempts an hour, and the member's other sessions are not affected", async () => {
      const dora = await w.join('Dora')
      const signedIn = await post('/sessions/email', { email: dora.email, password: testPassword })
      const other = /a_session_[a-z]+=[^;,]+/.exec(String(signedIn.headers['set-cookie']))?.[0] ?? ''
      const give = (cookie: string, password: string, [method, url, body]: (typeof ways)[number] = ways[0]) =>
        w.app.inject({
          method,
          url,
          payload: body(password),
          remoteAddress: `198.51.100.${n}`,
          headers: { host: 'localhost:3000', ...from, cookie },
        })
      // A correct password resets the count of attempts.
      await repeat(9, () => give(dora.cookie, 'not this one'))
      expect((await give(dora.cookie, testPassword)).statusCode).toBe(204)
      const answers = await repeat(13, (time) => give(dora.cookie, 'not this one', ways[time % ways.length]))
      expect(tally(answers)).toEqual({ 401: 10, 429: 3 })
      // The hour counts from the first attempt.
      expect(Number(answers.at(-1)?.headers['retry-after'])).toBeGreaterThan(50 * 60)
      expect((await give(dora.cookie, testPassword)).statusCode).toBe(429)
      expect((await give(other, testPassword)).statusCode).toBe(204)
    })
  })
})
