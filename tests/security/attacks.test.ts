/** These attacks belong to no single feature. Tests of other attacks are next to the attacked code. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiClient, pickComparableResponse, signUpAndSignIn } from '#api-client/member-client.ts'
import { sendRawUpload, sliceUploadChunk } from '#api-client/raw-multipart-upload.ts'
import { signUpOperation } from '#contract/account/sign-up-and-sign-in.ts'
import { openConversationOperation } from '#contract/chat/conversations.ts'
import { sendMessageOperation } from '#contract/chat/messages.ts'
import { createGroupOperation } from '#contract/groups/groups.ts'
import { uploadChunkBytes } from '#contract/limits.ts'
import { createPostOperation, explorePostsOperation } from '#contract/posts/posts.ts'
import { createJpeg, createPng, padPngToSize } from '#scripts/harness/image-fixtures.ts'
import { buildApp } from '#server/app.ts'
import { documentCollections } from '#server/appwrite/documents/document-collections.ts'
import { readConfig } from '#server/config.ts'
import { databaseTimeouts } from '#server/database/open-database.ts'
import { captureSqlStatements } from '#server/database/prepared-statements.ts'
import { toFailure } from '#server/errors.ts'
import { createServerLogger } from '#server/log.ts'
import { settleNotifications } from '#tests/support/settle-notifications.ts'
import { prepareHttpFuzz } from '../fuzz/http-fuzz.ts'
import {
  appwriteDocumentsPath,
  createAppwriteDocumentsClient,
  postContentFixture,
} from '../support/appwrite-documents-client.ts'
import { createTestDatabase } from '../support/database.ts'
import {
  countResponsesByStatus,
  createArrayByIndex,
  raceTimeoutMs,
  runRaceRounds,
} from '../support/run-race-rounds.ts'
import { startSecondServerNode } from '../support/second-node.ts'
import { fetchSentLinkSecret } from '../support/sent-messages.ts'
import { openTestSocket } from '../support/test-socket.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '../support/world.ts'

/** Every object inherits these keys. Changing them would affect later requests. */
const sharedKeys = Reflect.ownKeys(Object.prototype)

let w: TestWorld
let ana: MemberClient
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana')
})
afterAll(() => w.end())

describe('a visitor', () => {
  test('A27 a refused visitor causes no database statement', async () => {
    const { routes, ids } = await prepareHttpFuzz(w)
    const refused: string[] = []
    const paid: string[] = []
    for (const { method, path } of routes) {
      const url = path.replace(/:\w+/g, () => ids[0] ?? '')
      const body = ['GET', 'HEAD'].includes(method) ? undefined : {}
      const { result, statements } = await captureSqlStatements(() => w.visitor.request(method, url, body))
      if (result.status !== 401) continue
      refused.push(`${method} ${path}`)
      if (statements.length > 0) paid.push(`${method} ${path}`)
    }
    const { statements } = await captureSqlStatements(() => ana.request('GET', '/v1/me'))
    expect(statements).not.toEqual([])
    expect(refused.length).toBeGreaterThan(90)
    expect(paid).toEqual([])
  })

  test.each([
    '//v1/me',
    '/v1/./me',
    '/v1/../v1/me',
    '/%76%31/me',
    '/v1/me;x',
    '/v1/me/',
    '/V1/ME',
    '/v1//me',
    '/v1/me%00',
    '/v1/me%2f',
    '/v1/%6de',
    '/v1\\me',
    '/./v1/me',
  ])('A28 a visitor stays a visitor at the path %s', async (path) => {
    for (const method of ['GET', 'HEAD', 'POST']) {
      const answer = await w.visitor.request(method, path, method === 'POST' ? {} : undefined, {
        'x-http-method-override': 'GET',
        'x-original-url': '/v1/ping',
        'x-rewrite-url': '/v1/ping',
      })
      const isPage = String(answer.headers['content-type']).startsWith('text/html')
      expect(isPage ? 401 : answer.status).toBeOneOf([400, 401, 404, 405])
    }
  })

  test('S18 a visitor with an anonymous session is not a member', async () => {
    const session = await w.visitor.request('POST', '/v1/account/sessions/anonymous', {})
    const cookie = (session.headers['set-cookie'] ?? '').split(';')[0] ?? ''
    for (const path of [
      '/v1/me',
      '/v1/feed',
      '/v1/people',
      '/v1/groups',
      '/v1/databases/main/collections/posts/documents',
    ]) {
      expect((await w.visitor.request('GET', path, undefined, { cookie })).status).toBe(401)
    }
  })
})

describe('a request body', () => {
  const types = [
    'application/json\ta',
    ' application/json',
    'application/json garbage',
    'application/jsonx',
    'text/json',
    'text/plain',
    'application/x-www-form-urlencoded',
    'APPLICATION/JSON ;x',
    'application/json; charset=utf-7',
    'multipart/form-data; boundary=a',
  ]
  test.each(types)('S14 S13 a body of the type %s is checked like any other, or not read', async (type) => {
    const body = JSON.stringify({ name: '', adminId: 'nobody' })
    const answer = await ana.request('POST', '/v1/groups', body, { 'content-type': type })
    expect(answer.status).toBeOneOf([400, 415])
  })

  test.each([
    ['a number for a text', { name: 5 }],
    ['a list for a text', { name: ['Tejer'] }],
    ['a text for a truth', { name: 'Tejer', isPrivate: 'true' }],
    ['an object for a text', { name: { $ne: '' } }],
    ['nothing for a text', { name: null }],
  ])('S15 a body with %s is refused', async (_, body) => {
    expect((await ana.request('POST', '/v1/groups', body)).status).toBe(400)
  })

  test.each([
    ['two hundred thousand deep', `{"name":${'['.repeat(200_000)}`],
    ['with a number of a million digits', `{"name":${'9'.repeat(250_000)}}`],
    ['with two of one name', '{"name":"Tejer","name":"Tejer"}'],
    ['with two of one name, once in disguise', '{"name":"Tejer","description":"\\"{","\\u006eame":"Coser"}'],
    ['with two of one name deep inside', '{"name":"Tejer","x":[{"a":1},{"a":[{}],"b":"{","a":2}]}'],
    ['with a million names', `{${createArrayByIndex(1e6, (n) => `"${n}":1`).join()}}`],
    ['with as many names as there is room for', `{${createArrayByIndex(25_000, (n) => `"${n}":1`).join()}}`],
    ['with a key of the prototype', '{"name":"a","__proto__":{"isAdmin":true}}'],
    ['that is cut off', '{"name":"a"'],
    ['larger than any', `{"name":"${'a'.repeat(300_000)}"}`],
  ])('D04 a body %s is refused', async (_, text) => {
    const answer = await ana.request('POST', '/v1/groups', Buffer.from(text), {
      'content-type': 'application/json',
    })
    expect(answer.status).toBeOneOf([400, 413])
    expect(Reflect.ownKeys(Object.prototype)).toEqual(sharedKeys)
  })
})

test('D04 keys may repeat in different objects, and texts may look like keys', async () => {
  const prefs = { a: { a: 1 }, list: [{ a: 1 }, { a: '{"a":1,"a":2}' }], 'a"a': '', '': ':', b: ':\\' }
  expect((await ana.request('PATCH', '/v1/account/prefs', { prefs })).body).toMatchObject({ prefs })
})

test('D04 a body that is not JSON is answered with an error about the JSON', async () => {
  for (const body of ['{"name":"a"', 'name=a', '{"__proto__":{}}']) {
    const { status, body: said } = await ana.request<{ message: string }>('POST', '/v1/groups', body, {
      'content-type': 'application/json',
    })
    expect([status, said.message]).toEqual([400, 'The JSON body could not be read.'])
  }
})

/** Jobs write notification progress and the week's trending posts. */
const movedByJobs = [
  'notification_cursor',
  'notification_delivery',
  'push_schedule',
  'trending_posts',
  'trending_rankings',
]

test('S13 GET requests change nothing, whatever they read', { timeout: raceTimeoutMs }, async () => {
  const { routes, ids, people } = await prepareHttpFuzz(w)
  const [looking] = people as [MemberClient]
  const state = async () => {
    const { rows } = await w.database.pool.query<{ name: string; rows: string }>(
      `select relname as name, query_to_xml('select t from ' || relname || ' t order by t::text', true, true, '')::text as rows
       from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and not relname = any ($1)`,
      [movedByJobs],
    )
    return Object.fromEntries(rows.map(({ name, rows }) => [name, rows]))
  }
  await settleNotifications(w.database)
  const before = await state()
  const seen = new Set<string>()
  for (const { path } of routes.filter(({ method }) => method === 'GET')) {
    const known = path.replace(':database', 'main').replace(':bucketId', 'media')
    for (const id of known.includes(':') ? ids : ['']) {
      // Requests the document from every collection. Other paths have a single parameter.
      for (const collection of known.includes(':collection') ? Object.keys(documentCollections) : ['']) {
        const url = known.replace(':collection', collection).replace(/:\w+/g, id)
        const { status } = await looking.request('GET', url, undefined, { origin: 'https://evil.example' })
        if (status === 200) seen.add(path)
      }
    }
  }

  expect(seen.size).toBeGreaterThan(40)
  expect(await state()).toEqual(before)
})

test('X05 letters with many stacked marks, NUL and lone surrogates are refused in every text', async () => {
  const imageId = await ana.upload(await createJpeg())
  const { $id: postId } = await ana.call(createPostOperation, {
    caption: 'una foto',
    location: 'Lima',
    tags: [],
    imageId,
  })
  const groupId = (await ana.call(createGroupOperation, { name: 'Tejer', description: '' })).$id
  const conversation = await ana.call(openConversationOperation, { personId: (await w.join('Eva')).id })
  const documents = '/v1/databases/main/collections'
  const writes: [method: string, path: string, field: string][] = [
    ['PATCH', `/v1/people/${ana.id}`, 'name'],
    ['PATCH', `/v1/people/${ana.id}`, 'bio'],
    ['PATCH', `/v1/posts/${postId}`, 'caption'],
    ['PATCH', `/v1/posts/${postId}`, 'location'],
    ['PATCH', `/v1/groups/${groupId}`, 'name'],
    ['PATCH', `/v1/groups/${groupId}`, 'description'],
    ['POST', `/v1/conversations/${conversation.$id}/messages`, 'content'],
    ['PATCH', `${documents}/users/documents/${ana.id}`, 'bio'],
    ['PATCH', `${documents}/posts/documents/${postId}`, 'caption'],
    ['PATCH', `${documents}/groups/documents/${groupId}`, 'name'],
  ]
  const odd = [`ojo ${'\u0338\u0342'.repeat(20)}`, 'nulo \0 dentro', 'medio \ud83d']
  for (const [method, path, field] of writes) {
    const write = (text: string) =>
      ana.request(method, path, path.startsWith(documents) ? { data: { [field]: text } } : { [field]: text })
    for (const text of odd) expect([path, (await write(text)).status]).toEqual([path, 400])
    // Real languages use combining marks.
    expect([path, (await write('Ñandú tiếng Việt')).status]).toEqual([path, method === 'POST' ? 201 : 200])
  }
  const sign = { name: 'Ana', email: 'torre@juntas.test', password: testPassword }
  for (const text of [`a${'\u0338'.repeat(20)}`, 'a\0b', 'a\ud83d']) {
    expect((await w.visitor.request('POST', '/v1/members', { ...sign, username: text })).status).toBe(400)
  }
})

test.each(['https://evil.example/p.gif?v=1', 'javascript:alert(1)', 'data:image/gif;base64,R0lGOD'])(
  'F14 the image URL %s is ignored, because the server always uses its own URL',
  async (imageUrl) => {
    const posts = createAppwriteDocumentsClient(ana, 'posts')
    const groups = createAppwriteDocumentsClient(ana, 'groups')
    const imageId = await ana.upload(await createJpeg())
    const own = `http://localhost:3000/v1/storage/buckets/media/files/${imageId}/preview`
    const post = await posts.made({ ...postContentFixture, imageId, imageUrl })
    expect([post.imageUrl, (await posts.patch(post.$id, { imageUrl })).body.imageUrl]).toEqual([own, own])
    const initials = /^http:\/\/localhost:3000\/v1\/avatars\/initials\?/
    const { body: profile } = await createAppwriteDocumentsClient(ana, 'users').patch(ana.id, { imageUrl })
    expect(profile.imageUrl).toMatch(initials)
    const group = await groups.made({ name: 'Tejer', imageUrl })
    expect([group.imageUrl, (await groups.patch(group.$id, { imageUrl })).body.imageUrl]).toEqual(['', ''])
    const another = await ana.request('POST', '/v1/groups', { name: 'Tejer', imageUrl })
    expect(another).toMatchObject({ status: 201, body: { imageUrl: '' } })
    expect(JSON.stringify(await ana.call(explorePostsOperation, {}))).not.toContain(imageUrl)
  },
)

test('Q09 the most expensive queries are answered within the time limit of a statement', async () => {
  const orders = createArrayByIndex(18, () =>
    JSON.stringify({ method: 'orderDesc', attribute: 'caption', values: [] }),
  )
  const expensive = [
    ...orders,
    '{"method":"offset","values":[5000]}',
    '{"method":"search","attribute":"caption","values":["a"]}',
  ]
  const tags = JSON.stringify({
    method: 'equal',
    attribute: 'tags',
    values: createArrayByIndex(100, (n) => `t${n}`),
  })
  for (const queries of [expensive, [tags]]) {
    const query = queries.map((one) => `queries[]=${encodeURIComponent(one)}`).join('&')
    const answer = await ana.request('GET', `/v1/databases/main/collections/posts/documents?${query}`)
    expect(answer.status).toBeOneOf([200, 400])
  }
  // The database aborts slow queries, and the server answers 503.
  expect(databaseTimeouts.statement_timeout).toBe(4000)
  const endless = w.database.pool.query("set local statement_timeout = '50ms'; select pg_sleep(60)")
  const refusal = toFailure(await endless.catch((error: unknown) => error))
  expect(refusal).toMatchObject({ status: 503, retryAfter: 2 })
})

test('C12 only one of ten concurrent sign-ups with one email or username succeeds', {
  timeout: 2 * raceTimeoutMs,
}, async () => {
  const one = (round: number, n: number, same: 'email' | 'username') => () =>
    w.visitor.request('POST', '/v1/members', {
      name: 'Eva',
      username: same === 'username' ? `GINA${round}` : `gina${round}x${n}`,
      email: same === 'email' ? `Gina${round}@juntas.test` : `g${round}x${n}@juntas.test`,
      password: testPassword,
    })
  for (const same of ['email', 'username'] as const) {
    const offset = same === 'email' ? 0 : 1000
    await runRaceRounds(
      w.database,
      async (round) => createArrayByIndex(10, (n) => one(round + offset, n, same)),
      (answers) => expect(countResponsesByStatus(answers)).toEqual({ 201: 1, 409: 9 }),
    )
  }
})

test('C14 A24 after an account is closed, the server accepts none of its concurrent requests', {
  timeout: raceTimeoutMs,
}, async () => {
  const imageId = await ana.upload(await createJpeg())
  const post = await ana.call(createPostOperation, {
    caption: 'una foto',
    location: 'Lima',
    tags: [],
    imageId,
  })
  await runRaceRounds(
    w.database,
    async (round) => {
      const eva = await w.join(`Eva${round}`)
      const conversation = await eva.call(openConversationOperation, { personId: ana.id })
      const commands = [
        () => eva.request('POST', '/v1/groups', { name: 'Tejer' }),
        () => eva.request('PUT', `/v1/posts/${post.$id}/like`, {}),
        () => eva.request('PUT', `/v1/posts/${post.$id}/save`, {}),
        () => eva.request('PUT', `/v1/people/${ana.id}/follow`, {}),
        () => eva.request('POST', `/v1/conversations/${conversation.$id}/messages`, { content: 'hola' }),
      ]
      return [
        ...commands,
        async () => {
          const closed = await eva.request('PATCH', '/v1/account/status', {})
          expect(closed.status).toBe(200)
          for (const { status } of await Promise.all(commands.map((command) => command())))
            expect(status).toBe(401)
          return closed
        },
        ...commands,
      ]
    },
    (answers) => {
      for (const { status } of answers) expect(status).toBeOneOf([200, 201, 401])
    },
  )
})

test('C14 a message whose body arrives after the account closed gets 401 and is not stored', async () => {
  const eva = await w.join('Eva')
  const { $id } = await eva.call(openConversationOperation, { personId: ana.id })
  const body = new PassThrough()
  const lookedUp = Promise.withResolvers<void>()
  w.database.pool.once('release', () => lookedUp.resolve())
  const sent = w.app
    .inject({
      method: 'POST',
      url: `/v1/conversations/${$id}/messages`,
      headers: { cookie: eva.cookie, host: 'localhost:3000', 'content-type': 'application/json' },
      payload: body,
    })
    .then(({ statusCode, body }) => ({ status: statusCode, type: JSON.parse(body).type }))
  await lookedUp.promise
  expect((await eva.request('PATCH', '/v1/account/status', {})).status).toBe(200)
  body.end(JSON.stringify({ content: 'hola' }))
  expect(await sent).toEqual({ status: 401, type: 'general_unauthorized_scope' })
  const { rows } = await w.database.pool.query(
    'select from messages m join conversations c on c.id = m.conversation_id where c.public_id = $1',
    [$id],
  )
  expect(rows).toEqual([])
})

test('A24 a blocked account cannot use a session, JWT, socket, upload or emailed link on any node', async () => {
  const eva = await w.join('Eva')
  // The owner of an unverified address could return with a new account.
  await w.database.pool.query('update accounts set email_verified = true where email = $1', [eva.email])
  const other = await startSecondServerNode(w.database)
  const nodes = [w.app, other.app]
  const large = padPngToSize(await createPng(), uploadChunkBytes + 100)
  const { body: begun } = await sendRawUpload(eva, sliceUploadChunk(large, 0))
  const url = 'http://localhost:3000/v1/auth/recovery'
  await w.visitor.request('POST', '/v1/account/recovery', { email: eva.email, url })
  const { userId, secret } = await fetchSentLinkSecret(w, eva.email)
  const jwt = (await eva.request<{ jwt: string }>('POST', '/v1/account/jwts', {})).body.jwt
  const sockets = await Promise.all(nodes.map((node) => openTestSocket(node, { as: eva })))
  await w.database.pool.query(`update accounts set status = 'blocked' where public_id = $1`, [eva.accountId])
  expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual([1008, 1008])
  const blocked = { status: 401, body: { type: 'user_blocked' } }
  for (const node of nodes) {
    const visitor = createApiClient(node, '')
    for (const headers of [{ cookie: eva.cookie }, { 'x-appwrite-jwt': jwt }] as Record<string, string>[]) {
      for (const path of ['/v1/me', '/v1/account', '/v1/feed', appwriteDocumentsPath('users')])
        expect(await visitor.request('GET', path, undefined, headers)).toMatchObject(blocked)
    }
    expect(await (await openTestSocket(node, { as: eva })).closed).toBe(1008)
    const rest = { ...sliceUploadChunk(large, 1), continues: begun.$id }
    expect(await sendRawUpload(createApiClient(node, eva.cookie), rest)).toMatchObject(blocked)
    const chosen = { userId, secret, password: 'una nueva y larga', passwordAgain: 'una nueva y larga' }
    expect(await visitor.request('PUT', '/v1/account/recovery', chosen)).toMatchObject({ status: 401 })
    const { email } = eva
    expect(
      await visitor.request('POST', '/v1/account/sessions/email', { email, password: testPassword }),
    ).toMatchObject(blocked)
  }
  await other.end()
})

test('S09 the log contains no password, secret, session, address or message, even at the trace level', async () => {
  let logged = ''
  const sink = new Writable({
    write(chunk, _, done) {
      logged += chunk
      done()
    },
  })
  const database = await createTestDatabase()
  const config = readConfig({ DATA_DIR: '/nonexistent', PUBLIC_URL: 'http://localhost:3000' })
  const app = await buildApp({ config, log: createServerLogger('trace', sink), database })
  const visitor = createApiClient(app, '')
  const bea = await signUpAndSignIn(app, {
    name: 'Bea',
    username: 'bea',
    email: 'bea@juntas.test',
    password: testPassword,
  })
  const cleo = await signUpAndSignIn(app, {
    name: 'Cleo',
    username: 'cleo',
    email: 'cleo@juntas.test',
    password: testPassword,
  })
  const conversation = await bea.call(openConversationOperation, { personId: cleo.id })
  await bea.call(sendMessageOperation, {
    conversationId: conversation.$id,
    content: 'esto queda entre nosotras',
  })
  await visitor.request('POST', '/v1/account/sessions/email', { email: bea.email, password: 'una que no es' })
  await visitor.refusal(signUpOperation, {
    name: 'Bea',
    username: 'bea',
    email: bea.email,
    password: 'otra muy secreta',
  })
  const jwt = (await bea.request<{ jwt: string }>('POST', '/v1/account/jwts', {})).body.jwt
  await visitor.request('GET', '/v1/account', undefined, { 'x-appwrite-jwt': jwt })
  await visitor.request('POST', '/v1/account/recovery', {
    email: bea.email,
    url: 'http://localhost:3000/v1/auth/recovery',
  })
  const { link, secret } = await fetchSentLinkSecret({ ...w, visitor }, bea.email)
  await visitor.request('GET', link.pathname + link.search)
  await app.close()
  await database.close()
  expect(logged.length).toBeGreaterThan(1000)
  const token = bea.cookie.split('=')[1] ?? 'none'
  const secrets = [
    testPassword,
    'una que no es',
    'otra muy secreta',
    'entre nosotras',
    token,
    jwt,
    secret,
    bea.email,
    '127.0.0.1',
  ]
  expect(secrets.filter((one) => logged.includes(one))).toEqual([])
})

test('S09 the log records a failed sign-in and a refused permission only by type and account', async () => {
  const lines: Record<string, unknown>[] = []
  const sink = new Writable({
    write(chunk, _, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  const database = await createTestDatabase()
  const config = readConfig({ DATA_DIR: '/nonexistent', PUBLIC_URL: 'http://localhost:3000' })
  const app = await buildApp({ config, log: createServerLogger('warn', sink), database })
  const visitor = createApiClient(app, '')
  const bea = await signUpAndSignIn(app, {
    name: 'Bea',
    username: 'bea',
    email: 'bea@juntas.test',
    password: testPassword,
  })
  await visitor.request('POST', '/v1/account/sessions/email', { email: bea.email, password: 'una que no es' })
  await visitor.request('PUT', '/v1/account/recovery', {
    userId: 'x',
    secret: 'y',
    password: 'correcta vaca',
  })
  await visitor.request('POST', '/v1/auth/magic-url', { userId: bea.accountId, secret: 'y' })
  await visitor.request('GET', '/v1/account', undefined, { 'x-appwrite-jwt': 'a.b.c' })
  await bea.request('PATCH', '/v1/databases/main/collections/users/documents/x', { accountId: 'another' })
  await bea.request('POST', '/v1/me/proof', { password: 'una que no es' })
  await visitor.request('GET', '/dev/outbox', undefined, { 'x-forwarded-for': '203.0.113.9' })
  await app.close()
  await database.close()
  const described = lines.map(({ msg, type, account }) => [msg, type, account])
  expect(described).toContainEqual(['a sign-in failed', 'user_invalid_credentials', undefined])
  // With Bea's session, an attacker guesses her password.
  expect(described).toContainEqual(['a sign-in failed', 'user_invalid_credentials', bea.accountId])
  expect(described).toContainEqual(['a sign-in failed', 'user_invalid_token', undefined])
  expect(described).toContainEqual(['a sign-in failed', 'user_jwt_invalid', undefined])
  expect(described).toContainEqual(['permission was refused', 'general_access_forbidden', undefined])
  for (const line of lines) {
    expect(Object.keys(line)).toEqual(expect.not.arrayContaining(['req', 'ip']))
    expect(JSON.stringify(line)).not.toMatch(/127\.0\.0\.1|203\.0\.113|juntas\.test/)
  }
})

test('X10 no library is older than the version that fixed its vulnerability', () => {
  const lock = JSON.parse(readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string }>
  }
  const floor = { fastify: '5.12.1', ws: '8.21.0', sharp: '0.35.5', '@fastify/multipart': '7.4.1' }
  const numbers = (version = '0') =>
    version
      .split('.')
      .map((part) => part.padStart(4, '0'))
      .join('.')
  for (const [name, version] of Object.entries(floor)) {
    const installed = lock.packages[`node_modules/${name}`]?.version
    expect(numbers(installed) >= numbers(version), `${name} ${installed}`).toBe(true)
  }
  const risky = Object.keys(lock.packages).filter((path) =>
    /@fastify\/(express|middie)$|node_modules\/request$/.test(path),
  )
  expect(risky).toEqual([])
})

test('S03 sign-in attempts get the same response for known, unknown and closed addresses', async () => {
  const [eva, gone] = [await w.join('Eva'), await w.join('Gone')]
  expect((await gone.request('PATCH', '/v1/account/status', {})).status).toBe(200)
  const attempt = (email: string) =>
    w.visitor.request('POST', '/v1/account/sessions/email', { email, password: 'no es su clave' })
  const described = async (email: string) => pickComparableResponse(await attempt(email))
  const unknown = await described('nadie@juntas.test')
  expect(unknown.status).toBe(401)
  for (const email of [eva.email, gone.email, eva.email.toUpperCase()])
    expect(await described(email)).toEqual(unknown)

  const statementsOf = async (email: string) => (await captureSqlStatements(() => attempt(email))).statements
  const known = await statementsOf(eva.email)
  expect(known.length).toBeGreaterThan(0)
  expect(await statementsOf('nadie@juntas.test')).toEqual(known)
})
