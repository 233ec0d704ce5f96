/** Puts HTTP load on a server. */
import autocannon from 'autocannon'

export type LoadGeneratorOptions = {
  /** Origin of a server. */
  url: string
  connections: number
  seconds: number
  method?: 'GET' | 'POST' | 'PUT'
  /** The requests, in turn. */
  next: () => { path: string; cookie: string; body?: string }
}

/**
 * Requests after which a connection is replaced. The product ends one after a thousand and says so in the answer, to which
 * autocannon does not listen: it would go on and be answered 503.
 */
const requestsPerConnection = 900

/**
 * Sends requests over all connections at once for the whole time.
 * @returns the result, and how long each answer took, in milliseconds
 * @throws when one was refused or failed
 */
export async function generateLoad({
  url,
  connections,
  seconds,
  method = 'GET',
  next,
}: LoadGeneratorOptions) {
  const type: Record<string, string> = method === 'POST' ? { 'content-type': 'application/json' } : {}
  const setupRequest = (request: autocannon.Request): autocannon.Request => {
    const { cookie, ...asked } = next()
    return { ...request, ...asked, headers: { cookie, ...type } }
  }
  const latencies: number[] = []
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    method,
    reconnectRate: requestsPerConnection,
    requests: [{ setupRequest }],
    setupClient: (client) =>
      void client.on('response', (_status, _bytes, milliseconds) => void latencies.push(milliseconds)),
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.errors} errors, answers ${JSON.stringify(result.statusCodeStats)}`)
  return { ...result, latencies }
}

/**
 * Measures while something else runs beside it, and ends both.
 * @param work runs until it is told that the measure is over
 * @throws what either threw, once both have ended
 */
export async function measureUnderBackgroundLoad<T>(
  work: (goesOn: () => boolean) => Promise<unknown>,
  measure: () => Promise<T>,
): Promise<T> {
  let measuring = true
  const [measured, worked] = await Promise.allSettled([
    measure().finally(() => {
      measuring = false
    }),
    work(() => measuring),
  ])
  if (worked.status === 'rejected') throw worked.reason
  if (measured.status === 'rejected') throw measured.reason
  return measured.value
}
