/** An operation is a value: the server serves it, the web calls it, OpenAPI and the tests walk the list of them. */
import type * as z from 'zod/mini'
import type { ErrorType } from './errors.ts'

/**
 * How often one member or one address may call it; the figures are in server/http/rate-limits.ts.
 */
export type RateLimitClass =
  | 'read'
  | 'search'
  | 'people'
  | 'write'
  /** Edits that are told live to everybody. */
  | 'edit'
  | 'sign-up'
  | 'sign-in'
  /** Passkeys that are asked for at sign-in, each of which stores a challenge. */
  | 'passkey-offer'
  /** Letters that are asked for. */
  | 'email-request'
  | 'post'
  | 'comment'
  /** Somebody is tagged in a photo, and asked. */
  | 'name'
  | 'like'
  | 'follow'
  | 'block'
  | 'privacy'
  | 'message'
  | 'conversation'
  | 'group'
  | 'join-request'
  | 'invite'
  /** Pushes to the caller's own browser, to try whether it rings. */
  | 'push-test'
  | 'report'
  | 'catch-up'
  | 'upload'
  /** Kilobytes of uploads, beside `upload`. */
  | 'upload-kilobytes'
  /** Images served. */
  | 'image'
  /** Ranges of a copy of everything. */
  | 'archive'

export type Operation<
  Input extends z.ZodMiniType = z.ZodMiniType,
  Output extends z.ZodMiniType = z.ZodMiniType,
> = {
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Under `/v1`; `:name` parts are fields of the input, the rest travels as query (GET) or JSON body. */
  path: `/${string}`
  /** Status of success; 204 sends no body. */
  status: 200 | 201 | 204
  /** Who may ask at all: anybody, an account (its profile may be missing yet), or a member. Others get 401. */
  who: 'visitor' | 'account' | 'member'
  /** Whether a session that waits for its second step may call it. */
  allowsPending: boolean
  /** Whether a session of an account that is being deleted may call it. */
  allowsClosing: boolean
  input: Input
  output: Output
  errors: readonly ErrorType[]
  /** Several where the handler counts, because which one and how much depends on the request. */
  limit: RateLimitClass | readonly RateLimitClass[]
  /** What a request carries beside its path and query: JSON, or a form whose part `file` is an image. */
  requestBody: 'json' | 'multipart'
  /** What success carries: JSON of the output's shape, or an image or a zip archive, with `HEAD` beside `GET`. */
  responseBody: 'json' | 'image' | 'archive'
}

type Defaulted =
  | 'status'
  | 'who'
  | 'allowsPending'
  | 'allowsClosing'
  | 'errors'
  | 'requestBody'
  | 'responseBody'

type Given<Input extends z.ZodMiniType, Output extends z.ZodMiniType> = Omit<
  Operation<Input, Output>,
  Defaulted
> &
  Partial<Pick<Operation, Defaulted>>

export function defineOperation<Input extends z.ZodMiniType, Output extends z.ZodMiniType>(
  given: Given<Input, Output>,
): Operation<Input, Output> {
  return {
    status: 200,
    who: 'member',
    allowsPending: false,
    allowsClosing: false,
    errors: [],
    requestBody: 'json',
    responseBody: 'json',
    ...given,
  }
}

declare const shapes: unique symbol

/**
 * An operation's address alone: what a caller needs that validates nothing, so that the web's first page does without
 * zod (decision 0008). Its type still knows the shapes.
 */
export type OperationEndpoint<O extends Operation = Operation> = Pick<Operation, 'method' | 'path'> & {
  readonly [shapes]?: O
}

type OperationOf<T> = T extends Operation
  ? T
  : T extends { readonly [shapes]?: infer O extends Operation }
    ? O
    : never

export type OperationInput<T extends Operation | OperationEndpoint> = z.input<OperationOf<T>['input']>
export type OperationOutput<T extends Operation | OperationEndpoint> = z.output<OperationOf<T>['output']>
