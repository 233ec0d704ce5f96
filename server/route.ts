/**
 * Declares every route of the server. Product and dialect differ only in how input is read and refusals are worded; the
 * order of checks is one: authentication (401), the addressed resource (404), rate limit (429), input (400), the handler.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import type { Operation, OperationOutput } from '#contract/operation.ts'
import type { AppContext } from './app-context.ts'
import {
  type AuthenticatedMember,
  isSessionLive,
  type RequestCaller,
  requireCallingMember,
  requireRequestCaller,
} from './auth/session.ts'
import { throwFailure, toFailure } from './errors.ts'
import { type AnyRateLimitClass, isRateLimitRefundedOnFailure } from './http/rate-limits.ts'
import type { RouteMetadata } from './http/route-metadata.ts'

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

/** What a handler gets beside its input. */
export type RequestContext = AppContext & {
  /** The calling member. @throws Failure 401 for a visitor and for an account without a profile */
  me: AuthenticatedMember
  /** The account, session and profile behind the request. @throws Failure 401 for a visitor */
  caller: RequestCaller
  request: FastifyRequest
  reply: FastifyReply
}

/** Where a route's input comes from, and how it is read. */
export type InputReader<Input> = {
  from: RouteMetadata['input']
  /** @throws Failure 400 naming the field that is wrong */
  read(request: FastifyRequest): Input
}

/** A route that is no operation of the contract. */
export type RouteDefinition<Input> = {
  method: Method | readonly Method[]
  /** Several where a call has moved between generations of clients. */
  url: string | readonly string[]
  who: RouteMetadata['who']
  /** Whether a session that waits for its second step may call; it gets 401 `user_more_factors_required` elsewhere. */
  allowsPending?: boolean
  /** Whether a session of an account that is being deleted may call; it gets 401 `account_closing` elsewhere. */
  allowsClosing?: boolean
  /** The permission a visitor is told to lack, where the refusal names it. */
  scope?: string
  /** Checks what the address names before the call is counted. @throws Failure */
  admit?(request: FastifyRequest): void
  /** Counted before the input is read; a list is counted by the handler, because which one depends on the input. */
  limit: AnyRateLimitClass | readonly AnyRateLimitClass[]
  cache?: RouteMetadata['cache']
  log?: RouteMetadata['log']
  input: InputReader<Input>
  /** Of success. Left out where the handler sends the answer itself. */
  status?: 200 | 201 | 204
}

type Handler<Input, Output> = (input: Input, context: RequestContext) => Promise<Output>

/** Every operation served, by name: a test proves that they are the contract's, once each. */
export const servedOperations = new Map<string, Operation>()

/** Serves an operation of the contract; its answer passes the output's shape, so that no other column can leak. */
export function registerRoute<O extends Operation>(
  app: FastifyInstance,
  context: AppContext,
  operation: O,
  handler: Handler<z.output<O['input']>, OperationOutput<O>>,
): void
export function registerRoute<Input>(
  app: FastifyInstance,
  context: AppContext,
  definition: RouteDefinition<Input>,
  handler: Handler<Input, unknown>,
): void
export function registerRoute(
  app: FastifyInstance,
  context: AppContext,
  declared: Operation | RouteDefinition<unknown>,
  handler: Handler<never, unknown>,
): void {
  if ('output' in declared) {
    servedOperations.set(declared.name, declared)
    declare(app, context, definitionOf(declared), async (input, ctx) => {
      const answer = await handler(input as never, ctx)
      if (declared.responseBody !== 'json') return
      return declared.status === 204 ? undefined : declared.output.parse(answer)
    })
  } else declare(app, context, declared, handler as Handler<unknown, unknown>)
}

function declare(
  app: FastifyInstance,
  context: AppContext,
  {
    method,
    url,
    who,
    allowsPending = false,
    allowsClosing = false,
    scope,
    admit,
    limit,
    cache = 'never',
    log = 'each',
    input,
    status,
  }: RouteDefinition<unknown>,
  handler: Handler<unknown, unknown>,
): void {
  const counted = typeof limit === 'string' ? limit : null
  const countedFirst = counted !== null && !isRateLimitRefundedOnFailure(counted)
  for (const path of [url].flat()) {
    app.route({
      method: [method].flat() as Method[],
      url: path,
      config: { who, allowsPending, allowsClosing, input: input.from, limit: [limit].flat(), cache, log },
      ...([method].flat().includes('HEAD') ? { exposeHeadRoute: false } : {}),
      // Before the body is read: whoever may not ask, or asks too often, costs nothing more.
      preParsing: async (request, reply) => {
        identify(request, { who, allowsPending, allowsClosing, scope })
        admit?.(request)
        if (countedFirst) await context.limits.consume(request, reply, counted)
      },
      handler: async (request, reply) => {
        const work = () =>
          context.callerConcurrency(request, reply, [limit].flat(), async () =>
            handler(input.read(request), requestContext(context, request, reply)),
          )
        const refunded = counted !== null && !countedFirst
        const counting = refunded ? context.limits.consumeFor(request, reply, counted, work) : work()
        const answer = await counting.catch((error) =>
          throwAsSignedOutIfSessionEnded(context, request, error),
        )
        if (status === undefined) return reply
        reply.status(status)
        return status === 204 ? reply.send() : answer
      },
    })
  }
}

/** Checks the caller's role. @throws Failure 401, naming what is missing */
function identify(
  request: FastifyRequest,
  {
    who,
    allowsPending,
    allowsClosing,
    scope,
  }: Pick<RouteDefinition<unknown>, 'who' | 'allowsPending' | 'allowsClosing' | 'scope'>,
): void {
  if (allowsPending) request.caller ??= request.pendingCaller
  if (allowsClosing) request.caller ??= request.closingCaller
  if (who === 'visitor' || (who === 'account' && request.caller)) return
  requireCallingMember(request, scope)
}

/**
 * Throws a refusal on. One that a caller gets whose session ended after the request began, as the account closed, is of the session:
 * the client is to sign in again, and not to believe that this member may not.
 */
async function throwAsSignedOutIfSessionEnded(
  { database }: AppContext,
  { caller }: FastifyRequest,
  error: unknown,
): Promise<never> {
  if (caller && toFailure(error)?.type === 'user_unauthorized') {
    if (!(await isSessionLive(database.kysely, caller.session.id))) throwFailure('general_unauthorized_scope')
  }
  throw error
}

function requestContext(context: AppContext, request: FastifyRequest, reply: FastifyReply): RequestContext {
  return {
    ...context,
    request,
    reply,
    get me() {
      return requireCallingMember(request)
    },
    get caller() {
      return requireRequestCaller(request)
    },
  }
}

export const noRouteInput: InputReader<undefined> = { from: 'none', read: () => undefined }

const definitionOf = ({
  method,
  path,
  who,
  allowsPending,
  allowsClosing,
  limit,
  status,
  input,
  responseBody,
}: Operation): RouteDefinition<unknown> => ({
  url: `/v1${path}`,
  who,
  allowsPending,
  allowsClosing,
  limit,
  ...(responseBody === 'json' ? { method, status } : { method: [method, 'HEAD'], cache: 'as it says' }),
  input: { from: 'contract', read: (request) => parseRequestInput(input, fieldsOf(request, method)) },
})

/** Path parts win over everything else: an id in the body never redirects a call. */
function fieldsOf(request: FastifyRequest, method: Operation['method']): Record<string, unknown> {
  const rest = method === 'GET' ? request.query : request.body
  if (rest !== undefined && rest !== null && (typeof rest !== 'object' || Array.isArray(rest))) {
    throwFailure('general_argument_invalid', { message: 'The body must be a JSON object.' })
  }
  return { ...(rest as object | null), ...(request.params as object) }
}

/** @throws Failure 400 naming the first field that is wrong */
export function parseRequestInput<S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const field = issue?.path.join('.') || undefined
  return throwFailure('general_argument_invalid', { message: issue?.message, field })
}
