import type { CollectionName } from '#contract/collection-names.ts'

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : ''

export type TableOf<C extends CollectionName> = { [Name in CollectionName]: SnakeCase<Name> }[C]

export const toSnakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export const tableOf = <C extends CollectionName>(collection: C): TableOf<C> =>
  toSnakeCase(collection) as TableOf<C>
