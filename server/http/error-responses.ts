import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorType } from '#contract/errors.ts'
import type { Config } from '../config.ts'
import { buildErrorBody, Failure, isOverloaded, namesCommunity, toFailure } from '../errors.ts'
import {
  type CommunityIdentity,
  type CommunityIdentityCache,
  defaultCommunityIdentityCache,
} from './community-identity.ts'
import { readLanguageHeader } from './request-language.ts'
import { rawErrorResponse } from './security-headers.ts'

/** Keys are codes of Node's HTTP parser. All other codes count as malformed requests. */
const errorTypeByParserCode: Record<string, ErrorType> = {
  HPE_HEADER_OVERFLOW: 'general_headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'general_request_timeout',
}

export function answerMalformedHttpRequest(
  config: Config,
  { code = '' }: NodeJS.ErrnoException,
  socket: Socket,
): void {
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  socket.end(rawErrorResponse(config, new Failure(errorTypeByParserCode[code] ?? 'general_argument_invalid')))
}

const errorTypeByStatus: Record<number, ErrorType> = {
  400: 'general_argument_invalid',
  404: 'general_route_not_found',
  405: 'general_method_not_allowed',
  413: 'general_payload_too_large',
  414: 'general_argument_invalid',
  415: 'general_content_type_invalid',
}

/** These errors may indicate an attack. */
const warnMessages: Partial<Record<ErrorType, string>> = {
  user_invalid_credentials: 'a sign-in failed',
  user_invalid_token: 'a sign-in failed',
  user_jwt_invalid: 'a sign-in failed',
  user_oauth2_unauthorized: 'a sign-in failed',
  user_blocked: 'a sign-in failed',
  user_unauthorized: 'permission was refused',
  general_access_forbidden: 'permission was refused',
  group_membership_required: 'permission was refused',
  group_approve_admin_required: 'permission was refused',
  group_reject_admin_required: 'permission was refused',
  general_unknown_origin: 'a request was refused',
  general_rate_limit_exceeded: 'a request was refused',
}

/** Lines at `warn` contain only the type and account. */
export function logRefusal(failure: Failure, error: unknown, request: FastifyRequest): void {
  const account = request.caller?.account.publicId
  const message = warnMessages[failure.type] ?? (isOverloaded(failure) ? 'a request was refused' : undefined)
  if (message) request.log.warn({ type: failure.type, account }, message)
  else if (failure.status >= 500) request.log.error({ type: failure.type, err: error }, 'a request failed')
  else request.log.debug({ type: failure.type }, 'a request was refused')
}

/** An unexpected error becomes a masked 500. */
export function sendErrorResponse(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  identity: CommunityIdentityCache = defaultCommunityIdentityCache,
): FastifyReply | Promise<FastifyReply> {
  const foreseen = toFailure(error)
  const failure =
    foreseen ?? new Failure(errorTypeByStatus[error.statusCode ?? 500] ?? 'general_unknown', { cause: error })
  logRefusal(failure, error, request)
  if (failure.retryAfter !== undefined) reply.header('retry-after', failure.retryAfter)
  const send = ({ name }: CommunityIdentity) =>
    reply
      .status(failure.status)
      .header('cache-control', 'no-store')
      .send(buildErrorBody(failure, readLanguageHeader(request), name))
  // Other failures do not wait for the database, which may be their cause.
  return namesCommunity(failure) ? identity.read().then(send) : send(identity.current())
}
