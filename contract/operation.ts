/** An operation is a value: the server serves it, the web calls it, OpenAPI and the tests walk the list of them. */
import type * as z from 'zod/mini'
import type { ErrorType } from './errors.ts'

/**
 * How often one member or one address may call it; the figures are in server/limits.ts (security reference §5.1).
 */
export type LimitClass =
  | 'read'
  | 'search'
  | 'people'
  | 'write'
  | 'sign-up'
  | 'sign-in'
  | 'post'
  | 'upload'
  | 'like'
  | 'follow'
  | 'message'
  | 'conversation'
  | 'group'
  | 'join-request'

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
  input: Input
  output: Output
  errors: readonly ErrorType[]
  limit: LimitClass
}

type Given<Input extends z.ZodMiniType, Output extends z.ZodMiniType> = Omit<
  Operation<Input, Output>,
  'status' | 'who' | 'errors'
> &
  Partial<Pick<Operation, 'status' | 'who' | 'errors'>>

export function operation<Input extends z.ZodMiniType, Output extends z.ZodMiniType>(
  given: Given<Input, Output>,
): Operation<Input, Output> {
  return { status: 200, who: 'member', errors: [], ...given }
}

declare const shapes: unique symbol

/**
 * An operation's address alone: what a caller needs that validates nothing, so that the web's first page does without zod
 * (decision 0006). Its type still knows the shapes.
 */
export type Route<O extends Operation = Operation> = Pick<Operation, 'method' | 'path'> & {
  readonly [shapes]?: O
}

type OperationOf<T> = T extends Operation
  ? T
  : T extends { readonly [shapes]?: infer O extends Operation }
    ? O
    : never

export type InputOf<T extends Operation | Route> = z.input<OperationOf<T>['input']>
export type OutputOf<T extends Operation | Route> = z.output<OperationOf<T>['output']>
