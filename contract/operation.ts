/** Operations as values: the server serves them, the web calls them, OpenAPI and tests walk their list. */
import type * as z from 'zod/mini'
import type { ErrorType } from './errors.ts'

/** Rate limit per member or address; the numbers are in server/http/rate-limits.ts. */
export type RateLimitClass =
  | 'read'
  | 'search'
  | 'people'
  | 'write'
  /** Edits, which are broadcast live. */
  | 'edit'
  | 'sign-up'
  /** Applications, which people read. */
  | 'application'
  | 'sign-in'
  /** Passkey sign-in attempts, each of which stores a challenge. */
  | 'passkey-offer'
  /** Requests that send an email. */
  | 'email-request'
  | 'post'
  | 'comment'
  /** Tagging someone in a photo, which notifies them. */
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
  /** Kilobytes uploaded, beside `upload`. */
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
  /** Under `/v1`. `:name` parts are input fields; the rest travels as query (GET) or JSON body. */
  path: `/${string}`
  /** On success; 204 has no body. */
  status: 200 | 201 | 204
  /** The required caller: anyone, an account (perhaps without a profile), or a member. Others get 401. */
  who: 'visitor' | 'account' | 'member'
  /** Whether a session waiting for its second step may call it. */
  allowsPending: boolean
  /** Whether a session of an account being deleted may call it. */
  allowsClosing: boolean
  input: Input
  output: Output
  errors: readonly ErrorType[]
  /** Several if the handler itself chooses and counts by request. */
  limit: RateLimitClass | readonly RateLimitClass[]
  /** The body: JSON, or a form whose part `file` is an image. */
  requestBody: 'json' | 'multipart'
  /**
   * The success body: JSON of the output's shape, an image or a zip archive. The latter two also answer
   * `HEAD`.
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
    errors: [],
    requestBody: 'json',
    responseBody: 'json',
    ...given,
  }
}

declare const shapes: unique symbol

/**
 * An operation's address and types without its schemas, so that the web's first page needs no zod (decision
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
