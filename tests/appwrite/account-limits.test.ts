import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { password, type World, world } from '#tests/world.ts'
import { lettersTo, proofTo } from './letters.ts'

const redisUrl = process.env.TEST_REDIS_URL
const stores: [string, Record<string, string>][] = [['this node', {}]]
if (redisUrl) stores.push(['all nodes in Redis', { REDIS_URL: redisUrl }])

describe.each(stores)('counted for %s', (_, env) => {
  let w: World
  beforeAll(async () => {
    w = await world(env)
  })
  afterAll(() => w.end())

  /** Behind a forwarding header this machine is no longer exempt; the address it names is not believed. */
  let from: Record<string, string> = {}
  let n = 0
  beforeEach(() => {
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
    test('ends after ten tries an hour for one account, whatever addresses the tries claim or come from', async () => {
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

    test('from one household ends after twenty-five tries in five minutes, for any accounts', async () => {
      const answers = await repeat(30, (time) =>
        post('/sessions/email', { email: `nadie${time}@juntas.test`, password }, `2001:db8::${time + 1}`),
      )
      expect(tally(answers)).toEqual({ 401: 25, 429: 5 })
    })

    test('from one address ends so for somebody who is signed in, whichever account she asks with', async () => {
      const guessers = [await w.join('Gala'), await w.join('Hera')]
      const asOneOfThem = (time: number) => {
        from.cookie = guessers[time % 2]?.cookie ?? ''
      }
      const answers = await repeat(30, (time) => {
        asOneOfThem(time)
        return post('/sessions/email', { email: `nadie${time}@juntas.test`, password })
      })
      expect(tally(answers)).toEqual({ 401: 25, 429: 5 })
      const accounts = await repeat(8, (time) => {
        asOneOfThem(time)
        return post('', { userId: 'unique()', email: `otra.cuenta${time}@juntas.test`, password })
      })
      expect(tally(accounts)).toEqual({ 201: 5, 429: 3 })
      const letters = await repeat(30, (time) => {
        asOneOfThem(time)
        return post('/tokens/email', { userId: 'unique()', email: `carta${time}@juntas.test` })
      })
      expect(tally(letters)).toEqual({ 201: 25, 429: 5 })
    })

    test('a stranger who uses up the tries does not lock her out of a browser she has used before', async () => {
      const eva = await w.join('Eva')
      const right = { email: eva.email, password }
      const before = await post('/sessions/email', right)
      const device = [before.headers['set-cookie'] ?? []]
        .flat()
        .find((cookie) => cookie.startsWith('device_juntas='))
        ?.split(';')[0]
      const strangers = await repeat(11, (time) =>
        post('/sessions/email', { email: eva.email, password: `my guess ${time}` }, `192.0.2.${time}`),
      )
      expect(strangers.at(-1)?.statusCode).toBe(429)
      expect((await post('/sessions/email', right)).statusCode).toBe(429)
      from.cookie = device ?? ''
      expect((await post('/sessions/email', right)).statusCode).toBe(201)
      // It is known to her account alone, and has no more tries than anybody.
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
      expect((await post('/sessions/email', { email: dora.email, password })).statusCode).toBe(429)
    })

    test('and she who knows it is not counted', async () => {
      const bea = await w.join('Bea')
      const answers = await repeat(24, () => post('/sessions/email', { email: bea.email, password }))
      expect(tally(answers)).toEqual({ 201: 24 })
    })
  })

  test('S01 whoever is guessed at gets in again by a letter, in the browser that opened it', async () => {
    const fela = await w.join('Fela')
    await repeat(11, (time) =>
      post('/sessions/email', { email: fela.email, password: `my guess ${time}` }, `192.0.2.${time}`),
    )
    const chosen = { email: fela.email, password: 'una nueva y larga' }
    await post('/recovery', { email: fela.email, url: 'http://localhost:3000/' })
    const { userId, secret } = await proofTo(w, fela.email)
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

  describe('S02 letters', () => {
    test('go to one address five times an hour, whichever call sends them', async () => {
      const cleo = await w.join('Cleo')
      const url = 'http://localhost:3000/'
      const { email } = cleo
      const calls = [
        () => post('/recovery', { email, url }),
        () => post('/sessions/magic-url', { userId: 'unique()', email }),
        () => post('/tokens/magic-url', { userId: 'unique()', email }),
        () => post('/tokens/email', { userId: 'unique()', email }),
        () => post('/verification', { url }),
      ]
      from.cookie = cleo.cookie
      const answers = await repeat(15, (time) => (calls[time % 5] as () => ReturnType<typeof post>)())
      expect(tally(answers)).toEqual({ 201: 5, 429: 10 })
      const changed = await cleo.request(
        'PATCH',
        '/v1/account/email',
        { email: 'cleo.nueva@juntas.test', password },
        { 'x-forwarded-for': '203.0.113.1' },
      )
      expect(changed.status).toBe(429)
      expect(await lettersTo(w, email)).toHaveLength(5)
      const phones = await repeat(8, (time) =>
        post(time % 2 ? '/sessions/phone' : '/tokens/phone', { userId: 'unique()', phone: '+34600111222' }),
      )
      expect(tally(phones)).toEqual({ 201: 5, 429: 3 })
    })

    test('are asked for twenty-five times in five minutes from one household', async () => {
      const answers = await repeat(30, (time) =>
        post('/tokens/email', { userId: 'unique()', email: `otra${time}@juntas.test` }),
      )
      expect(tally(answers)).toEqual({ 201: 25, 429: 5 })
    })
  })

  describe('codes and passwords again', () => {
    test('a code is guessed at most ten times an hour for one user id', async () => {
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

    test('her password is asked for again at most ten times in ten minutes', async () => {
      const dora = await w.join('Dora')
      const wrong = { password: 'una nueva y larga', oldPassword: 'not this one' }
      const answers = await repeat(13, () =>
        w.app.inject({
          method: 'PATCH',
          url: '/v1/account/password',
          payload: wrong,
          headers: { host: 'localhost:3000', cookie: dora.cookie, ...from },
        }),
      )
      expect(tally(answers)).toEqual({ 401: 10, 429: 3 })
    })
  })
})
