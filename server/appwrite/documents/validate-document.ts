/** Errors name the attribute, but never its value. */
import { throwFailure } from '#server/errors.ts'
import { truncateForErrorMessage } from '../queries/parse-queries.ts'
import { documentSystemAttributes } from './attribute-selection.ts'
import {
  type DocumentDefinition,
  type DocumentFieldDefinition,
  type FieldWriteRule,
  readRelatedDocumentId,
} from './field-definitions.ts'

export type DocumentBodyAttributes = Readonly<Record<string, unknown>>

export type AttributeWriteInput = { name: string; write: FieldWriteRule; given: unknown }

/** Accepts Appwrite's own attributes, because clients send them back as they have read them. */
export function failUnknownAttributes({ fields }: DocumentDefinition, given: DocumentBodyAttributes): void {
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(fields, name) || documentSystemAttributes.includes(name) || isTotal(fields, name))
      continue
    failStructure(`Unknown attribute: "${truncateForErrorMessage(name)}"`, name)
  }
}

const isTotal = (fields: Record<string, DocumentFieldDefinition>, name: string) =>
  name.endsWith('Total') && Object.hasOwn(fields, name.slice(0, -'Total'.length))

export function parseAttributeValue(
  name: string,
  write: Extract<FieldWriteRule, { as: 'value' }>,
  given: unknown,
): unknown {
  const result = write.shape.safeParse(given)
  return result.success
    ? result.data
    : failInvalidAttribute(name, result.error.issues[0]?.message ?? 'is invalid')
}

export function parseAttributeIdList(name: string, given: unknown): string[] {
  if (!Array.isArray(given)) return failStructure(`Attribute "${name}" must be an array`, name)
  return given.map((entry) => readRelatedDocumentId(entry) ?? failAttributeNotDocumentId(name))
}

const failStructure = (message: string, field: string): never =>
  throwFailure('document_invalid_structure', {
    message: `Invalid document structure: ${message}`,
    field: truncateForErrorMessage(field),
  })

export const failMissingAttribute = (name: string) =>
  failStructure(`Missing required attribute "${name}"`, name)
export const failImmutableAttribute = (name: string) =>
  failStructure(`Attribute "${name}" cannot be changed`, name)
export const failInvalidAttribute = (name: string, why: string) =>
  failStructure(`Attribute "${name}" has invalid type. ${why}`, name)
export const failAttributeNotDocumentId = (name: string) =>
  failInvalidAttribute(name, 'Value must be the id of a document')
export const failAttributeNotInEnum = (name: string, allowed: readonly string[]) =>
  failInvalidAttribute(name, `Value must be one of (${allowed.join(', ')})`)
