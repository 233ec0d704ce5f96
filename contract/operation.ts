/**
 * Operations as values. The server serves them, the web calls them, and OpenAPI and the tests iterate over their list.
 */
import type * as z from 'zod/mini'
import type { ErrorType } from './errors.ts'

/** The rate limit that applies per member or address. The numbers are in server/http/rate-limits.ts. */
export type RateLimitClass =
  | 'read'
  | 'search'
  | 'people'
  | 'write'
  /** Edits, which the server broadcasts live. */
  | 'edit'
  | 'sign-up'
  /** Applications to join, which operators must read. */
  | 'application'
  | 'sign-in'
  /** Attempts to sign in with a passkey. Each stores a challenge. */
  | 'passkey-offer'
  /** Requests that send an email. */
  | 'email-request'
  | 'post'
  | 'comment'
  /** Tagging a person in a photo, which notifies that person. */
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
  | 'push-test'
  | 'report'
  | 'catch-up'
  | 'upload'
  /** Uploaded kilobytes. They are counted in addition to `upload`. */
  | 'upload-kilobytes'
  | 'image'
  /** Ranges of a data export. */
  | 'archive'

export type Operation<
  Input extends z.ZodMiniType = z.ZodMiniType,
  Output extends z.ZodMiniType = z.ZodMiniType,
> = {
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path under `/v1`. `:name` parts are input fields. The other fields are sent as query (GET) or JSON body. */
  path: `/${string}`
  /** The status on success. 204 has no body. */
  status: 200 | 201 | 204
  /**
   * The caller that it requires: anyone, an account (perhaps without a profile), a member or an operator. Others get 401. Members who
   * call an operator's operation get 404. An operator's operation that changes something needs a recent re-authentication.
   */
  who: 'visitor' | 'account' | 'member' | 'operator'
  /** Whether a session that waits for its second factor may call it. */
  allowsPending: boolean
  /** Whether a session of an account that is being deleted may call it. */
  allowsClosing: boolean
  input: Input
  output: Output
  errors: readonly ErrorType[]
  /** The rate limit. A list means that the handler itself chooses a limit for each request and counts the request. */
  limit: RateLimitClass | readonly RateLimitClass[]
  /** The request body: JSON, or a form whose part `file` is an image. */
  requestBody: 'json' | 'multipart'
  /**
   * The response body on success: JSON of the output's shape, an image, or a zip archive. Operations that return an
   * image or an archive also answer `HEAD`.
   */
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
    requestBody: 'json',
    responseBody: 'json',
    ...given,
    errors: [...(given.who === 'operator' ? operatorErrors(given.method) : []), ...(given.errors ?? [])],
  }
}

const operatorErrors = (method: Operation['method']): ErrorType[] =>
  method === 'GET' ? ['general_route_not_found'] : ['general_route_not_found', 'user_challenge_required']

declare const shapes: unique symbol

/**
 * An operation's method, path and types without its schemas, so that the web's first page does not load zod (decision
 * 0008).
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
