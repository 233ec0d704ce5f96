/**
 * How a call of the account door runs. The dialect's order of checks (platform reference §2.3): project and origin before
 * this, then role (401), rate (429), parameters (400), the call itself. No answer is ever stored by a cache
 * (security reference S08).
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { LimitClass } from '#contract/operation.ts'
import { fail } from '../errors.ts'
import { chosenByServer, isId, newId } from '../ids.ts'
import { judgeOrigin } from '../origins.ts'
import type { Parts } from '../parts.ts'
import type { Caller } from '../session.ts'

/** What a call gets beside its parameters. */
export type AccountAsking = Parts & {
  request: FastifyRequest
  reply: FastifyReply
  /** @throws Failure 401 for a visitor */
  caller: Caller
}

type Shape = z.ZodMiniObject

type Call<S extends Shape> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Under `/v1/account`; several where the call moved between generations (platform reference §4). */
  paths: readonly string[]
  who: 'anyone' | 'signed-in'
  limit: LimitClass | 'letter-request'
  status: 200 | 201 | 204
  input: S
  answer(input: z.output<S>, asking: AccountAsking): Promise<unknown>
}

export function serveAccountCall<S extends Shape>(app: FastifyInstance, parts: Parts, call: Call<S>): void {
  for (const path of call.paths) {
    app.route({
      method: call.method,
      url: `/v1/account${path}`,
      config: {
        who: call.who === 'anyone' ? 'visitor' : 'account',
        input: 'parameters',
        limit: [call.limit],
        cache: 'never',
        log: 'each',
      },
      handler: async (request, reply) => {
        const asking: AccountAsking = {
          ...parts,
          request,
          reply,
          get caller() {
            return callerOf(request)
          },
        }
        if (call.who === 'signed-in') callerOf(request)
        await parts.limits.count(request, reply, call.limit)
        const answer = await call.answer(parameters(call.input, request), asking)
        reply.status(call.status)
        return call.status === 204 ? reply.send() : answer
      },
    })
  }
}

/** @throws Failure 401 for a visitor */
const callerOf = (request: FastifyRequest): Caller => request.caller ?? fail('general_unauthorized_scope')

/** @throws Failure 400 in the dialect's words, naming the parameter */
function parameters<S extends Shape>(shape: S, request: FastifyRequest): z.output<S> {
  const given = request.method === 'GET' ? request.query : (request.body ?? {})
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return fail('general_argument_invalid', { message: 'The body must be a JSON object.' })
  }
  return parametersOf(shape, { ...given, ...(request.params as object) })
}

/** @throws Failure 400 in the dialect's words, naming the parameter */
export function parametersOf<S extends Shape>(shape: S, given: object): z.output<S> {
  // An explicit null counts as not given.
  const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
  const result = shape.safeParse(present)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const field = String(issue?.path[0] ?? '')
  const missing = field !== '' && !(field in present)
  return fail('general_argument_invalid', {
    message: missing ? `Param "${field}" is not optional.` : `Invalid \`${field}\` param: ${issue?.message}`,
    field,
  })
}

export const nothing = z.object({})

/** An id of the client's or `unique()`. */
export const customId = z.pipe(
  z
    .string()
    .check(
      z.refine(
        (id) => id === chosenByServer || isId(id),
        "Parameter must contain at most 36 chars. Valid chars are a-z, A-Z, 0-9, period, hyphen, and underscore. Can't start with a special char",
      ),
    ),
  z.transform((id) => (id === chosenByServer ? newId() : id)),
)

export const userId = z
  .string()
  .check(
    z.refine(
      isId,
      "UID must contain at most 36 chars. Valid chars are a-z, A-Z, 0-9, and underscore. Can't start with a leading underscore",
    ),
  )

/** A link's 64 hex digits or a six-digit code. */
export const secret = z
  .string()
  .check(
    z.minLength(1),
    z.maxLength(256, 'Value must be a valid string and at least 1 chars and no longer than 256 chars'),
  )

export const phone = z
  .string()
  .check(
    z.regex(/^\+[1-9]\d{6,14}$/, "Phone number must start with a '+' can have a maximum of fifteen digits."),
  )

/** Where a link of ours may lead: an address whose whole origin we know, never one that only looks so (reference S06). */
export const redirectUrl = z.string().check(z.maxLength(2048, 'The URL is too long.'))

/**
 * A redirect URL of the caller's, normalised.
 * @throws Failure 400 naming the parameter when its origin is neither ours nor on the list
 */
export function allowedUrl(request: FastifyRequest, parts: Parts, parameter: string, given: string): URL {
  const url = URL.parse(given)
  const web = url?.protocol === 'https:' || url?.protocol === 'http:'
  const plain = url?.username === '' && url.password === ''
  if (url && web && plain && judgeOrigin(url.origin, request, parts.config) !== 'unknown') {
    return url
  }
  const hosts = [parts.config.publicUrl, ...parts.config.allowedOrigins].flatMap(
    (origin) => URL.parse(origin ?? '')?.host ?? [],
  )
  return fail('general_argument_invalid', {
    message: `Invalid \`${parameter}\` param: URL host must be one of: ${hosts.join(', ')}`,
    field: parameter,
  })
}

/** The address of this server, for links: from the settings, never from a header that the caller writes. */
export const ownUrl = (request: FastifyRequest, parts: Parts): string =>
  parts.config.publicUrl ?? `http://localhost:${request.socket.localPort}`

/** The link of a letter: the url's own query stays. */
export function withQuery(url: URL | string, query: Record<string, string>): string {
  const link = new URL(url)
  for (const [name, value] of Object.entries(query)) link.searchParams.set(name, value)
  return link.href
}
