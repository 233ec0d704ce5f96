/** Errors have Appwrite's types and texts. */
import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { maxTextLength, minTextLength } from '#contract/text-length.ts'
import { throwFailure } from '../errors.ts'
import { generateId, isValidPublicId, serverGeneratedIdPlaceholder } from '../ids.ts'
import type { InputReader } from '../route.ts'
import type { QueryStringParameters } from './query-parameters.ts'

type Shape = z.ZodMiniObject

/** Reads the query of a `GET`, otherwise the body. Path parameters take precedence. */
export const createAppwriteParametersReader = <S extends Shape>(shape: S): InputReader<z.output<S>> => ({
  from: 'parameters',
  read(request) {
    const given = request.method === 'GET' ? request.query : (request.body ?? {})
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      return throwFailure('general_argument_invalid', { message: 'The body must be a JSON object.' })
    }
    return parseAppwriteParameters(shape, { ...given, ...(request.params as object) })
  },
})

export const createQueryStringReader = <Input>(
  read: (query: QueryStringParameters, request: FastifyRequest) => Input,
): InputReader<Input> => ({
  from: 'parameters',
  read: (request) => read(request.query as QueryStringParameters, request),
})

export function parseAppwriteParameters<S extends Shape>(shape: S, given: object): z.output<S> {
  const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
  const result = shape.safeParse(present)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const field = String(issue?.path[0] ?? '')
  const missing = field !== '' && !(field in present)
  return throwFailure('general_argument_invalid', {
    message: missing ? `Param "${field}" is not optional.` : `Invalid \`${field}\` param: ${issue?.message}`,
    field,
  })
}

export const emptyParametersSchema = z.object({})

/** Accepts an id that the client chose, or `unique()`. */
export const customIdSchema = z.pipe(
  z
    .string()
    .check(
      z.refine(
        (id) => id === serverGeneratedIdPlaceholder || isValidPublicId(id),
        "Parameter must contain at most 36 chars. Valid chars are a-z, A-Z, 0-9, period, hyphen, and underscore. Can't start with a special char",
      ),
    ),
  z.transform((id) => (id === serverGeneratedIdPlaceholder ? generateId() : id)),
)

export const userIdSchema = z
  .string()
  .check(
    z.refine(
      isValidPublicId,
      "UID must contain at most 36 chars. Valid chars are a-z, A-Z, 0-9, and underscore. Can't start with a leading underscore",
    ),
  )

export const tokenSecretSchema = z
  .string()
  .check(
    minTextLength(1),
    maxTextLength(256, 'Value must be a valid string and at least 1 chars and no longer than 256 chars'),
  )

export const phoneNumberSchema = z
  .string()
  .check(
    z.regex(/^\+[1-9]\d{6,14}$/, "Phone number must start with a '+' can have a maximum of fifteen digits."),
  )
