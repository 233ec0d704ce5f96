/**
 * The client acts as a member through the API, for tests, demo data and benchmarks. It sends requests through
 * `app.inject`, which simulates only the connection, or over HTTP (http-transport.ts).
 */
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { signInOperation, signUpOperation } from '#contract/account/sign-up-and-sign-in.ts'
import type { ErrorResponseBody } from '#contract/errors.ts'
import { uploadFileOperation } from '#contract/files/files.ts'
import type { Operation, OperationInput, OperationOutput } from '#contract/operation.ts'

export type ApiResponse<T = unknown> = {
  status: number
  body: T
  headers: Record<string, string>
  raw: Buffer
}

/** Leaves out the date and the request id, which always differ. */
export function pickComparableResponse({ status, headers, raw }: ApiResponse) {
  const { date, 'x-request-id': request, ...rest } = headers
  return { status, headers: rest, body: raw.toString() }
}

export type RequestTransport = {
  inject(
    options: InjectOptions,
  ): Promise<Pick<LightMyRequestResponse, 'statusCode' | 'headers' | 'rawPayload'>>
}

export type MemberClient = {
  id: string
  accountId: string
  name: string
  email: string
  cookie: string
  request<T = unknown>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<ApiResponse<T>>
  ask(operation: Operation, input: Record<string, unknown>): Promise<ApiResponse>
  /** @throws if the server refuses */
  call<O extends Operation>(operation: O, input: OperationInput<O>): Promise<OperationOutput<O>>
  /** @throws if the server does not refuse */
  refusal<O extends Operation>(operation: O, input: Record<string, unknown>): Promise<ErrorResponseBody>
  /** Uploads a file of up to 5 MB and returns its id. @throws if the server refuses */
  upload(bytes: Uint8Array, name?: string): Promise<string>
}

export type ApiClient = Pick<MemberClient, 'request' | 'ask' | 'call' | 'refusal' | 'upload'>

export async function signUpAndSignIn(
  app: RequestTransport,
  given: OperationInput<typeof signUpOperation>,
): Promise<MemberClient> {
  const visitor = createApiClient(app, '')
  const { $id, accountId } = await visitor.call(signUpOperation, given)
  const { email, password } = given
  const session = await visitor.ask(signInOperation, { email, password })
  const cookie = (session.headers['set-cookie'] ?? '').split(';')[0] ?? ''
  return { id: $id, accountId, name: given.name, email, cookie, ...createApiClient(app, cookie) }
}

/** Joins repeated headers by line breaks. The session cookie comes first. */
const oneText = (value: unknown) => (Array.isArray(value) ? value.join('\n') : (value as string))

/** @param cookie empty for a visitor */
export function createApiClient(app: RequestTransport, cookie: string): ApiClient {
  const request = async <T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse<T>> => {
    const answer = await app.inject({
      method: method as InjectOptions['method'],
      url: path,
      headers: { host: 'localhost:3000', ...(cookie ? { cookie } : {}), ...headers },
      ...(body === undefined ? {} : { payload: body as InjectOptions['payload'] }),
    })
    // A response to HEAD has a content type but no body.
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
      form.set('file', new File([new Uint8Array(bytes)], name))
      const encoded = new Response(form)
      const answer = await request<{ $id: string }>(
        uploadFileOperation.method,
        `/v1${uploadFileOperation.path}`,
        Buffer.from(await encoded.arrayBuffer()),
        { 'content-type': encoded.headers.get('content-type') ?? '' },
      )
      if (answer.status === 201) return answer.body.$id
      throw new Error(`The upload answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    },
  }
}
