/** The web's way to the server: our operations by their contract, the dialect's calls by method and path. */
import type { ErrorBody } from '#contract/errors.ts'
import type { InputOf, Operation, OutputOf, Route } from '#contract/operation.ts'
import { storedFallback, storeFallback } from './fallback-session.ts'

const base = '/v1'
const patience = 30_000

/** A refusal by the server, or none of its answers at all (spec §8): `code` is the HTTP status, 0 without an answer. */
export class ApiError extends Error {
  readonly code: number
  /** The catalogue's name of the error; empty when the body was not ours. */
  readonly type: string
  /** The body as it came: parsed JSON or text. */
  readonly response: unknown
  /** The input that is to blame, where it is one. */
  readonly field: string | undefined

  constructor(message: string, code = 0, type = '', response: unknown = '', field?: string) {
    super(message)
    this.name = 'ApiError'
    this.code = code
    this.type = type
    this.response = response
    this.field = field
  }
}

/** Whether the server no longer knows who is asking (reading D-07). */
export const sessionEnded = (error: unknown): boolean =>
  error instanceof ApiError && ['general_unauthorized_scope', 'user_blocked'].includes(error.type)

/** @throws ApiError */
export async function call<O extends Operation | Route>(
  operation: O,
  input: InputOf<O>,
  signal?: AbortSignal,
): Promise<OutputOf<O>> {
  const { path, rest } = addressOf(operation, input)
  if (operation.method === 'GET') return request<OutputOf<O>>('GET', path + queryOf(rest), undefined, signal)
  const body = Object.keys(rest).length ? rest : undefined
  return request<OutputOf<O>>(operation.method, path, body, signal)
}

/** The path with what it names of the input, and the rest of that. */
function addressOf<O extends Operation | Route>(operation: O, input: InputOf<O>) {
  const rest: Record<string, unknown> = { ...(input as Record<string, unknown>) }
  const path = operation.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = String(rest[name])
    delete rest[name]
    return encodeURIComponent(value)
  })
  return { path, rest }
}

function queryOf(values: Record<string, unknown>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== null)
  return given.length ? `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}` : ''
}

/** Answers that nobody waits for yet, by path; `value` once one is there. */
const anticipated = new Map<string, { answer: Promise<unknown>; value?: unknown }>()

/**
 * Asks now for what a screen that is not there yet will `GET`; its request then takes this answer, once.
 * @returns when there is an answer, whichever
 */
export async function anticipate(path: string, answer: Promise<unknown> = send('GET', path)): Promise<void> {
  const ahead: { answer: Promise<unknown>; value?: unknown } = { answer }
  anticipated.set(path, ahead)
  try {
    ahead.value = await answer
  } catch {
    // Whoever takes the answer hears of it.
  }
}

/** Takes an answer that was asked for ahead and is there already; undefined for every other. */
export function arrived<O extends Operation | Route>(
  operation: O,
  input: InputOf<O>,
): OutputOf<O> | undefined {
  const { path, rest } = addressOf(operation, input)
  const address = path + queryOf(rest)
  const value = anticipated.get(address)?.value
  if (value !== undefined) anticipated.delete(address)
  return value as OutputOf<O> | undefined
}

/** For when the answers would be somebody else's. */
export const forgetAnticipated = (): void => anticipated.clear()

/**
 * @param path under `/v1`
 * @throws ApiError 'Network request failed' when no answer comes
 */
export function request<Answer = unknown>(
  method: Operation['method'],
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<Answer> {
  const ahead = method === 'GET' ? anticipated.get(path) : undefined
  anticipated.delete(path)
  return (ahead?.answer ?? send(method, path, body, signal)) as Promise<Answer>
}

async function send(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<unknown> {
  const answer = await ask(method, path, body, signal)
  const read = await readBody(answer)
  if (!answer.ok) throw refusal(answer.status, read)
  return read
}

async function ask(method: string, path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  const fallback = storedFallback()
  const headers: Record<string, string> = { accept: 'application/json' }
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (fallback) headers['x-fallback-cookies'] = fallback
  try {
    const answer = await fetch(base + path, {
      method,
      headers,
      credentials: 'include',
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.any([AbortSignal.timeout(patience), ...(signal ? [signal] : [])]),
    })
    const handed = answer.headers.get('x-fallback-cookies')
    if (handed) storeFallback(handed)
    return answer
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError('Network request failed')
  }
}

async function readBody(answer: Response): Promise<unknown> {
  const text = await answer.text().catch(() => {
    throw new ApiError('Network request failed')
  })
  if (!answer.headers.get('content-type')?.includes('json')) return text || undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A body that is not ours is the message itself, as text (ERR-07). */
export function refusal(status: number, body: unknown): ApiError {
  if (typeof body !== 'object' || body === null) return new ApiError(String(body ?? ''), status, '', body)
  const { message = '', type = '', field } = body as Partial<ErrorBody>
  return new ApiError(message, status, type, body, field)
}

/** The server writes its own address into `imageUrl`; on our pages the same thing is asked of our own origin. */
export function localUrl(url: string): string {
  const parsed = URL.parse(url)
  return parsed?.pathname.startsWith(`${base}/`) ? parsed.pathname + parsed.search : url
}

/** One of the widths of `imageWidths` (reading D-12). */
export const pictureUrl = (imageId: string, width: number): string =>
  `${base}/storage/buckets/media/files/${encodeURIComponent(imageId)}/preview?width=${width}`
