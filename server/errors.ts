/**
 * PostgreSQL errors are mapped by constraint and SQLSTATE. All other errors are bugs: logged with the request
 * id and masked as 500.
 */
import { defaultCommunityName } from '#contract/community/community-name-and-logo.ts'
import { type ErrorResponseBody, type ErrorType, errorCatalogue } from '#contract/errors.ts'
import type { Language } from '#contract/language.ts'
import { translateMessage } from './translated-messages.ts'

/** An expected refusal. `cause` is for the operator and is never sent. */
export class Failure extends Error {
  readonly type: ErrorType
  readonly status: number
  readonly field: string | undefined
  readonly retryAfter: number | undefined

  constructor(
    type: ErrorType,
    more: { message?: string; field?: string; retryAfter?: number; status?: number; cause?: unknown } = {},
  ) {
    super(
      more.message ?? errorCatalogue[type][1],
      more.cause === undefined ? undefined : { cause: more.cause },
    )
    this.type = type
    this.status = more.status ?? errorCatalogue[type][0]
    this.field = more.field
    this.retryAfter = more.retryAfter
  }
}

/** Overload errors are logged without a stack. */
export const isOverloaded = (thrown: unknown): boolean =>
  thrown instanceof Failure &&
  thrown.status === 503 &&
  thrown.retryAfter !== undefined &&
  thrown.cause === undefined

export function throwFailure(type: ErrorType, more?: ConstructorParameters<typeof Failure>[1]): never {
  throw new Failure(type, more)
}

/** Appwrite's version. It is constant, so it reveals nothing about the build. */
const appwriteVersion = '1.4.14'

/** This name stands for the community only in the catalogue's texts. Other messages may quote a member. */
export const namesCommunity = ({ type, message }: Failure): boolean =>
  message === errorCatalogue[type][1] && message.includes(defaultCommunityName)

export function buildErrorBody(
  failure: Failure,
  language?: Language,
  communityName = defaultCommunityName,
): ErrorResponseBody {
  const message = language ? translateMessage(failure.message, language) : failure.message
  return {
    message: namesCommunity(failure)
      ? message.replaceAll(defaultCommunityName, () => communityName)
      : message,
    code: failure.status,
    type: failure.type,
    version: appwriteVersion,
    ...(failure.field === undefined ? {} : { field: failure.field }),
  }
}

/** Violating one of these constraints causes the named error. */
const byConstraint: Record<string, ErrorType> = {
  accounts_email: 'user_already_exists',
  accounts_phone: 'user_already_exists',
  accounts_public_id: 'user_already_exists',
  users_username: 'user_username_already_exists',
  users_username_skeleton: 'user_username_already_exists',
  users_username_held: 'user_username_already_exists',
  users_username_reserved: 'user_name_reserved',
  users_name_reserved: 'user_name_reserved',
  files_public_id: 'storage_file_already_exists',
  posts_image: 'storage_file_in_use',
  post_photos_file: 'storage_file_in_use',
  message_photos_file: 'storage_file_in_use',
  users_image: 'storage_file_in_use',
  groups_image: 'storage_file_in_use',
  follows_not_self: 'follow_self_not_allowed',
  conversations_not_self: 'conversation_self_not_allowed',
  group_requests_one_pending: 'group_request_pending',
  group_requests_not_member: 'group_already_member',
  group_requests_decided_once: 'group_request_processed',
  posts_group_id_fkey: 'group_membership_required',
  blocks_not_self: 'block_self_not_allowed',
  follows_not_blocked: 'user_not_found',
  follow_requests_not_blocked: 'user_not_found',
  follow_requests_not_self: 'follow_self_not_allowed',
  conversations_not_blocked: 'user_not_found',
  post_likes_not_blocked: 'document_not_found',
  saves_not_blocked: 'document_not_found',
  comments_not_blocked: 'document_not_found',
  comment_likes_not_blocked: 'document_not_found',
  message_reactions_not_blocked: 'document_not_found',
  comments_parent: 'comment_thread_not_found',
  messages_not_blocked: 'user_unauthorized',
  messages_admitted: 'conversation_not_allowed',
  messages_answered: 'message_not_found',
  messages_photos_admitted: 'message_photos_waiting',
  messages_waiting: 'conversation_waiting',
}

const fieldByConstraint: Record<string, string> = {
  users_username_reserved: 'username',
  users_name_reserved: 'name',
}

/** A row deleted during a write gives 404, not 500. */
const bySqlState: Record<string, ErrorType> = {
  '23505': 'document_already_exists',
  '23503': 'document_not_found',
  '23502': 'document_invalid_structure',
  '23514': 'document_invalid_structure',
  '22001': 'document_invalid_structure',
  '22003': 'general_argument_invalid',
  '22007': 'general_argument_invalid',
  '22008': 'general_argument_invalid',
  '22021': 'general_argument_invalid',
  '22P02': 'general_argument_invalid',
  '22P05': 'general_argument_invalid',
  '22025': 'general_argument_invalid',
  '2201W': 'general_argument_invalid',
  '53100': 'storage_device_full',
}

/** After these errors, the request can be retried: overload, restart, lost connection and timeout. */
const busySqlState = /^(08|53|57P0|57014|55P03|40001|40P01|25P03)/
const busyCode = /^(ECONN|ENOENT$|EPIPE|ETIMEDOUT|EMFILE|ENFILE)/

type DatabaseError = { code?: unknown; constraint?: unknown; message?: unknown; severity?: unknown }

export function toFailure(thrown: unknown): Failure | null {
  if (thrown instanceof Failure) return thrown
  if (typeof thrown !== 'object' || thrown === null) return null
  const { code, constraint, message, severity } = thrown as DatabaseError
  // The database refused or ended the connection.
  if (severity === 'FATAL') return databaseBusy(thrown)
  const name = typeof constraint === 'string' ? constraint : ''
  const known = byConstraint[name]
  if (known) return new Failure(known, { cause: thrown, field: fieldByConstraint[name] })
  if (typeof code === 'string') {
    const type = bySqlState[code]
    if (type) return new Failure(type, { cause: thrown })
    if (busySqlState.test(code) || busyCode.test(code)) return databaseBusy(thrown)
  }
  // node-postgres identifies these errors only by their message.
  if (
    typeof message === 'string' &&
    /timeout exceeded when trying to connect|Query read timeout|Connection terminated/.test(message)
  ) {
    return databaseBusy(thrown)
  }
  return null
}

const databaseBusy = (cause: unknown) => new Failure('general_service_unavailable', { retryAfter: 2, cause })
