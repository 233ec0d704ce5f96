/** The bodies of documents' writes (platform reference §7). */
import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { fail } from '../errors.ts'
import { isTooDeep } from '../json.ts'
import { customId, parametersOf } from './account-calls.ts'
import type { Given } from './document-structure.ts'
import { checkPermissions } from './permissions.ts'

const data = z.optional(z.unknown())
const creation = z.object({ documentId: customId, data, permissions: data })
const change = z.object({ data, permissions: data })

/** @throws Failure general_argument_invalid, document_missing_data */
export function bodyToCreate(request: FastifyRequest): { id: string; given: Given } {
  const { documentId, data, permissions } = parametersOf(creation, objectIn(request.body))
  checkPermissions(permissions)
  const given = data === undefined ? {} : attributesIn(data)
  if (Object.keys(given).length === 0) fail('document_missing_data')
  return { id: documentId, given }
}

/** @throws Failure general_argument_invalid, document_missing_payload */
export function bodyToChange(request: FastifyRequest): Given {
  const { data, permissions } = parametersOf(change, objectIn(request.body))
  checkPermissions(permissions)
  const given = data === undefined ? {} : attributesIn(data)
  if (Object.keys(given).length === 0 && permissions === undefined) fail('document_missing_payload')
  return given
}

function objectIn(body: unknown): object {
  if (body === undefined || body === null) return {}
  if (typeof body === 'object' && !Array.isArray(body)) return body
  return fail('general_argument_invalid', { message: 'The body must be a JSON object.' })
}

/** The attributes: an object, or the JSON text of one. */
function attributesIn(data: unknown): Given {
  const given = typeof data === 'string' ? parsed(data) : data
  return typeof given === 'object' && given !== null && !Array.isArray(given) ? (given as Given) : noObject()
}

function parsed(text: string): unknown {
  if (isTooDeep(text) || text.includes('\0') || !text.isWellFormed()) return noObject()
  try {
    return JSON.parse(text)
  } catch {
    return noObject()
  }
}

function noObject(): never {
  return fail('general_argument_invalid', {
    message: 'Invalid `data` param: Value must be a valid object.',
    field: 'data',
  })
}
