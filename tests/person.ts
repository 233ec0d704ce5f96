/**
 * Somebody who uses a server through its API alone. In this process every layer but the socket is real; remote.ts has the
 * way to one far away. The tests' world and the seed are made of such people.
 */
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { signUp } from '#contract/account.ts'
import type { ErrorBody } from '#contract/errors.ts'
import type { InputOf, Operation, OutputOf } from '#contract/operation.ts'

export type Answer<T = unknown> = { status: number; body: T; headers: Record<string, string>; raw: Buffer }

/** All that an answer tells, but when it came and which request it was of. */
export function toldIn({ status, headers, raw }: Answer) {
  const { date, 'x-request-id': request, ...rest } = headers
  return { status, headers: rest, body: raw.toString() }
}

/** The way to a server; an app is one to itself. */
export type Door = {
  inject(
    options: InjectOptions,
  ): Promise<Pick<LightMyRequestResponse, 'statusCode' | 'headers' | 'rawPayload'>>
}

export type Person = {
  /** Her profile's id. */
  id: string
  accountId: string
  name: string
  email: string
  /** The session, as the `cookie` header sends it. */
  cookie: string
  request<T = unknown>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<T>>
  /** What an operation answers, whether it refuses or not. */
  ask(operation: Operation, input: Record<string, unknown>): Promise<Answer>
  /** The answer of an operation. @throws when it refuses */
  call<O extends Operation>(operation: O, input: InputOf<O>): Promise<OutputOf<O>>
  /** The refusal of an operation. @throws when it does not refuse */
  refusal<O extends Operation>(operation: O, input: Record<string, unknown>): Promise<ErrorBody>
  /** Sends a picture of at most 5 MB. @returns its id @throws when it is refused */
  upload(bytes: Uint8Array, name?: string): Promise<string>
}

export type Asking = Pick<Person, 'request' | 'ask' | 'call' | 'refusal' | 'upload'>

/** Signs up, signs in, and is she from then on. */
export async function signUpAndIn(app: Door, given: InputOf<typeof signUp>): Promise<Person> {
  const visitor = asking(app, '')
  const { $id, accountId } = await visitor.call(signUp, given)
  const { email, password } = given
  const session = await visitor.request('POST', '/v1/account/sessions/email', { email, password })
  const cookie = (session.headers['set-cookie'] ?? '').split(';')[0] ?? ''
  return { id: $id, accountId, name: given.name, email, cookie, ...asking(app, cookie) }
}

/** Several cookies are a line each, the session's first. */
const oneText = (value: unknown) => (Array.isArray(value) ? value.join('\n') : (value as string))

/** @param cookie of a session, or nothing for a visitor */
export function asking(app: Door, cookie: string): Asking {
  const request = async <T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> => {
    const answer = await app.inject({
      method: method as InjectOptions['method'],
      url: path,
      headers: { host: 'localhost:3000', ...(cookie ? { cookie } : {}), ...headers },
      ...(body === undefined ? {} : { payload: body as InjectOptions['payload'] }),
    })
    // A HEAD request is told the type of what it does not get.
    const isJson = method !== 'HEAD' && String(answer.headers['content-type']).startsWith('application/json')
    return {
      status: answer.statusCode,
      body: (isJson ? JSON.parse(String(answer.rawPayload)) : String(answer.rawPayload)) as T,
      headers: Object.fromEntries(
        Object.entries(answer.headers).map(([name, value]) => [name, oneText(value)]),
      ),
      raw: answer.rawPayload,
    }
  }

  const ask = (operation: Operation, input: Record<string, unknown>) => {
    const rest = { ...input }
    const path = operation.path.replace(/:(\w+)/g, (_, part: string) => {
      delete rest[part]
      return encodeURIComponent(String(input[part]))
    })
    if (operation.method !== 'GET') return request<never>(operation.method, `/v1${path}`, rest)
    return request<never>('GET', `/v1${path}?${new URLSearchParams(rest as Record<string, string>)}`)
  }

  return {
    request,
    ask,

    async call(operation, input) {
      const answer = await ask(operation, input as Record<string, unknown>)
      if (answer.status === operation.status) return answer.body
      throw new Error(`${operation.name} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    },

    async refusal(operation, input) {
      const answer = await ask(operation, input)
      if (answer.status >= 400) return answer.body
      throw new Error(`${operation.name} was not refused but answered ${answer.status}`)
    },

    async upload(bytes, name = 'picture.jpg') {
      const form = new FormData()
      form.set('fileId', 'unique()')
      form.set('file', new File([new Uint8Array(bytes)], name))
      const encoded = new Response(form)
      const answer = await request<{ $id: string }>(
        'POST',
        '/v1/storage/buckets/media/files',
        Buffer.from(await encoded.arrayBuffer()),
        { 'content-type': encoded.headers.get('content-type') ?? '' },
      )
      if (answer.status === 201) return answer.body.$id
      throw new Error(`The upload answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    },
  }
}
