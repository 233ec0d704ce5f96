/** Tests which text visitors can put into emails to others through the link's URL. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fetchNewestMessageTo, fetchSentMessagesTo } from '#tests/support/sent-messages.ts'
import { createTestWorld, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld({ ALLOWED_ORIGINS: 'https://app.example', LIMITS: 'off' })
})
afterAll(() => w.end())

const here = 'http://localhost:3000'
const messages = ['recovery', 'verification', 'verifications/email', 'sessions/magic-url', 'tokens/magic-url']

test.each([
  '/SE-DONDE-VIVES,-Ana.-Llama-al-600-123-123-o-voy',
  '/se-donde-vives-ana-llama-me-ya',
  '/se-donde/vives-ana/llama-me-ya/o-voy/hoy',
  '/llama/600123123',
  '/6/0-0/1_2.3',
  '/SE%20DONDE%20VIVES',
  '/sé-dónde-vives',
  '/@ana',
  '/se+donde',
  '/(ana)',
  `/${'a/'.repeat(40)}`,
  '/reset?mensaje=SE%20DONDE%20VIVES',
  '/reset?mensaje=se+donde+vives',
  `/reset?a=${'a'.repeat(37)}`,
  `/reset?${'a'.repeat(17)}=1`,
  '/reset?a=1&b=2&c=3&d=4',
  '/reset?a=b?c',
  '/reset#SE-DONDE-VIVES',
  '/#/se-donde-vives',
])('S06 the URL %j is refused, because a stranger would read its words in an email', async (page) => {
  const ana = await w.join('Ana')
  for (const message of messages) {
    const asked = { userId: 'unique()', email: ana.email, url: `${here}${page}` }
    const answer = await ana.request('POST', `/v1/account/${message}`, asked)
    expect([message, answer]).toMatchObject([
      message,
      { status: 400, body: { code: 400, type: 'general_argument_invalid', field: 'url' } },
    ])
  }
  expect(await fetchSentMessagesTo(w, ana.email)).toEqual([])
})

test.each([
  here,
  `${here}/`,
  `${here}/v1/auth/recovery`,
  'https://app.example/reset-password',
  'https://app.example/es/cuenta/v2/reset.html',
  'https://app.example/auth/callback?from=app&lang=es-ES&team=5e5ea5c16897e_a.b-c',
  'https://app.example/verify?id=0b8a3c52-6d3e-4c1f-9d7a-2f1f3a4b5c6d',
])("S06 an email links to the client's page %j and keeps its query parameters", async (page) => {
  const bea = await w.join('Bea')
  for (const message of messages) {
    const asked = { userId: 'unique()', email: bea.email, url: page }
    expect((await bea.request('POST', `/v1/account/${message}`, asked)).status).toBe(201)
    const link = new URL(/https?:\S+/.exec((await fetchNewestMessageTo(w, bea.email)).text)?.[0] ?? '')
    const { origin, pathname, searchParams } = new URL(page)
    expect(`${link.origin}${link.pathname}`).toBe(`${origin}${pathname}`)
    for (const [name, value] of searchParams) expect(link.searchParams.get(name)).toBe(value)
    expect(link.searchParams.get('secret')).toMatch(/^[0-9a-f]{64}$/)
  }
})
