/**
 * From an operation of the contract to a route: parse, ask who, limit, answer through the output's shape. A handler is
 * the operation; its query sits inside it.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import type { Operation, OutputOf } from '#contract/operation.ts'
import { fail } from './errors.ts'
import type { Parts } from './parts.ts'
import { accountOf, type Member, memberOf } from './session.ts'

/** What a handler gets beside its input. */
export type Asking = Parts & {
  /** The member who asks. @throws Failure 401 where a visitor or an account without a profile asks */
  me: Member
  request: FastifyRequest
  reply: FastifyReply
}

export type Handler<O extends Operation> = (
  input: z.output<O['input']>,
  asking: Asking,
) => Promise<OutputOf<O>>

/** Everything served, by name: a test proves that it is the contract, once each. */
export const served = new Map<string, Operation>()

export function serve<O extends Operation>(
  app: FastifyInstance,
  parts: Parts,
  operation: O,
  handler: Handler<O>,
): void {
  served.set(operation.name, operation)
  app.route({
    method: operation.method,
    url: `/v1${operation.path}`,
    config: { who: operation.who, input: 'contract', limit: [operation.limit], cache: 'never', log: 'each' },
    handler: async (request, reply) => {
      if (operation.who === 'member') memberOf(request)
      if (operation.who === 'account') accountOf(request)
      const asking: Asking = {
        ...parts,
        request,
        reply,
        get me() {
          return memberOf(request)
        },
      }
      const answer = await parts.limits.counted(request, reply, operation.limit, async () =>
        handler(parse(operation.input, given(request, operation.method)) as z.output<O['input']>, asking),
      )
      reply.status(operation.status)
      if (operation.status === 204) return reply.send()
      // Through the shape: a column that is not in the contract cannot leak.
      return operation.output.parse(answer)
    },
  })
}

/** Path parts win over everything else: an id in the body never redirects a call. */
function given(request: FastifyRequest, method: Operation['method']): Record<string, unknown> {
  const rest = method === 'GET' ? request.query : request.body
  if (rest !== undefined && rest !== null && (typeof rest !== 'object' || Array.isArray(rest))) {
    fail('general_argument_invalid', { message: 'The body must be a JSON object.' })
  }
  return { ...(rest as object | null), ...(request.params as object) }
}

/** @throws Failure 400 naming the first field that is wrong */
export function parse<S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const field = issue?.path.join('.') || undefined
  return fail('general_argument_invalid', { message: issue?.message, field })
}

/** The acting person's id in a payload is no source of identity, but must not contradict it (reading R-13). */
export function actsAsHerself(me: Member, given: string | undefined): void {
  if (given !== undefined && given !== me.publicId) fail('user_unauthorized')
}
