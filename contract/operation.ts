/** The server serves these operations, the web calls them, and OpenAPI and tests iterate over them. */
import type * as z from 'zod/mini'
import type { ErrorType } from './errors.ts'

/** A limit counts per member or address. server/http/rate-limits.ts has the numbers. */
export type RateLimitClass =
  | 'read'
  | 'search'
  | 'people'
  | 'write'
  | 'edit'
  | 'sign-up'
  /** Limited because an operator reads each application. */
  | 'application'
  | 'sign-in'
  /** Each call stores a challenge. */
  | 'passkey-offer'
  | 'email-request'
  | 'post'
  | 'comment'
  /** Each photo tag notifies a person. */
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
  /** This class counts in addition to `upload`. */
  | 'upload-kilobytes'
  | 'image'
  | 'archive'

export type Operation<
  Input extends z.ZodMiniType = z.ZodMiniType,
  Output extends z.ZodMiniType = z.ZodMiniType,
> = {
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /**
   * The path after `/v1`. Its `:name` parts are input fields. The client sends the other fields as query
   * (GET) or JSON body.
   */
  path: `/${string}`
  status: 200 | 201 | 204
  /**
   * `account` includes accounts without a profile. Other callers get 401, and members get 404 for an
   * operator's operation. Operators' changes need a recent re-authentication.
   */
  who: 'visitor' | 'account' | 'member' | 'operator'
  /** Allows a session that waits for its second factor. */
  allowsPending: boolean
  /** Allows a session of an account that is being deleted. */
  allowsClosing: boolean
  input: Input
  output: Output
  errors: readonly ErrorType[]
  /** With a list, the handler chooses a limit and counts the request. */
  limit: RateLimitClass | readonly RateLimitClass[]
  /** `multipart`: a form whose part `file` is an image. */
  requestBody: 'json' | 'multipart'
  /** `archive` is a zip file. Images and archives also answer `HEAD`. */
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

/** An endpoint has no schemas, so that the web's first page does not load zod (decision 0008). */
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
