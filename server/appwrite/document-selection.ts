/** Which attributes of a document an answer holds (`select`, platform reference §8.3). */
import type { DocumentCollection } from './document-fields.ts'
import type { Document } from './document-reading.ts'
import { named } from './queries.ts'
import { badQuery } from './query-term.ts'

export type Selection = {
  has(attribute: string): boolean
  /** What is selected of the documents behind a relation. */
  of(relation: string): Selection
  withSystem(attributes: Record<string, unknown>, system: Document): Document
}

export const everything: Selection = {
  has: () => true,
  of: () => everything,
  withSystem: (attributes, system) => ({ ...attributes, ...system }),
}

export const systemAttributes = [
  '$id',
  '$createdAt',
  '$updatedAt',
  '$permissions',
  '$databaseId',
  '$collectionId',
]

/** Before this generation `$id`, times and permissions come only when they are named. */
const alwaysWithSystem = 105

/**
 * @param names as the queries have them: an attribute, `*`, or `relation.attribute`
 * @param format the generation of answers the client understands: 104 for 1.4
 * @throws Failure general_query_invalid for an attribute that is not there or may not be asked for
 */
export function selectionOf(
  collection: DocumentCollection,
  names: readonly string[] | null,
  format: number,
): Selection {
  if (names === null) return everything
  for (const name of names) refuseUnknown(collection, name)
  return selecting(names, format)
}

function selecting(names: readonly string[], format: number): Selection {
  const all = names.includes('*')
  const isNamed = (attribute: string) => all || names.includes(attribute)
  return {
    has: (attribute) => isNamed(attribute) || names.some((name) => name.startsWith(`${attribute}.`)),
    of(relation) {
      const inner = names.filter((name) => name.startsWith(`${relation}.`))
      if (isNamed(relation) || inner.length === 0) return everything
      return selecting(
        inner.map((name) => name.slice(relation.length + 1)),
        format,
      )
    },
    withSystem(attributes, system) {
      const kept = Object.entries(system).filter(
        ([name]) => format >= alwaysWithSystem || isNamed(name) || !toBeNamed.has(name),
      )
      return { ...attributes, ...Object.fromEntries(kept) } as Document
    },
  }
}

const toBeNamed = new Set(['$id', '$createdAt', '$updatedAt', '$permissions'])

function refuseUnknown({ fields }: DocumentCollection, name: string): void {
  if (name === '*' || systemAttributes.includes(name)) return
  const [first = ''] = name.split('.')
  const field = Object.hasOwn(fields, first) ? fields[first] : undefined
  if (!field || (name.includes('.') && !field.relation)) {
    badQuery(`Invalid query: Attribute not found in schema: ${named(name)}`)
  }
  if (field.write.as === 'kept') {
    badQuery(`Invalid query: select does not apply to attribute "${named(name)}"`)
  }
}
