import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { throwFailure } from '#server/errors.ts'
import { isJsonTooDeep } from '#server/http/json-body.ts'
import { validatePermissionStrings } from '../permission-strings.ts'
import { customIdSchema, parseAppwriteParameters } from '../request-parameters.ts'
import type { DocumentsApiVocabulary } from './document-collections.ts'
import type { DocumentBodyAttributes } from './validate-document.ts'

const data = z.optional(z.unknown())
const creations = {
  documentId: z.object({ documentId: customIdSchema, data, permissions: data }),
  rowId: z.object({ rowId: customIdSchema, data, permissions: data }),
}
const change = z.object({ data, permissions: data })

export function parseCreateBody(
  request: FastifyRequest,
  newId: DocumentsApiVocabulary['newId'],
): { id: string; given: DocumentBodyAttributes } {
  const body = objectIn(request.body)
  const { data, permissions, ...ids } = parseAppwriteParameters<z.ZodMiniObject>(creations[newId], body)
  validatePermissionStrings(permissions)
  const given = data === undefined ? {} : attributesIn(data)
  if (Object.keys(given).length === 0) throwFailure('document_missing_data')
  return { id: ids[newId] as string, given }
}

export function parseUpdateBody(request: FastifyRequest): DocumentBodyAttributes {
  const { data, permissions } = parseAppwriteParameters(change, objectIn(request.body))
  validatePermissionStrings(permissions)
  const given = data === undefined ? {} : attributesIn(data)
  if (Object.keys(given).length === 0 && permissions === undefined) throwFailure('document_missing_payload')
  return given
}

function objectIn(body: unknown): object {
  if (body === undefined || body === null) return {}
  if (typeof body === 'object' && !Array.isArray(body)) return body
  return throwFailure('general_argument_invalid', { message: 'The body must be a JSON object.' })
}

function attributesIn(data: unknown): DocumentBodyAttributes {
  const given = typeof data === 'string' ? parseJsonText(data) : data
  return typeof given === 'object' && given !== null && !Array.isArray(given)
    ? (given as DocumentBodyAttributes)
    : failNotObject()
}

function parseJsonText(text: string): unknown {
  if (isJsonTooDeep(text) || text.includes('\0') || !text.isWellFormed()) return failNotObject()
  try {
    return JSON.parse(text)
  } catch {
    return failNotObject()
  }
}

function failNotObject(): never {
  return throwFailure('general_argument_invalid', {
    message: 'Invalid `data` param: Value must be a valid object.',
    field: 'data',
  })
}
