import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { maxTextLength } from '#contract/text-length.ts'
import type { AppContext } from '#server/app-context.ts'
import { throwFailure } from '#server/errors.ts'
import { classifyOrigin } from '#server/http/cors.ts'

/** `parseRedirectUrl` compares the URL's whole origin, not only its beginning. */
export const redirectUrlSchema = z.string().check(maxTextLength(2048, 'The URL is too long.'))

/** @throws Failure 400 naming the parameter if the origin is neither ours nor allowed */
export function parseRedirectUrl(
  request: FastifyRequest,
  context: AppContext,
  parameter: string,
  given: string,
): URL {
  const url = URL.parse(given)
  const web = url?.protocol === 'https:' || url?.protocol === 'http:'
  const plain = url?.username === '' && url.password === ''
  if (url && web && plain && classifyOrigin(url.origin, request, context.config) !== 'unknown') {
    return url
  }
  const hosts = [context.config.publicUrl, ...context.config.allowedOrigins].flatMap(
    (origin) => URL.parse(origin ?? '')?.host ?? [],
  )
  return throwFailure('general_argument_invalid', {
    message: `Invalid \`${parameter}\` param: URL host must be one of: ${hosts.join(', ')}`,
    field: parameter,
  })
}

const maxEmailLinkPathLength = 64
const emailLinkPath = /^(?:\/[\w.-]{0,24}){1,4}$/
/** Refuses a path that could contain a phone number. `/v2/reset` has only one digit. */
const manyDigits = /(?:\d[^\d]*){5}/
/** Allows at most three parameters, whose values can be ids. */
const emailLinkQuery = /^(?:\?[\w.-]{1,16}(?:=[\w.-]{0,36})?(?:&[\w.-]{1,16}(?:=[\w.-]{0,36})?){0,2})?$/

/**
 * Emails show this URL, so visitors could use it to write to strangers. Its path and query must be short and
 * plain.
 * @throws Failure 400 naming `url`
 */
export function parseEmailLinkUrl(request: FastifyRequest, context: AppContext, given: string): URL {
  const url = parseRedirectUrl(request, context, 'url', given)
  const { pathname, search, hash } = url
  const isPlain =
    pathname.length <= maxEmailLinkPathLength &&
    emailLinkPath.test(pathname) &&
    !manyDigits.test(pathname) &&
    emailLinkQuery.test(search) &&
    hash === ''
  if (isPlain) return url
  return throwFailure('general_argument_invalid', {
    message:
      'Invalid `url` param: URL must have a path of at most 64 characters and a short query, of letters, digits, ".", "-" and "_", and no fragment',
    field: 'url',
  })
}
