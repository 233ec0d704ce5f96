import { failInvalidQuery } from '../queries/invalid-query.ts'
import { truncateForErrorMessage } from '../queries/parse-queries.ts'
import type { DocumentCollection, SerializedDocument } from './field-definitions.ts'

export type AttributeSelection = {
  has(attribute: string): boolean
  of(relation: string): AttributeSelection
  withSystem(attributes: Record<string, unknown>, system: SerializedDocument): SerializedDocument
}

export const selectAllAttributes: AttributeSelection = {
  has: () => true,
  of: () => selectAllAttributes,
  withSystem: (attributes, system) => ({ ...attributes, ...system }),
}

export const documentSystemAttributes = [
  '$id',
  '$createdAt',
  '$updatedAt',
  '$permissions',
  '$databaseId',
  '$collectionId',
  '$tableId',
]

/**
 * Response formats before 1.5 (105: major × 100 + minor) return `$id`, times and permissions only on request.
 */
const firstFormatWithSystem = 105

/**
 * @param names attributes, `*`, or `relation.attribute`
 * @param format such as 104 for 1.4
 * @throws Failure general_query_invalid for an unknown or forbidden attribute
 */
export function parseAttributeSelection(
  collection: DocumentCollection,
  names: readonly string[] | null,
  format: number,
): AttributeSelection {
  if (names === null) return selectAllAttributes
  for (const name of names) failUnknownSelection(collection, name)
  return selectionOfNames(names, format)
}

function selectionOfNames(names: readonly string[], format: number): AttributeSelection {
  const all = names.includes('*')
  const isNamed = (attribute: string) => all || names.includes(attribute)
  return {
    has: (attribute) => isNamed(attribute) || names.some((name) => name.startsWith(`${attribute}.`)),
    of(relation) {
      const inner = names.filter((name) => name.startsWith(`${relation}.`))
      if (isNamed(relation) || inner.length === 0) return selectAllAttributes
      return selectionOfNames(
        inner.map((name) => name.slice(relation.length + 1)),
        format,
      )
    },
    withSystem(attributes, system) {
      const kept = Object.entries(system).filter(
        ([name]) => format >= firstFormatWithSystem || isNamed(name) || !attributesToName.has(name),
      )
      return { ...attributes, ...Object.fromEntries(kept) } as SerializedDocument
    },
  }
}

const attributesToName = new Set(['$id', '$createdAt', '$updatedAt', '$permissions'])

function failUnknownSelection({ fields }: DocumentCollection, name: string): void {
  if (name === '*' || documentSystemAttributes.includes(name)) return
  const [first = ''] = name.split('.')
  const field = Object.hasOwn(fields, first) ? fields[first] : undefined
  if (!field || (name.includes('.') && !field.relation)) {
    failInvalidQuery(`Invalid query: Attribute not found in schema: ${truncateForErrorMessage(name)}`)
  }
  if (field.write.as === 'kept') {
    failInvalidQuery(`Invalid query: select does not apply to attribute "${truncateForErrorMessage(name)}"`)
  }
}
