/**
 * What every collection must have before the server starts: a rule for each action, whoever hears of its changes, fields
 * with their shapes, and a limit. The types demand it too, but they are not asked when a server starts.
 */
import { liveCollections } from '#contract/live.ts'
import { documentCollections } from './appwrite/document-collections.ts'
import { CannotStart } from './cannot-start.ts'
import { collections } from './collections.ts'
import { rules } from './policy.ts'

const actions = ['read', 'create', 'update', 'updated', 'delete'] as const

type Definitions = {
  collections: Record<string, { table: string; audience?: unknown }>
  rules: Record<string, Partial<Record<(typeof actions)[number], unknown>>>
  documents: Record<string, { fields?: Record<string, unknown>; limit?: unknown }>
  channels: readonly string[]
}

export const ofJuntas: Definitions = {
  collections,
  rules,
  documents: documentCollections,
  channels: liveCollections,
}

/** @throws CannotStart naming the first collection that lacks something, and what */
export function demandComplete({ collections, rules, documents, channels }: Definitions): void {
  const names = new Set([...Object.keys(collections), ...Object.keys(documents), ...channels])
  for (const name of names) {
    const collection = collections[name]
    const document = documents[name]
    const ruled = collection && rules[collection.table]
    const missing = [
      ...actions.filter((action) => typeof ruled?.[action] !== 'function').map((action) => `${action} rule`),
      ...(typeof collection?.audience === 'function' ? [] : ['audience']),
      ...(Object.keys(document?.fields ?? {}).length > 0 ? [] : ['fields']),
      ...(document?.limit ? [] : ['limit']),
      ...(channels.includes(name) ? [] : ['channel']),
    ]
    if (missing.length > 0) throw new CannotStart(`The collection ${name} has no ${missing.join(', no ')}.`)
  }
}
