import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { appwriteApi } from '#server/appwrite/routes.ts'
import { promoteToOperator } from '#server/features/community/promote-to-operator.ts'
import {
  type RouteMetadata,
  registeredRoutesByApp,
  requireRouteMetadata,
} from '#server/http/route-metadata.ts'
import {
  assertCollectionsComplete,
  juntasCollectionDefinitions,
} from '#server/store/assert-collections-complete.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '../support/world.ts'

const whole: RouteMetadata = {
  who: 'member',
  input: 'contract',
  limit: ['read'],
  cache: 'never',
  log: 'each',
}

async function startWith(config: Partial<RouteMetadata>): Promise<unknown> {
  const app = fastify()
  requireRouteMetadata(app)
  app.get('/v1/forgotten', { config }, async () => ({}))
  return app.ready().then(
    () => 'started',
    (error: Error) => error.message,
  )
}

describe('the start of the server', () => {
  test.each(Object.keys(whole))('the server does not start if a route does not declare: %s', async (name) => {
    const { [name as keyof RouteMetadata]: _, ...rest } = whole
    expect(await startWith(rest)).toBe(`GET /v1/forgotten does not say: ${name}.`)
    expect(await startWith(whole)).toBe('started')
  })

  test('the server does not start if a route declares nothing', async () => {
    expect(await startWith({})).toBe('GET /v1/forgotten does not say: who, input, limit, cache, log.')
  })

  test('is refused when a route of the administration is not for operators alone', async () => {
    const app = fastify()
    requireRouteMetadata(app)
    app.post('/v1/admin/forgotten', { config: whole }, async () => ({}))
    await expect(app.ready()).rejects.toThrow('POST /v1/admin/forgotten does not say: operator.')
  })

  const definitions = { ...juntasCollectionDefinitions, documents: appwriteApi.documents ?? {} }
  const { collections, rules, documents, channels } = definitions
  test.each([
    ['read rule', { rules: { ...rules, posts: { ...rules.posts, read: undefined } } }],
    ['updated rule', { rules: { ...rules, posts: { ...rules.posts, updated: undefined } } }],
    ['audience', { collections: { ...collections, posts: { table: 'posts' } } }],
    ['fields', { documents: { ...documents, posts: { limit: 'post' } } }],
    ['limit', { documents: { ...documents, posts: { ...documents.posts, limit: undefined } } }],
    ['channel', { channels: channels.filter((name) => name !== 'posts') }],
  ])('the server does not start if a collection has no %s', (missing, change) => {
    expect(() => assertCollectionsComplete({ ...definitions, ...change })).toThrow(
      `The collection posts has no ${missing}.`,
    )
  })

  test('the server does not start if a channel or a table of documents belongs to no collection', () => {
    const odd = { ...definitions, channels: [...channels, 'diaries'] }
    expect(() => assertCollectionsComplete(odd)).toThrow(
      /^The collection diaries has no read rule, no create rule/,
    )
    expect(() => assertCollectionsComplete(definitions)).not.toThrow()
    expect(() => assertCollectionsComplete(juntasCollectionDefinitions)).not.toThrow()
  })
})

describe('the running server', () => {
  let w: TestWorld
  let ana: MemberClient
  let routes: { method: string; url: string; classes: RouteMetadata }[]

  beforeAll(async () => {
    w = await createTestWorld()
    ana = await w.join('Ana')
    routes = (registeredRoutesByApp.get(w.app) ?? []).flatMap(({ method, url, config }) =>
      [method].flat().map((each) => ({ method: each, url, classes: config as RouteMetadata })),
    )
  })
  afterAll(() => w.end())

  test('every route that requires a member refuses a visitor', async () => {
    expect(routes.length).toBeGreaterThan(100)
    for (const { method, url, classes } of routes) {
      const { status, body } = await w.visitor.request<{ type?: string }>(method, filled(url))
      const asked = status === 401 && (method === 'HEAD' || body.type === 'general_unauthorized_scope')
      if (classes.who !== 'visitor') expect([method, url, asked]).toEqual([method, url, true])
    }
  })

  test('answers 404 to members wherever a route is for operators', async () => {
    const forOperators = routes.filter(
      ({ method, classes }) => classes.who === 'operator' && method !== 'HEAD',
    )
    expect(forOperators.length).toBeGreaterThan(25)
    for (const { method, url } of forOperators) {
      const body = method === 'GET' ? undefined : {}
      const { status, body: answer } = await ana.request<{ type?: string }>(method, filled(url), body)
      expect([method, url, status, answer.type]).toEqual([method, url, 404, 'general_route_not_found'])
    }
  })

  test('asks an operator to re-authenticate before each change, and not before she reads', async () => {
    const olga = await w.join('Olga')
    await promoteToOperator(w.database.kysely, 'olga2')
    await w.database.pool.query(`update sessions set proved_at = clock_timestamp() - interval '16 minutes'`)
    const refused: string[] = []
    for (const { method, url } of routes.filter(({ classes }) => classes.who === 'operator')) {
      const body = method === 'GET' ? undefined : {}
      const answer = await olga.request<{ type?: string }>(method, filled(url), body)
      if (answer.status === 401 && answer.body.type === 'user_challenge_required')
        refused.push(`${method} ${url}`)
    }
    const reusable = await olga.request('POST', '/v1/me/invitations', { reusable: true })
    expect(reusable).toMatchObject({ status: 401, body: { type: 'user_challenge_required' } })
    expect((await olga.request('POST', '/v1/me/invitations', {})).status).toBe(201)
    expect(refused.sort()).toEqual([
      'DELETE /v1/admin/emails/:emailId',
      'DELETE /v1/admin/members/:memberId/sessions',
      'DELETE /v1/admin/members/:memberId/suspension',
      'DELETE /v1/admin/suspensions/:proposalId',
      'DELETE /v1/community/first-steps',
      'DELETE /v1/community/logo',
      'PATCH /v1/community/identity',
      'PATCH /v1/community/settings',
      'POST /v1/admin/applications/:applicationId/approval',
      'POST /v1/admin/applications/:applicationId/refusal',
      'POST /v1/admin/emails/:emailId/retry',
      'POST /v1/admin/members/:memberId/recovery-link',
      'POST /v1/admin/members/:memberId/suspension',
      'POST /v1/admin/suspensions/:proposalId/confirmation',
      'POST /v1/admin/test-email',
      'PUT /v1/admin/members/:memberId/moderator',
      'PUT /v1/community/logo',
    ])
  })

  test('every route that forbids caching answers with no-store', async () => {
    for (const { method, url, classes } of routes.filter(({ method }) => method === 'GET')) {
      if (classes.cache !== 'never') continue
      const { headers } = await ana.request(method, filled(url))
      expect([url, headers['cache-control']]).toEqual([url, 'no-store'])
    }
  })

  test('S02 every route that can change something has a rate limit', () => {
    const changing = routes.filter(({ method }) => unsafe.includes(method))
    expect(changing.length).toBeGreaterThan(60)
    expect(changing.filter(({ classes }) => classes.limit.length === 0)).toEqual([])
  })

  test('S13 a form on a foreign page cannot change anything, with any of the three form types', async () => {
    for (const { method, url } of routes.filter(({ method }) => unsafe.includes(method))) {
      for (const type of [
        'text/plain',
        'multipart/form-data; boundary=x',
        'application/x-www-form-urlencoded',
      ]) {
        const headers = { origin: 'https://evil.example', 'content-type': type }
        const answer = await ana.request(method, filled(url), 'a=b', headers)
        expect([method, url, answer]).toMatchObject([
          method,
          url,
          { status: 403, body: { type: 'general_unknown_origin' } },
        ])
      }
    }
  })

  test('a route counts requests if, and only if, it declares a rate limit', async () => {
    // Rate limits apply to requests through a proxy.
    const proxied = { 'x-forwarded-for': '203.0.113.7' }
    for (const { method, url, classes } of routes) {
      const body = method === 'GET' || method === 'HEAD' ? undefined : {}
      const who = /^\/v1\/(account|sessions|me\/closing)/.test(url) && body ? await w.join('Otra') : ana
      const { headers } = await who.request(method, filled(url), body, proxied)
      expect([method, url, 'x-ratelimit-limit' in headers]).toEqual([method, url, classes.limit.length > 0])
    }
  })
})

const unsafe = ['POST', 'PUT', 'PATCH', 'DELETE']
const known: Record<string, string> = { database: 'main', collection: 'posts', bucketId: 'media', code: 'ff' }
const filled = (url: string) => url.replace(/:(\w+)/g, (_, name: string) => known[name] ?? 'nothing')
