/**
 * What the dialect calls a change: the channels it is told on and the events it is (platform reference §11.5). Clients
 * compare strings, so every spelling is written out: with wildcards, and with the ids that existing clients keep.
 */
import type { CollectionName } from '../collections.ts'
import type { Config } from '../config.ts'
import { type Change, isOfDocument } from '../live-changes.ts'
import { databaseId } from './project.ts'

export type Names = {
  channels: readonly string[]
  /** The first is the exact one. */
  events: readonly string[]
}

/** @returns gives the same object for the same change; `account` is the id of the account it is told to */
export function createNames(config: Config): (change: Change, account: string) => Names {
  const databases = [databaseId, ...config.aliases.database]
  const spellings = (collection: CollectionName) => [
    collection,
    ...Object.keys(config.aliases.collections).filter(
      (alias) => config.aliases.collections[alias] === collection,
    ),
  ]
  const known = new WeakMap<Change, Names>()
  return (change, account) => {
    const before = known.get(change)
    if (before) return before
    const names = isOfDocument(change)
      ? ofDocument(databases, spellings(change.collection), change)
      : ofAccount(change, account)
    known.set(change, names)
    return names
  }
}

const either = (...names: string[]) => [...names, '*']

function ofDocument(databases: string[], collections: string[], { publicId, kind }: Change): Names {
  const inDatabases = either(...databases).map((database) => `databases.${database}`)
  const inCollections = inDatabases.flatMap((path) =>
    either(...collections).map((collection) => `${path}.collections.${collection}`),
  )
  const documents = inCollections.flatMap((path) => either(publicId).map((id) => `${path}.documents.${id}`))
  const plain = databases.flatMap((database) =>
    collections.flatMap((collection) => {
      const all = `databases.${database}.collections.${collection}.documents`
      return [all, `${all}.${publicId}`]
    }),
  )
  const channels = ['documents', ...plain]
  return {
    channels: [...channels, ...channels.map((channel) => `${channel}.${kind}`)],
    events: [...documents.map((path) => `${path}.${kind}`), ...documents, ...inCollections, ...inDatabases],
  }
}

function ofAccount({ collection, kind, publicId, state }: Change, account: string): Names {
  const users = either(account).map((id) => `users.${id}`)
  const channels = ['account', `account.${account}`]
  if (collection === 'sessions') {
    const sessions = users.flatMap((user) => either(publicId).map((id) => `${user}.sessions.${id}`))
    return { channels, events: [...sessions.map((path) => `${path}.${kind}`), ...sessions, ...users] }
  }
  const updates = users.map((user) => `${user}.${kind}`)
  return {
    channels,
    events: [...updates.map((path) => `${path}.${state?.attribute}`), ...updates, ...users],
  }
}
