import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { seededRandom } from '#scripts/harness/seeded-random.ts'
import { queryBenchDatabase } from './bench-databases.ts'
import { publicIdBuilders } from './generate-dataset.ts'

export type BenchLike = { post: number; author: number; liker: number }

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/**
 * The newest of 50,000 posts gets one of 37 likes. Each pair of post and member is new.
 * @param spared a member whose posts get no likes
 */
export async function createLikeGenerator(
  url: string,
  members: number,
  spared: number,
): Promise<() => BenchLike> {
  const random = seededRandom(7)
  const posts = await queryBenchDatabase<{ id: number; author: number }>(
    url,
    'select id::int, creator_id::int as author from posts where creator_id <> $1 order by id desc',
    [spared],
  )
  const there = await queryBenchDatabase<{ pair: string }>(
    url,
    `select post_id || ' ' || user_id as pair from post_likes`,
  )
  const taken = new Set(there.map(({ pair }) => pair))
  return function draw(): BenchLike {
    const share = random(1_000_000_007) / 1_000_000_007
    const { id: post, author } = posts[Math.floor(posts.length * share ** 3)] ?? { id: 1, author: 1 }
    const liker = 1 + random(members)
    const pair = `${post} ${liker}`
    if (liker === author || taken.has(pair)) return draw()
    taken.add(pair)
    return { post, author, liker }
  }
}

/**
 * Sends no body. Retries if a keep-alive connection was closed.
 * @throws if the server refuses
 */
export function sendRequestWithCookie(url: string, method: 'GET' | 'PUT', cookie: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent, method, headers: { cookie } }, (answer) => {
      answer.resume()
      answer.on('end', () =>
        answer.statusCode === 200 ? resolve() : reject(new Error(`${url} answered ${answer.statusCode}`)),
      )
    })
    asked.on('error', (error: NodeJS.ErrnoException) =>
      asked.reusedSocket && error.code === 'ECONNRESET'
        ? sendRequestWithCookie(url, method, cookie).then(resolve, reject)
        : reject(error),
    )
    asked.end()
  })
}

export type LikeStream = {
  serverUrl: string
  cookies: readonly string[]
  draw: () => BenchLike
  perSecond: number
}

/**
 * @param goesOn decides before each like, given the number sent
 * @param onLike called when a like is sent; returns a function to call at the response
 * @returns the response times in milliseconds, on schedule even if slow
 */
export async function sendLikesAtPace(
  { serverUrl, cookies, draw, perSecond }: LikeStream,
  goesOn: (sent: number) => boolean,
  onLike: (like: BenchLike) => () => void = () => () => {},
): Promise<number[]> {
  const began = performance.now()
  const latencies: number[] = []
  const failures: unknown[] = []
  const answers: Promise<void>[] = []
  for (let sent = 0; goesOn(sent) && failures.length === 0; sent += 1) {
    const wait = began + (sent * 1000) / perSecond - performance.now()
    if (wait > 1) await pause(wait)
    const like = draw()
    const onAnswer = onLike(like)
    const sentAt = performance.now()
    const path = `/v1/posts/${publicIdBuilders.post(like.post)}/like`
    const answered = sendRequestWithCookie(serverUrl + path, 'PUT', cookies[like.liker] ?? '').then(
      () => {
        latencies.push(performance.now() - sentAt)
        onAnswer()
      },
      (error: unknown) => void failures.push(error),
    )
    answers.push(answered)
  }
  await Promise.all(answers)
  if (failures.length > 0) throw failures[0]
  return latencies
}
