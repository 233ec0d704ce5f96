/** Clients compare these names as strings, so every variant with wildcards and aliases is listed. */

import type { CollectionName } from '#contract/collection-names.ts'
import type { Config } from '#server/config.ts'
import { isDocumentChange, type LoggedChange } from '#server/store/change-log-reader.ts'
import { appwriteBucketId, appwriteDatabaseId } from '../project-guard.ts'

export type EventAndChannelNames = {
  channels: readonly string[]
  /** The first name has no wildcards. */
  events: readonly string[]
}

/**
 * Returns the same object for the same change.
 * @param account the recipient's account id
 */
export function createEventAndChannelNamer(
  config: Config,
): (change: LoggedChange, account: string) => EventAndChannelNames {
  const databases = [appwriteDatabaseId, ...config.aliases.database]
  const buckets = [appwriteBucketId, ...config.aliases.bucket]
  const spellings = (collection: CollectionName) => [
    collection,
    ...Object.keys(config.aliases.collections).filter(
      (alias) => config.aliases.collections[alias] === collection,
    ),
  ]
  const known = new WeakMap<LoggedChange, EventAndChannelNames>()
  return (change, account) => {
    const before = known.get(change)
    if (before) return before
    const names = isDocumentChange(change)
      ? ofDocument(databases, spellings(change.collection), change)
      : change.collection === 'files'
        ? ofFile(buckets, change)
        : ofAccount(change, account)
    known.set(change, names)
    return names
  }
}

const either = (...names: string[]) => [...names, '*']

function ofDocument(
  databases: string[],
  collections: string[],
  { publicId, kind }: LoggedChange,
): EventAndChannelNames {
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
  return {
    channels: withTwins(['documents', ...plain], kind),
    events: [...documents.map((path) => `${path}.${kind}`), ...documents, ...inCollections, ...inDatabases],
  }
}

/** The added channels receive only this kind of change. */
const withTwins = (channels: string[], kind: LoggedChange['kind']) => [
  ...channels,
  ...channels.map((channel) => `${channel}.${kind}`),
]

function ofFile(buckets: string[], { publicId, kind }: LoggedChange): EventAndChannelNames {
  const plain = buckets.flatMap((bucket) => {
    const all = `buckets.${bucket}.files`
    return [all, `${all}.${publicId}`]
  })
  return {
    channels: withTwins(['files', ...plain], kind),
    events: ofPart(
      either(...buckets).map((bucket) => `buckets.${bucket}`),
      'files',
      publicId,
      kind,
    ),
  }
}

/** Returns names such as `users.U.sessions.S.create`. */
function ofPart(wholes: string[], part: string, id: string, kind: LoggedChange['kind']): string[] {
  const parts = wholes.flatMap((whole) => either(id).map((each) => `${whole}.${part}.${each}`))
  return [...parts.map((path) => `${path}.${kind}`), ...parts, ...wholes]
}

function ofAccount(
  { collection, kind, publicId, state }: LoggedChange,
  account: string,
): EventAndChannelNames {
  const users = either(account).map((id) => `users.${id}`)
  const channels = ['account', `account.${account}`]
  if (collection === 'sessions') return { channels, events: ofPart(users, 'sessions', publicId, kind) }
  if (collection === 'tokens')
    return { channels, events: ofPart(users, String(state?.about), publicId, kind) }
  const updates = users.map((user) => `${user}.${kind}`)
  return {
    channels,
    events: [...updates.map((path) => `${path}.${state?.attribute}`), ...updates, ...users],
  }
}
