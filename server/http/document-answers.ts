/**
 * Reads Home's first answers, so that its page can carry them (decision 0234). They come from the API's own routes, with
 * the session, rate limits and permissions of the request.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { listPagePrefetchPaths, memberPrefetchPath, sessionPrefetchPath } from '#contract/prefetch-paths.ts'

const homePath = '/'
const paths = [sessionPrefetchPath, memberPrefetchPath, ...listPagePrefetchPaths(homePath)]

/** JSON bodies by their path under `/v1`. */
export type DocumentAnswers = ReadonlyMap<string, string>

export type DocumentAnswersReader = {
  /** Whether the answer to a request should carry Home's first answers. */
  wants(request: FastifyRequest): boolean
  /** @returns null if an answer fails or comes too late; the page then requests them itself */
  read(request: FastifyRequest): Promise<DocumentAnswers | null>
}

/**
 * @param maxWaitMs how long the end of the page waits for the answers
 * @param pauseMs how long pages do without answers after they came too late, because a busy server would work twice:
 * one late page pauses its own member, and late pages of two members in a row pause all
 */
export function createDocumentAnswersReader(
  app: FastifyInstance,
  { maxWaitMs = 400, pauseMs = 5000 } = {},
): DocumentAnswersReader {
  let pausedUntil = 0
  const memberPauses = new Map<number, number>()
  /** The member whose page ended last, if its answers were late. */
  let lastLate: number | undefined

  function pauseAfterLateAnswers(memberId: number) {
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
      const bodies = Promise.all(paths.map((path) => readAnswer(app, request, path)))
      const answered = await Promise.race([bodies.catch(() => null), late])
      clearTimeout(timer)
      if (answered === 'late') {
        if (memberId !== undefined) pauseAfterLateAnswers(memberId)
        return null
      }
      lastLate = undefined
      return answered?.every((body) => body !== null)
        ? new Map(paths.map((path, at) => [path, answered[at] ?? '']))
        : null
    },
  }
}

/**
 * Whether the browser will show the answer as a document. Scripts receive the page without answers, because the service
 * worker stores the page.
 */
const isHomeNavigation = ({ method, url, headers }: FastifyRequest) =>
  method === 'GET' && url.split('?')[0] === homePath && headers['sec-fetch-dest'] === 'document'

async function readAnswer(
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
