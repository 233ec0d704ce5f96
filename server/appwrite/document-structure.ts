/**
 * What a body may hold: attributes of the collection, each of its shape. What is wrong is said with the attribute's name
 * and never with its value (platform reference §7.4).
 */
import { fail } from '../errors.ts'
import { type DocumentCollection, type Field, idIn, type Write } from './document-fields.ts'
import { systemAttributes } from './document-selection.ts'
import { named } from './queries.ts'

/** The attributes of a body. */
export type Given = Readonly<Record<string, unknown>>

/** One attribute of a body beside what may be written to it. */
export type Attribute = { name: string; write: Write; given: unknown }

/** The dialect's own attributes come back from clients that send what they read; they are never stored. */
export function refuseUnknown({ fields }: DocumentCollection, given: Given): void {
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(fields, name) || systemAttributes.includes(name) || isTotal(fields, name)) continue
    structure(`Unknown attribute: "${named(name)}"`, name)
  }
}

const isTotal = (fields: Record<string, Field>, name: string) =>
  name.endsWith('Total') && Object.hasOwn(fields, name.slice(0, -'Total'.length))

export function shaped(name: string, write: Extract<Write, { as: 'value' }>, given: unknown): unknown {
  const result = write.shape.safeParse(given)
  return result.success ? result.data : wrong(name, result.error.issues[0]?.message ?? 'is invalid')
}

export function idsIn(name: string, given: unknown): string[] {
  if (!Array.isArray(given)) return structure(`Attribute "${name}" must be an array`, name)
  return given.map((entry) => idIn(entry) ?? mustBeId(name))
}

const structure = (message: string, field: string): never =>
  fail('document_invalid_structure', {
    message: `Invalid document structure: ${message}`,
    field: named(field),
  })

export const missing = (name: string) => structure(`Missing required attribute "${name}"`, name)
export const fixed = (name: string) => structure(`Attribute "${name}" cannot be changed`, name)
export const wrong = (name: string, why: string) =>
  structure(`Attribute "${name}" has invalid type. ${why}`, name)
export const mustBeId = (name: string) => wrong(name, 'Value must be the id of a document')
export const mustBeOneOf = (name: string, allowed: readonly string[]) =>
  wrong(name, `Value must be one of (${allowed.join(', ')})`)
