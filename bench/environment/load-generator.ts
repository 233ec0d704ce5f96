import autocannon from 'autocannon'

export type LoadGeneratorOptions = {
  url: string
  connections: number
  seconds: number
  method?: 'GET' | 'POST' | 'PUT'
  next: () => { path: string; cookie: string; body?: string }
}

/** autocannon ignores that the server closes a connection after a thousand requests, and then receives 503. */
const requestsPerConnection = 900

/**
 * @returns the result and all response times in milliseconds
 * @throws if a request was refused or failed
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
 * @param work runs until `goesOn` returns false
 * @throws the error of either, after both have ended
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
