import type { ErrorResponseBody } from '#contract/errors.ts'
import { en, getLanguageSet } from '#contract/language.ts'
import type { Operation, OperationEndpoint, OperationInput, OperationOutput } from '#contract/operation.ts'
import { sessionPrefetchPath } from '#contract/prefetch-paths.ts'
import { readFallbackCookies, storeFallbackCookies } from './cookie-fallback.ts'

/** These paths are repeated, because the table of all screens would otherwise load with this module. */
const screensBeforeAll: Record<string, string> = {
  user_more_factors_required: '/sign-in/step',
  account_closing: '/sign-in/closing',
}
const base = '/v1'
const requestTimeoutMs = 30_000

/** `code` is the HTTP status, or 0 without a response. */
export class ApiError extends Error {
  readonly code: number
  /** An error type from `contract/errors.ts`. Empty if the body does not come from this server. */
  readonly type: string
  readonly response: unknown
  readonly field: string | undefined
  /** Seconds until the server would accept the request. */
  retryAfter?: number

  constructor(message: string, code = 0, type = '', response: unknown = '', field?: string) {
    super(message)
    this.name = 'ApiError'
    this.code = code
    this.type = type
    this.response = response
    this.field = field
  }
}

/** Only these two errors sign the member out. */
export const isSessionEndedError = (error: unknown): boolean =>
  error instanceof ApiError && ['general_unauthorized_scope', 'user_blocked'].includes(error.type)

/** @throws ApiError */
export async function callApiOperation<O extends Operation | OperationEndpoint>(
  operation: O,
  input: OperationInput<O>,
  signal?: AbortSignal,
): Promise<OperationOutput<O>> {
  const { path, rest } = fillPath(operation, input)
  if (operation.method === 'GET')
    return sendApiRequest<OperationOutput<O>>('GET', path + queryOf(rest), undefined, signal)
  const body = Object.keys(rest).length ? rest : undefined
  return sendApiRequest<OperationOutput<O>>(operation.method, path, body, signal)
}

function fillPath<O extends Operation | OperationEndpoint>(operation: O, input: OperationInput<O>) {
  const rest: Record<string, unknown> = { ...(input as Record<string, unknown>) }
  const path = operation.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = String(rest[name])
    delete rest[name]
    return encodeURIComponent(value)
  })
  return { path, rest }
}

export const getApiOperationPath = <O extends Operation | OperationEndpoint>(
  operation: O,
  input: OperationInput<O>,
): string => base + fillPath(operation, input).path

function queryOf(values: Record<string, unknown>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== null)
  return given.length ? `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}` : ''
}

/** Keyed by path. `value` is set when the response has arrived. A response is removed when used. */
const prefetchedResponses = new Map<string, { answer: Promise<unknown>; value?: unknown }>()

/**
 * Sends a screen's request early. The screen then uses the response, once.
 * @param given a response that has already arrived, in the page or on the device
 * @returns a promise that resolves when the response has arrived or the request has failed
 */
export async function prefetchApiGet(path: string, given?: Promise<unknown>): Promise<void> {
  // The path may already have a response that was stored on the device.
  if (!given && prefetchedResponses.has(path)) return
  const answer = given ?? send('GET', path, undefined, undefined, true)
  const ahead: { answer: Promise<unknown>; value?: unknown } = { answer }
  prefetchedResponses.set(path, ahead)
  try {
    ahead.value = await answer
  } catch {}
}

/** Removes the response. Returns undefined if it has not arrived yet. */
export function takePrefetchedResponse<O extends Operation | OperationEndpoint>(
  operation: O,
  input: OperationInput<O>,
): OperationOutput<O> | undefined {
  const { path, rest } = fillPath(operation, input)
  const address = path + queryOf(rest)
  const value = prefetchedResponses.get(address)?.value
  if (value !== undefined) prefetchedResponses.delete(address)
  return value as OperationOutput<O> | undefined
}

export const clearPrefetchedResponses = (): void => prefetchedResponses.clear()

/**
 * @param path below `/v1`
 * @throws ApiError 'Network request failed' without a response
 */
export function sendApiRequest<Answer = unknown>(
  method: Operation['method'],
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<Answer> {
  const ahead = method === 'GET' ? prefetchedResponses.get(path) : undefined
  prefetchedResponses.delete(path)
  return (ahead?.answer ?? send(method, path, body, signal)) as Promise<Answer>
}

async function send(
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
  /** Browsers reuse a preload from the page's headers only for an identical request. */
  mayBePreloaded = path === sessionPrefetchPath,
): Promise<unknown> {
  const answer = await ask(method, path, body, signal, mayBePreloaded)
  const read = await readBody(answer)
  if (answer.ok) return read
  const error = toApiError(answer.status, read)
  error.retryAfter = Number(answer.headers.get('retry-after'))
  // The member must visit this screen first, so the caller never receives this error.
  const screen = screensBeforeAll[error.type]
  if (screen && location.pathname !== screen) {
    location.assign(screen)
    await new Promise(() => {})
  }
  throw error
}

async function ask(
  method: string,
  path: string,
  body: unknown,
  signal: AbortSignal | undefined,
  mayBePreloaded: boolean,
): Promise<Response> {
  const fallback = readFallbackCookies()
  const headers: Record<string, string> = { accept: 'application/json' }
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (fallback) headers['x-fallback-cookies'] = fallback
  if (getLanguageSet() !== 'as-it-comes' && !mayBePreloaded) headers['juntas-language'] = getLanguageSet()
  try {
    const answer = await fetch(base + path, {
      method,
      headers,
      credentials: 'include',
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.any([AbortSignal.timeout(requestTimeoutMs), ...(signal ? [signal] : [])]),
    })
    const handed = answer.headers.get('x-fallback-cookies')
    if (handed) storeFallbackCookies(handed)
    return answer
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError(en('Network request failed', 'No hay conexión'))
  }
}

async function readBody(answer: Response): Promise<unknown> {
  const text = await answer.text().catch(() => {
    throw new ApiError(en('Network request failed', 'No hay conexión'))
  })
  if (!answer.headers.get('content-type')?.includes('json')) return text || undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** If the body does not come from this server, its text becomes the message. */
export function toApiError(status: number, body: unknown): ApiError {
  if (typeof body !== 'object' || body === null) return new ApiError(String(body ?? ''), status, '', body)
  const { message = '', type = '', field } = body as Partial<ErrorResponseBody>
  return new ApiError(message, status, type, body, field)
}
