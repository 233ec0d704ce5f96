/** Invalid answers and unanswered requests fail the test. */
import { onlineManager } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { type ErrorType, errorCatalogue } from '#contract/errors.ts'
import { apiOperations } from '#contract/index.ts'
import type { Operation, OperationInput, OperationOutput } from '#contract/operation.ts'
import { isIdOfEarlierTest } from './fixtures.ts'
import { createUploadRequestClass } from './upload-request.ts'

type Handler = (input: Record<string, unknown>) => unknown
type Held = { release: () => void; arrived: Promise<void> }

const networkFailure = Symbol('network failure')

class Refusal {
  readonly status: number
  readonly body: unknown
  readonly headers: Record<string, string>
  constructor(status: number, body: unknown, headers: Record<string, string> = {}) {
    this.status = status
    this.body = body
    this.headers = headers
  }
}

export function refusal(
  type: ErrorType,
  { message, field, retryAfter }: { message?: string; field?: string; retryAfter?: number } = {},
): unknown {
  const [status, sentence] = errorCatalogue[type]
  const headers: Record<string, string> =
    retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
  return new Refusal(
    status,
    { message: message ?? sentence, code: status, type, version: '1.4.14', ...(field ? { field } : {}) },
    headers,
  )
}

const patternOf = (path: string) => new RegExp(`^/v1${path.replace(/:\w+/g, '([^/]+)')}$`)
const routes = apiOperations
  .map((operation) => ({
    operation,
    pattern: patternOf(operation.path),
    names: [...operation.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name),
  }))
  // Paths without parameters take precedence.
  .sort((one, other) => one.names.length - other.names.length)

export type FakeApi = ReturnType<typeof createFakeApi>

export function createFakeApi() {
  const handlers = new Map<string, Handler>()
  const calls = new Map<string, unknown[]>()
  const gates = new Map<string, Promise<void>>()
  const waiters = new Map<string, () => void>()
  const problems: string[] = []
  let isOffline = false

  function answer<O extends Operation>(
    operation: O,
    value: OperationOutput<O> | ((input: OperationInput<O>) => OperationOutput<O> | unknown),
  ): void {
    handlers.set(operation.name, typeof value === 'function' ? (value as Handler) : () => value)
  }

  /** The refusal is an error type of the catalogue, a bare status 500 or a network error. */
  function refuse<O extends Operation>(
    operation: O,
    type: ErrorType | 500 | 'network',
    more?: Parameters<typeof refusal>[1],
  ): void {
    handlers.set(operation.name, () => {
      if (type === 'network') return networkFailure
      return type === 500 ? new Refusal(500, { message: 'Server Error', code: 500 }) : refusal(type, more)
    })
  }

  /** Delays responses until `release` is called. `arrived` resolves at the first request. */
  function hold(operation: Operation): Held {
    const { promise, resolve } = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    gates.set(operation.name, promise)
    waiters.set(operation.name, arrived.resolve)
    return {
      arrived: arrived.promise,
      release() {
        gates.delete(operation.name)
        resolve()
      },
    }
  }

  /** Calls are oldest first. Uploads include `file` and `contentRange`. */
  const callsOf = <O extends Operation>(operation: O): OperationInput<O>[] =>
    (calls.get(operation.name) ?? []) as OperationInput<O>[]

  async function respond(request: Request): Promise<Response> {
    const url = new URL(request.url)
    if (isOffline) throw new TypeError('Failed to fetch')
    if (!url.pathname.startsWith('/v1/')) return nativeFetch(request)
    const path = url.pathname
    const route = routes.find(
      ({ operation, pattern }) => operation.method === request.method && pattern.test(path),
    )
    if (!route) return fail(`${request.method} ${path} is no operation of the contract`)
    const { operation, pattern, names } = route
    const params = (pattern.exec(path) ?? []).slice(1).map(decodeURIComponent)
    const text = operation.requestBody === 'json' && request.method !== 'GET' ? await request.text() : ''
    const sent =
      operation.requestBody === 'multipart'
        ? {
            file: (await request.formData()).get('file'),
            contentRange: request.headers.get('content-range'),
          }
        : {}
    const input: Record<string, unknown> = {
      ...Object.fromEntries(url.searchParams),
      ...(text ? (JSON.parse(text) as object) : {}),
      ...sent,
      ...Object.fromEntries(names.map((name, index) => [name, params[index]])),
    }
    const known = calls.get(operation.name) ?? []
    known.push(input)
    calls.set(operation.name, known)
    waiters.get(operation.name)?.()
    await gates.get(operation.name)
    const handler = handlers.get(operation.name)
    if (!handler && params.some(isIdOfEarlierTest)) return new Promise(() => {})
    if (!handler) return fail(`${request.method} ${path} (${operation.name}) has no answer`)
    const value = await handler(input)
    if (value === networkFailure) throw new TypeError('Failed to fetch')
    // This is the answer of a proxy rather than of the server.
    if (value instanceof Response) return value
    if (value instanceof Refusal) return json(value.status, value.body, value.headers)
    if (operation.responseBody !== 'json')
      return new Response(value as BodyInit, { status: operation.status })
    if (operation.status === 204) return new Response(null, { status: 204 })
    const parsed = z.safeParse(operation.output, value)
    if (!parsed.success) return fail(`${operation.name} does not answer so: ${z.prettifyError(parsed.error)}`)
    return json(operation.status, parsed.data)
  }

  function fail(problem: string): Response {
    problems.push(problem)
    return json(404, { message: problem, code: 404, type: 'general_route_not_found' })
  }

  const nativeFetch = globalThis.fetch.bind(globalThis)
  const NativeXMLHttpRequest = globalThis.XMLHttpRequest
  return {
    answer,
    refuse,
    hold,
    callsOf,
    isAnswered: (operation: Operation) => handlers.has(operation.name),
    /** The browser is offline too. `goOffline(false)` restores the connection. */
    goOffline(offline = true) {
      isOffline = offline
      Object.defineProperty(navigator, 'onLine', { configurable: true, value: !offline })
      dispatchEvent(new Event(offline ? 'offline' : 'online'))
    },
    problems,
    install() {
      globalThis.fetch = (input, init) => {
        const request = new Request(typeof input === 'string' ? new URL(input, location.origin) : input, init)
        return untilAborted(respond(request), request.signal)
      }
      globalThis.XMLHttpRequest = createUploadRequestClass((request) => globalThis.fetch(request))
      return () => {
        Reflect.deleteProperty(navigator, 'onLine')
        // TanStack Query updates its connection state only while a page is open.
        onlineManager.setOnline(true)
        globalThis.fetch = nativeFetch
        globalThis.XMLHttpRequest = NativeXMLHttpRequest
      }
    },
  }
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  })

function untilAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason))
    answer.then(resolve, reject)
  })
}
