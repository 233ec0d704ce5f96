/** Attack D08: sends each route's most expensive request over ten connections until rate-limited. */
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { createHttpTransport } from '#api-client/http-transport.ts'
import { createApiClient } from '#api-client/member-client.ts'
import { encodeMultipartUpload } from '#api-client/raw-multipart-upload.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { createBenchSessionCookie, openBenchDatabasePool } from '../environment/bench-databases.ts'
import { publicIdBuilders } from '../environment/generate-dataset.ts'
import { startProductServer } from '../environment/start-processes.ts'
import type { BenchmarkDefinition } from '../report/results.ts'

const size = { members: 1_000, posts: 20_000 }
const connections = 10
/** Milliseconds per route. Without a refusal in this time, the rate limit is ineffective. */
const milliseconds = Number(process.env.BENCH_SECONDS ?? 5) * 1000

type BenchRequest = { method: string; path: string; body?: unknown; headers?: Record<string, string> }
/** @param n the number of the request to this route */
type Route = (n: number) => BenchRequest

const get =
  (path: (n: number) => string): Route =>
  (n) => ({ method: 'GET', path: path(n) })
const documents = (collection: string, ...queries: string[]) =>
  `/v1/databases/main/collections/${collection}/documents?${queries.map((query) => `queries[]=${encodeURIComponent(query)}`).join('&')}`
const hundred = (make: (n: number) => string) =>
  JSON.stringify(Array.from({ length: 100 }, (_, n) => make(n)))
const picture = '/v1/storage/buckets/media/files'

const routes: Record<string, Route> = {
  'home feed': get(() => '/v1/feed'),
  explore: get(() => '/v1/explore'),
  'one member': get((n) => `/v1/people/${publicIdBuilders.member((n % size.members) + 1)}`),
  people: get(() => '/v1/people'),
  'search in posts': get((n) => `/v1/search/posts?term=${'aeiou'[n % 5]}`),
  'a hundred posts as documents': get(() => documents('posts', 'limit(100)')),
  'a hundred members as documents': get(() => documents('users', 'limit(100)')),
  'one profile document': get(() => documents('users', `equal("$id", ["${publicIdBuilders.member(1)}"])`)),
  'posts of a hundred creators, far away': get(() =>
    documents(
      'posts',
      `equal("creator", ${hundred((n) => publicIdBuilders.member(n + 1))})`,
      'limit(100)',
      'offset(5000)',
    ),
  ),
  'the most expensive query': get(() =>
    documents(
      'posts',
      ...Array.from(
        { length: 18 },
        (_, n) => `notEqual("caption", ${hundred((m) => `${'ñ'.repeat(30)}${n}-${m}`)})`,
      ),
      'limit(100)',
    ).slice(0, 7_900),
  ),
  'search in documents': get((n) =>
    documents('posts', `search("caption", ["${'aeiou'[n % 5]}"])`, 'limit(100)'),
  ),
  'texts that begin so': get((n) => documents('posts', `startsWith("caption", ["zz${n}"])`)),
  'texts that end so': get((n) => documents('posts', `endsWith("caption", ["zz${n}"])`)),
  'any of ten letters': get(() =>
    documents(
      'posts',
      JSON.stringify({
        method: 'or',
        values: [...'жшщюяэъыїє'].map((letter) => ({
          method: 'contains',
          attribute: 'caption',
          values: [letter],
        })),
      }),
    ),
  ),
  'catching up': get(() => '/v1/live/changes'),
  'own sessions': get(() => '/v1/account/sessions'),
  'own log': get(() => '/v1/account/logs'),
  initials: get(
    (n) => `/v1/avatars/initials?name=${letter(n)}+${letter(n / 26)}&width=2000&height=${2000 - (n % 900)}`,
  ),
  'a QR code': get((n) => `/v1/avatars/qr?size=${1000 - (n % 500)}&text=${n}${'a'.repeat(500)}`),
  'an icon': get((n) => `/v1/avatars/flags/us?width=${2000 - (n % 1000)}&height=2000`),
  'a like': (n) => ({
    method: 'PUT',
    path: `/v1/posts/${publicIdBuilders.post((n % 500) + 1)}/like`,
    body: {},
  }),
  'a save': (n) => ({
    method: 'PUT',
    path: `/v1/posts/${publicIdBuilders.post((n % 500) + 1)}/save`,
    body: {},
  }),
  'a follow': (n) => ({
    method: 'PUT',
    path: `/v1/people/${publicIdBuilders.member((n % 500) + 2)}/follow`,
    body: {},
  }),
  'preferences of 60 kB': (n) => ({
    method: 'PATCH',
    path: '/v1/account/prefs',
    body: { prefs: { n, long: 'a'.repeat(60_000) } },
  }),
  'a JSON that is refused': (n) => ({
    method: 'POST',
    path: '/v1/posts',
    body: { caption: 'a'.repeat(200_000), location: String(n), tags: Array(5000).fill('a') },
  }),
  'a password': () => ({
    method: 'PATCH',
    path: '/v1/account/password',
    body: { oldPassword: 'not-this-one-1', password: 'nor-this-one-1' },
  }),
}

const letter = (n: number) => String.fromCharCode(65 + (Math.floor(n) % 26))

export const eventLoopStarvationBenchmark: BenchmarkDefinition = {
  goals: ['D08'],
  async run() {
    await using stage = await openBenchDatabasePool()
    const url = await stage.copyOf(size)
    // Rate limits do not apply to local requests, except those that a proxy forwards.
    await using server = await startProductServer(url, { LIMITS: 'on' })
    const lag = async () => {
      const page = await fetch(`${server.url}/metrics`).then(({ body }) => text(body as never))
      const of = (name: string) => Number(new RegExp(`^${name} (.+)$`, 'm').exec(page)?.[1]) * 1000
      return { p99: of('nodejs_eventloop_lag_p99_seconds'), max: of('nodejs_eventloop_lag_max_seconds') }
    }
    const first = createApiClient(createHttpTransport(server.url), await createBenchSessionCookie(url, 900))
    const form = await encodeMultipartUpload({ bytes: await createJpeg('#3c8c50', 3000, 2000) })
    const photo = (await first.request('POST', picture, form.body, form.headers)).body as { $id: string }
    const all: Record<string, { member: number; route: Route }> = Object.fromEntries(
      Object.entries(routes).map(([name, route], index) => [name, { member: index + 10, route }]),
    )
    const preview = `${picture}/${photo.$id}/preview?output=gif&rotation=45&borderRadius=900`
    all['a picture with every preview option'] = {
      member: 900,
      route: get((n) => `${preview}&width=${1900 - n}&height=1900`),
    }
    all['an upload'] = { member: 901, route: () => ({ method: 'POST', path: picture, ...form }) }

    await lag()
    const found: { name: string; p99: number; max: number; sent: number; refused: number }[] = []
    for (const [name, { member, route }] of Object.entries(all)) {
      const { request } = createApiClient(
        createHttpTransport(server.url),
        await createBenchSessionCookie(url, member),
      )
      const count = { sent: 0, refused: 0 }
      const until = performance.now() + milliseconds
      await lag()
      const one = async () => {
        while (performance.now() < until && count.refused < connections) {
          const { method, path, body, headers } = route(count.sent)
          count.sent += 1
          const { status } = await request(method, path, body, {
            'x-forwarded-for': '198.51.100.7',
            ...headers,
          })
          if (status === 429) count.refused += 1
        }
      }
      await Promise.all(Array.from({ length: connections }, one))
      found.push({ name, ...(await lag()), ...count })
      console.error(found.at(-1))
      await pause(200)
    }
    const [worst] = found.sort((one, other) => other.p99 - one.p99)
    return [
      {
        goal: 'D08',
        what: `event-loop delay p99 while one member asks ${found.length} things, each until the rate limit refuses it, ms: the worst is ${worst?.name}`,
        figure: (worst?.p99 ?? Number.NaN).toFixed(0),
        spread: `longest ${Math.max(...found.map(({ max }) => max)).toFixed(0)}`,
        target: '< 100',
        met: (worst?.p99 ?? Number.NaN) < 100,
      },
    ]
  },
}
