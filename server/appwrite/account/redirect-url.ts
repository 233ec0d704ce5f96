/** Addresses in mail and redirects: where a link may lead, and how one is put together. */
import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { AppContext } from '#server/app-context.ts'
import { throwFailure } from '#server/errors.ts'
import { classifyOrigin } from '#server/http/cors.ts'

/** Where a link of ours may lead: an address whose whole origin we know, never one that only looks so. */
export const redirectUrlSchema = z.string().check(z.maxLength(2048, 'The URL is too long.'))

/**
 * A redirect URL of the caller's, normalised.
 * @throws Failure 400 naming the parameter when its origin is neither ours nor on the list
 */
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
