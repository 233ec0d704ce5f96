import { type CollectionName, collectionNames } from '#contract/collection-names.ts'
import type { Config } from '#server/config.ts'
import { tableOf } from '#server/database/table-names.ts'
import { throwFailure } from '#server/errors.ts'
import { appwriteDatabaseId } from '../project-guard.ts'
import * as chat from './chat-collections.ts'
import { commentDocumentDefinition } from './comment-collections.ts'
import type { DocumentCollection, DocumentDefinition } from './field-definitions.ts'
import * as groups from './group-collections.ts'
import * as people from './people-collections.ts'
import * as posts from './post-collections.ts'

const definitions: Record<CollectionName, DocumentDefinition> = {
  users: people.userDocumentDefinition,
  follows: people.followEdgeDocumentDefinition,
  posts: posts.postDocumentDefinition,
  comments: commentDocumentDefinition,
  saves: posts.savedPostDocumentDefinition,
  conversations: chat.conversationDocumentDefinition,
  messages: chat.messageDocumentDefinition,
  groups: groups.groupDocumentDefinition,
  groupMembers: groups.groupMemberDocumentDefinition,
  groupRequests: groups.groupRequestDocumentDefinition,
}

export const documentCollections = Object.fromEntries(
  collectionNames.map((name) => [name, { name, table: tableOf(name), ...definitions[name] }]),
) as Record<CollectionName, DocumentCollection>

/** The requester reads their requests here as future follows. The API cannot list them. */
export const requestedFollowCollection: DocumentCollection = {
  ...documentCollections.follows,
  table: 'follow_requests',
  fields: people.requestedFollowFieldDefinitions,
}

export type DocumentsResponseVocabulary = DocumentsApiVocabulary & {
  database: string
  collection(name: CollectionName): string
}

export type DocumentsApiVocabulary = {
  path: string
  list: 'documents' | 'rows'
  newId: 'documentId' | 'rowId'
  collectionId: '$collectionId' | '$tableId'
}

const documentNaming: DocumentsApiVocabulary = {
  path: '/v1/databases/:database/collections/:collection/documents',
  list: 'documents',
  newId: 'documentId',
  collectionId: '$collectionId',
}

/** Newer clients call collections "tables" and documents "rows". */
export const documentAndRowApiVocabularies: readonly DocumentsApiVocabulary[] = [
  documentNaming,
  {
    path: '/v1/tablesdb/:database/tables/:collection/rows',
    list: 'rows',
    newId: 'rowId',
    collectionId: '$tableId',
  },
]

export const defaultDocumentsResponseVocabulary: DocumentsResponseVocabulary = {
  ...documentNaming,
  database: appwriteDatabaseId,
  collection: (name) => name,
}

type ResolvedCollection = { collection: DocumentCollection; naming: DocumentsResponseVocabulary }

/** @throws Failure collection_not_found, the same for every unknown id */
export const requireCollectionByPathParameters = (
  config: Config,
  ids: CollectionPathParameters,
  vocabulary: DocumentsApiVocabulary,
): ResolvedCollection =>
  findCollectionByPathParameters(config, ids, vocabulary) ?? throwFailure('collection_not_found')

export type CollectionPathParameters = { database: string; collection: string }

export function findCollectionByPathParameters(
  { aliases }: Config,
  ids: CollectionPathParameters,
  vocabulary: DocumentsApiVocabulary,
): ResolvedCollection | null {
  const aliased = Object.hasOwn(aliases.collections, ids.collection)
  const name = aliased ? (aliases.collections[ids.collection] as string) : ids.collection
  const known = ids.database === appwriteDatabaseId || aliases.database.includes(ids.database)
  if (!known || !isCollection(name)) return null
  const aliasOf = new Map(Object.entries(aliases.collections).map(([alias, of]) => [of, alias]))
  return {
    collection: documentCollections[name],
    naming: {
      ...vocabulary,
      database: ids.database,
      collection: (other) =>
        other === name ? ids.collection : ((aliased ? aliasOf.get(other) : undefined) ?? other),
    },
  }
}

const isCollection = (name: string): name is CollectionName => Object.hasOwn(documentCollections, name)
