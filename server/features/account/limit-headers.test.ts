import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(() => w.end())

/** Sends a forwarding header, because this machine would otherwise be exempt from the limits. */
const send = (method: 'POST' | 'PUT', path: string, payload: object, remoteAddress: string) =>
  w.app.inject({
    method,
    url: `/v1${path}`,
    payload,
    remoteAddress,
    headers: { host: 'localhost:3000', 'x-forwarded-for': '203.0.113.1' },
  })
const limitHeaders = ({ headers }: Awaited<ReturnType<typeof send>>) => [
  Number(headers['x-ratelimit-limit']),
  Number(headers['x-ratelimit-remaining']),
]
let networks = 0
const network = () => {
  networks += 1
  return `198.51.100.${networks}`
}

/** Creates a member who has verified her address and signed in from a network. */
async function joinAtHome(name: string): Promise<[MemberClient, string]> {
  const her = await w.join(name)
  await w.database.pool.query('update accounts set email_verified = true where public_id = $1', [
    her.accountId,
  ])
  const home = network()
  expect(
    (await send('POST', '/sessions', { email: her.email, password: testPassword }, home)).statusCode,
  ).toBe(201)
  return [her, home]
}

const wrong = 'no es la suya'
const ways: [string, (email: string, from: string) => ReturnType<typeof send>][] = [
  ['a recovery email', (email, from) => send('POST', '/recovery', { email }, from)],
  [
    'a recovery email through the Appwrite API',
    (email, from) => send('POST', '/account/recovery', { email, url: 'http://localhost:3000/' }, from),
  ],
  [
    'a link to sign in with',
    (email, from) => send('POST', '/account/tokens/magic-url', { userId: 'unique()', email }, from),
  ],
  ['a code', (email, from) => send('POST', '/account/tokens/email', { userId: 'unique()', email }, from)],
  ['a wrong password', (email, from) => send('POST', '/sessions', { email, password: wrong }, from)],
  [
    'a wrong password in the Appwrite API',
    (email, from) => send('POST', '/account/sessions/email', { email, password: wrong }, from),
  ],
]

describe('S03 rate-limit headers of emails and sign-ins', () => {
  test.each(ways)(
    "the rate-limit headers of %s count only the caller's own requests, whatever the address and its owner's devices",
    async (what, ask) => {
      const [ana, home] = await joinAtHome('Ana')
      const nobody = `nadie${networks}@juntas.test`
      // Earlier requests count against the addresses, but not against this caller.
      const [elsewhere, another] = [network(), network()]
      for (const email of [ana.email, nobody]) await ask(email, another)
      const atHome = [limitHeaders(await ask(ana.email, home)), limitHeaders(await ask(nobody, home))]
      const away = [limitHeaders(await ask(ana.email, elsewhere)), limitHeaders(await ask(nobody, elsewhere))]
      const signIns = what.startsWith('a wrong') ? 1 : 0
      expect([atHome, away]).toEqual([
        [
          [25, 24 - signIns],
          [25, 23 - signIns],
        ],
        [
          [25, 24],
          [25, 23],
        ],
      ])
    },
  )

  test("the rate-limit headers show a guesser the same numbers wherever the code's owner has signed in", async () => {
    const [ana, home] = await joinAtHome('Ana')
    const seen = []
    for (const [userId, email] of [
      ['adela', ana.email],
      ['nadia', 'nadia@juntas.test'],
    ] as const) {
      await send('POST', '/account/tokens/email', { userId, email }, home)
      seen.push(
        limitHeaders(await send('POST', '/account/sessions/token', { userId, secret: 'wrong!' }, home)),
      )
    }
    expect(seen).toEqual([
      [25, 23],
      [25, 22],
    ])
  })

  test('a rate-limit error names the exhausted limit and when to retry', async () => {
    const answers = []
    const from = network()
    for (let time = 0; time < 6; time += 1)
      answers.push(await send('POST', '/recovery', { email: 'nadie.mas@juntas.test' }, from))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([...Array(5).fill(204), 429])
    expect(limitHeaders(answers.at(-1) as (typeof answers)[0])).toEqual([5, 0])
    expect(Number(answers.at(-1)?.headers['retry-after'])).toBeGreaterThan(0)
  })
})
