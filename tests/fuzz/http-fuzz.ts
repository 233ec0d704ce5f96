/** Inputs are derived from the contract. The catalogue must list every error. */
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import type { ApiResponse, MemberClient } from '#api-client/member-client.ts'
import { openConversationOperation } from '#contract/chat/conversations.ts'
import { sendMessageOperation } from '#contract/chat/messages.ts'
import { errorCatalogue } from '#contract/errors.ts'
import { requestToJoinOperation } from '#contract/groups/group-requests.ts'
import { createGroupOperation } from '#contract/groups/groups.ts'
import { apiOperations } from '#contract/index.ts'
import { createPostOperation } from '#contract/posts/posts.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { documentCollections } from '#server/appwrite/documents/document-collections.ts'
import type { TestWorld } from '../support/world.ts'

type Schema = {
  type?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
}
type Route = { method: string; path: string; shape?: Schema }
export type HttpFuzzCase = {
  route: Route
  path: string
  query: string
  body: unknown
  headers: Record<string, string>
  who: number
}

const texts = [
  '',
  ' ',
  '\0',
  '\ud800',
  '\u202egpj.exe',
  '\u200b',
  'ﬃ',
  'İı',
  '😀'.repeat(20),
  'a'.repeat(5000),
  "'",
  '"',
  '\\',
  '%',
  '_',
  '%00',
  '%ff',
  '../',
  '..%2f..%2faccount',
  '{{7*7}}',
  '<svg/onload=alert(1)>',
  'javascript:1',
  '__proto__',
  'constructor',
  'null',
  'NaN',
  '-1',
  '0',
  '1e400',
  '9223372036854775808',
  'unique()',
  'current',
  'true',
  '[]',
  '{}',
  "' or 1=1--",
  'equal("name",["a"])',
  'limit(1e9)',
  'search("caption",["%"])',
  '{"method":"equal","attribute":"email","values":["a"]}',
]
const junk = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom<unknown>(...texts) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 2 ** 53, 1e308, [], {}, [[1]], { $ne: 1 }, [
      'a',
      null,
    ]),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
)

const collections = Object.keys(documentCollections)

const names = [
  'userId',
  'email',
  'password',
  'oldPassword',
  'passwordAgain',
  'name',
  'phone',
  'secret',
  'url',
  'success',
  'failure',
  'prefs',
  'queries',
  'queries[]',
  'search',
  'documentId',
  'data',
  'permissions',
  'width',
  'height',
  'quality',
  'output',
  'code',
  'text',
  'size',
  'total',
  'limit',
  'offset',
  'cursor',
  'status',
  'groupId',
  'participants',
  'conversationId',
  'content',
  'senderId',
  'readBy',
  'caption',
  'location',
  'tags',
  'likes',
  'imageId',
  'bio',
  'user',
  'post',
  'followerId',
  'followingId',
  'adminId',
  'memberCount',
  'role',
  'state',
  'token',
  'since',
  'before',
  'after',
]

function routesOf(app: FastifyInstance): Route[] {
  const above: string[] = []
  const served = app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods = ''] =
        /^([│ ]*)[├└]── (\S+)(?: \(([A-Z, ]+)\))?/.exec(line) ?? []
      const depth = indent.length / 4
      above.length = depth
      above[depth] = part
      const path = above.join('')
      return methods
        .split(', ')
        .filter(Boolean)
        .map((method) => ({ method, path }))
    })
  return served
    .filter(({ path }) => !path.includes('*') && !path.startsWith('/assets'))
    .map((route) => {
      const operation = apiOperations.find(
        ({ method, path }) => method === route.method && `/v1${path}` === route.path,
      )
      return operation
        ? { ...route, shape: z.toJSONSchema(operation.input, { io: 'input' }) as Schema }
        : route
    })
}

/** Generates mostly valid values that contain existing ids. */
function fitting(schema: Schema, ids: string[]): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => fitting(one, ids)))
  switch (schema.type) {
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([key, inside]) => [key, field(inside, ids)]),
        ),
        { requiredKeys: [] },
      )
    case 'array':
      return fc.array(field(schema.items ?? {}, ids), { maxLength: 40 })
    case 'number':
    case 'integer':
      return fc.oneof(fc.integer({ min: 0, max: 120 }), fc.double())
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.oneof(fc.constantFrom(...ids), fc.lorem({ maxCount: 8 }), fc.string({ maxLength: 300 }))
  }
}

const field = (schema: Schema, ids: string[]): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 4, arbitrary: fitting(schema, ids) }, { weight: 1, arbitrary: junk })

/** Requests use the ids to reach existing data. */
export type HttpFuzzContext = { people: MemberClient[]; ids: string[]; routes: Route[]; app: FastifyInstance }

export async function prepareHttpFuzz(w: TestWorld): Promise<HttpFuzzContext> {
  const people = [await w.join('Ana'), await w.join('Bea'), await w.join('Eva')]
  const [ana, bea, eva] = people as [MemberClient, MemberClient, MemberClient]
  const post = async (who: MemberClient, groupId?: string) => {
    const imageId = await who.upload(await createJpeg())
    const { $id } = await who.call(createPostOperation, {
      caption: 'una foto',
      location: 'Lima',
      tags: ['sol'],
      imageId,
      groupId,
    })
    return [$id, imageId]
  }
  const group = await ana.call(createGroupOperation, { name: 'Tejer', description: '' })
  const conversation = await ana.call(openConversationOperation, { personId: bea.id })
  const message = await ana.call(sendMessageOperation, { conversationId: conversation.$id, content: 'hola' })
  const request = await eva.call(requestToJoinOperation, { groupId: group.$id })
  const ids = [
    ...people.map(({ id }) => id),
    ...people.map(({ accountId }) => accountId),
    ...(await post(ana)),
    ...(await post(ana, group.$id)),
    ...(await post(bea)),
    await eva.upload(await createJpeg()),
    group.$id,
    conversation.$id,
    message.$id,
    request.$id,
    'main',
    'media',
    ...collections,
    'preview',
    'initials',
    'google',
    'nobody',
    'current',
  ]
  return { people, ids, routes: routesOf(w.app), app: w.app }
}

/** The fuzzer rarely calls these routes, because hashing passwords is slow. */
const slow =
  /\/v1\/(members|account\/?$|account\/(sessions\/email|recovery|password|email|phone|sessions)$|auth\/)/

const fixed: Record<string, string[]> = {
  database: ['main'],
  bucketId: ['media'],
  collection: collections,
}

export function httpFuzzCaseArbitrary({ ids, routes, people }: HttpFuzzContext): fc.Arbitrary<HttpFuzzCase> {
  const route = fc.oneof(
    {
      weight: 60,
      arbitrary: fc.constantFrom(
        ...routes.filter(({ method, path }) => !(slow.test(path) && method !== 'GET')),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(...routes.filter(({ method, path }) => slow.test(path) && method !== 'GET')),
    },
  )
  const value = fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom<unknown>(...ids) },
    { weight: 3, arbitrary: junk },
  )
  const loose = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 6 })
  const part = (name: string) => {
    const known = fixed[name] ?? ids
    return fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...known) },
      { weight: 1, arbitrary: fc.constantFrom(...texts) },
    )
  }
  return route.chain((route) => {
    const parts = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
    const given = route.shape
      ? fc.oneof({ weight: 5, arbitrary: fitting(route.shape, ids) }, { weight: 1, arbitrary: junk })
      : fc.oneof(
          { weight: 3, arbitrary: loose },
          {
            weight: 3,
            arbitrary: fc.record({ documentId: fc.constantFrom('unique()', ...ids), data: loose }),
          },
          { weight: 1, arbitrary: junk },
        )
    return fc
      .record({
        values: fc.tuple(...parts.map(part)),
        given,
        query: loose,
        who: fc.nat(people.length),
        headers: fc.oneof(
          { weight: 8, arbitrary: fc.constant({}) },
          {
            weight: 2,
            arbitrary: fc.constantFrom<Record<string, string>>(
              { range: 'bytes=0-9' },
              { range: 'bytes=9-0, 3' },
              { 'if-none-match': '*' },
              { 'content-type': 'text/plain' },
              { 'content-type': 'application/json\ta' },
              { 'content-type': 'application/x-www-form-urlencoded' },
              { 'content-type': 'multipart/form-data; boundary=x' },
              { 'content-range': 'bytes 5-2/3' },
              { origin: 'null' },
              { cookie: 'a_session_juntas=%00; a_session_juntas=eyJ9' },
              { 'x-appwrite-jwt': 'a.b.c' },
              { 'x-fallback-cookies': '{"a_session_juntas":1}', origin: 'http://localhost:1' },
              { 'x-appwrite-id': '../x' },
              { 'x-appwrite-response-format': '9.9.9' },
              { 'x-appwrite-project': '__proto__' },
              { accept: 'image/webp' },
            ),
          },
        ),
      })
      .map(({ values, given, query, who, headers }) => {
        let at = 0
        const path = route.path.replace(/:(\w+)/g, () => encode(values[at++] ?? ''))
        const asked =
          route.method === 'GET' && typeof given === 'object' && given !== null
            ? { ...query, ...given }
            : query
        return { route, path, query: queryOf(asked), body: given, headers, who }
      })
  })
}

/** Lone surrogates cannot be encoded. */
const encode = (text: string) => encodeURIComponent(text.toWellFormed())

const queryOf = (values: Record<string, unknown>) =>
  Object.entries(values)
    .map(
      ([name, value]) =>
        `${encode(name)}=${encode(typeof value === 'string' ? value : JSON.stringify(value ?? null))}`,
    )
    .join('&')

/** @throws with the request if the response is a server error or has an error outside the catalogue */
export async function runHttpFuzzCase(
  { people, app }: HttpFuzzContext,
  { route, path, query, body, headers, who }: HttpFuzzCase,
): Promise<ApiResponse['status']> {
  const cookie = people[who]?.cookie
  const answer = await app.inject({
    method: route.method as 'GET',
    url: `${path}${query ? `?${query}` : ''}`.slice(0, 15_000),
    headers: {
      host: 'localhost:3000',
      ...(cookie ? { cookie } : {}),
      'content-type': 'application/json',
      ...headers,
    },
    ...(route.method === 'GET' || route.method === 'HEAD' ? {} : { payload: JSON.stringify(body) ?? '' }),
  })
  const asked = `${route.method} ${path}?${query} ${JSON.stringify(body)} ${JSON.stringify(headers)}`
  if (answer.statusCode >= 500) throw new Error(`${asked} answered ${answer.statusCode}: ${answer.body}`)
  if (answer.statusCode >= 400 && answer.body !== '' && !path.startsWith('/v1/auth/')) {
    const { type, code } = answer.json<{ type: string; code: number }>()
    if (code !== answer.statusCode || !(type in errorCatalogue))
      throw new Error(`${asked} answered ${answer.body}`)
  }
  return answer.statusCode
}
