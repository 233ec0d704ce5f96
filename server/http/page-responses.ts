/**
 * Reads the API's responses that Home requests first, so that Home's page can contain them (decision 0234). They come
 * from the API's own routes, with the session, rate limits and permissions of the request.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { listPagePrefetchPaths, memberPrefetchPath, sessionPrefetchPath } from '#contract/prefetch-paths.ts'

const homePath = '/'
const paths = [sessionPrefetchPath, memberPrefetchPath, ...listPagePrefetchPaths(homePath)]

/** JSON bodies by their path under `/v1`. */
export type PageResponses = ReadonlyMap<string, string>

export type PageResponsesReader = {
  /** Whether the page for this request should contain Home's first responses. */
  wants(request: FastifyRequest): boolean
  /** @returns null if a response fails or comes too late; the page's scripts then request them */
  read(request: FastifyRequest): Promise<PageResponses | null>
}

/**
 * @param maxWaitMs how long the end of the page waits for the responses
 * @param pauseMs how long pages do without responses after they came too late, because a busy server would work twice:
 * one late page pauses its own member, and late pages of two members in a row pause all
 */
export function createPageResponsesReader(
  app: FastifyInstance,
  { maxWaitMs = 400, pauseMs = 5000 } = {},
): PageResponsesReader {
  let pausedUntil = 0
  const memberPauses = new Map<number, number>()
  /** The member whose page ended last, if its responses were late. */
  let lastLate: number | undefined

  function pauseAfterLateResponses(memberId: number) {
    const now = performance.now()
    for (const [id, until] of memberPauses) if (until <= now) memberPauses.delete(id)
    memberPauses.set(memberId, now + pauseMs)
    if (lastLate !== undefined && lastLate !== memberId) pausedUntil = now + pauseMs
    lastLate = memberId
  }

  return {
    wants(request) {
      const memberId = request.caller?.member?.id
      if (memberId === undefined || !isHomeNavigation(request)) return false
      return performance.now() >= Math.max(pausedUntil, memberPauses.get(memberId) ?? 0)
    },
    async read(request) {
      const memberId = request.caller?.member?.id
      const { promise: late, resolve } = Promise.withResolvers<'late'>()
      const timer = setTimeout(() => resolve('late'), maxWaitMs)
      const bodies = Promise.all(paths.map((path) => readResponse(app, request, path)))
      const arrived = await Promise.race([bodies.catch(() => null), late])
      clearTimeout(timer)
      if (arrived === 'late') {
        if (memberId !== undefined) pauseAfterLateResponses(memberId)
        return null
      }
      lastLate = undefined
      return arrived?.every((body) => body !== null)
        ? new Map(paths.map((path, at) => [path, arrived[at] ?? '']))
        : null
    },
  }
}

/**
 * Whether the browser will show the page as a document. Scripts receive the page without responses, because the
 * service worker stores it.
 */
const isHomeNavigation = ({ method, url, headers }: FastifyRequest) =>
  method === 'GET' && url.split('?')[0] === homePath && headers['sec-fetch-dest'] === 'document'

async function readResponse(
  app: FastifyInstance,
  request: FastifyRequest,
  path: string,
): Promise<string | null> {
  const { statusCode, body } = await app.inject({
    method: 'GET',
    url: `/v1${path}`,
    headers: { ...request.headers, accept: 'application/json' },
    remoteAddress: request.socket.remoteAddress,
  })
  return statusCode === 200 ? body : null
}
