/** The nine collections as documents, and the ids clients know them by (reading D-01). */
import type { CollectionName } from '../collections.ts'
import type { Config } from '../config.ts'
import { fail } from '../errors.ts'
import { conversations, messages } from './document-chat.ts'
import type { DocumentCollection } from './document-fields.ts'
import { groupMembers, groupRequests, groups } from './document-groups.ts'
import { follows, users } from './document-people.ts'
import { posts, saves } from './document-posts.ts'
import { databaseId } from './project.ts'

export const documentCollections: Record<CollectionName, DocumentCollection> = {
  users,
  posts,
  saves,
  conversations,
  messages,
  follows,
  groups,
  groupMembers,
  groupRequests,
}

/** How the answer names the database and the collections: as the one who asks does. */
export type Naming = { database: string; collection(name: CollectionName): string }

export const ourNaming: Naming = { database: databaseId, collection: (name) => name }

type Found = { collection: DocumentCollection; naming: Naming }

/**
 * The collection behind the ids of a path, and the names to answer with.
 * @throws Failure collection_not_found, the same for every id that is not one of ours (security reference A26)
 */
export const collectionIn = (config: Config, ids: CollectionIds): Found =>
  findCollection(config, ids) ?? fail('collection_not_found')

export type CollectionIds = { database: string; collection: string }

export function findCollection({ aliases }: Config, ids: CollectionIds): Found | null {
  const aliased = Object.hasOwn(aliases.collections, ids.collection)
  const name = aliased ? (aliases.collections[ids.collection] as string) : ids.collection
  const known = ids.database === databaseId || aliases.database.includes(ids.database)
  if (!known || !isCollection(name)) return null
  const aliasOf = new Map(Object.entries(aliases.collections).map(([alias, of]) => [of, alias]))
  return {
    collection: documentCollections[name],
    naming: {
      database: ids.database,
      collection: (other) =>
        other === name ? ids.collection : ((aliased ? aliasOf.get(other) : undefined) ?? other),
    },
  }
}

const isCollection = (name: string): name is CollectionName => Object.hasOwn(documentCollections, name)
