/** The types require complete collections too, but the server starts without a type check. */
import { collectionNames } from '#contract/collection-names.ts'
import { accessRules } from '../policy/index.ts'
import { StartupError } from '../startup-error.ts'
import { collectionDefinitionsByName } from './collection-definitions.ts'

const actions = ['read', 'create', 'update', 'updated', 'delete'] as const

export type CollectionsToCheck = {
  collections: Record<string, { table: string; audience?: unknown }>
  rules: Record<string, Partial<Record<(typeof actions)[number], unknown>>>
  /** Documents of the Appwrite API, if the collection has any. */
  documents?: Record<string, { fields?: Record<string, unknown>; limit?: unknown }>
  channels: readonly string[]
}

export const juntasCollectionDefinitions: CollectionsToCheck = {
  collections: collectionDefinitionsByName,
  rules: accessRules,
  channels: collectionNames,
}

/** @throws StartupError naming the first incomplete collection and what is missing */
export function assertCollectionsComplete({
  collections,
  rules,
  documents,
  channels,
}: CollectionsToCheck): void {
  const names = new Set([...Object.keys(collections), ...Object.keys(documents ?? {}), ...channels])
  for (const name of names) {
    const collection = collections[name]
    const document = documents?.[name]
    const ruled = collection && rules[collection.table]
    const missing = [
      ...actions.filter((action) => typeof ruled?.[action] !== 'function').map((action) => `${action} rule`),
      ...(typeof collection?.audience === 'function' ? [] : ['audience']),
      ...(!documents || Object.keys(document?.fields ?? {}).length > 0 ? [] : ['fields']),
      ...(!documents || document?.limit ? [] : ['limit']),
      ...(channels.includes(name) ? [] : ['channel']),
    ]
    if (missing.length > 0) throw new StartupError(`The collection ${name} has no ${missing.join(', no ')}.`)
  }
}
