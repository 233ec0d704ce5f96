/**
 * Checks run in this order: authentication (401), resource (404), rate limit (429), operator (404),
 * re-authentication (401), input (400), handler.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import type { Operation, OperationOutput } from '#contract/operation.ts'
import type { AppContext } from './app-context.ts'
import { assertSessionReauthenticatedByStrongest } from './auth/recent-reauthentication.ts'
import {
  type AuthenticatedMember,
  isSessionLive,
  type RequestCaller,
  requireCallingMember,
  requireRequestCaller,
} from './auth/session.ts'
import { throwFailure, toFailure } from './errors.ts'
import { type AnyRateLimitClass, isRateLimitRefundedOnFailure } from './http/rate-limits.ts'
import { isWriting, type RouteMetadata } from './http/route-metadata.ts'
import { requireOperator } from './policy/index.ts'

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

export type RequestContext = AppContext & {
  /** @throws Failure 401 for a visitor or an account without a profile */
  me: AuthenticatedMember
  caller: RequestCaller
  request: FastifyRequest
  reply: FastifyReply
}

export type InputReader<Input> = {
  from: RouteMetadata['input']
  read(request: FastifyRequest): Input
}

export type RouteDefinition<Input> = {
  method: Method | readonly Method[]
  /** Several if the path changed between client generations. */
  url: string | readonly string[]
  who: RouteMetadata['who']
  /**
   * Allows a session that waits for its second factor, which otherwise gets 401 `user_more_factors_required`.
   */
  allowsPending?: boolean
  /** Allows a session of an account being deleted, which otherwise gets 401 `account_closing`. */
  allowsClosing?: boolean
  /** The error for visitors names this scope. */
  scope?: string
  /**
   * Refuses a request before the rate limit counts it, for example one for an unknown bucket or a disabled
   * service.
   * @throws Failure
   */
  admit?(request: FastifyRequest): void
  /**
   * A single class is counted before the input is read, or around the handler if failures are refunded. With
   * a list, the handler counts, because the choice depends on the input.
   */
  limit: AnyRateLimitClass | readonly AnyRateLimitClass[]
  cache?: RouteMetadata['cache']
  log?: RouteMetadata['log']
  input: InputReader<Input>
  status?: 200 | 201 | 204
}

type Handler<Input, Output> = (input: Input, context: RequestContext) => Promise<Output>

/** A test compares these with the contract. */
export const servedOperations = new Map<string, Operation>()

/** The output schema filters the response, so no other column can leak. */
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
      // These checks run before the body is read, so that refused callers cost nothing more.
      preParsing: async (request, reply) => {
        identify(request, { who, allowsPending, allowsClosing, scope })
        admit?.(request)
        if (countedFirst) await context.limits.consume(request, reply, counted)
      },
      handler: async (request, reply) => {
        const work = () =>
          context.callerConcurrency(request, reply, [limit].flat(), async () => {
            const ctx = requestContext(context, request, reply)
            if (who === 'operator') await requireOperatorFor(ctx, request.method)
            return handler(input.read(request), ctx)
          })
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
 * Operators' changes require re-authentication, because a stolen session must not be enough (decision 0224).
 * @throws Failure 404, 401 `user_challenge_required`
 */
async function requireOperatorFor(ctx: RequestContext, method: string): Promise<void> {
  await requireOperator(ctx)
  if (isWriting(method)) await assertSessionReauthenticatedByStrongest(ctx.database.kysely, ctx.caller)
}

/** For an ended session, the client must ask for a new sign-in instead of reporting a missing permission. */
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

/** Reads the input's fields. An id in the body must not override an id in the path. */
function fieldsOf(request: FastifyRequest, method: Operation['method']): Record<string, unknown> {
  const rest = method === 'GET' ? request.query : request.body
  if (rest !== undefined && rest !== null && (typeof rest !== 'object' || Array.isArray(rest))) {
    throwFailure('general_argument_invalid', { message: 'The body must be a JSON object.' })
  }
  return { ...(rest as object | null), ...(request.params as object) }
}

export function parseRequestInput<S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const field = issue?.path.join('.') || undefined
  return throwFailure('general_argument_invalid', { message: issue?.message, field })
}
