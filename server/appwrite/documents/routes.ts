/**
 * Older clients use `/v1/databases/…/collections/…/documents`, newer ones `/v1/tablesdb/…/tables/…/rows`.
 * Order of checks: project, origin, role (401), collection (404), rate (429), parameters (400), document
 * (404), permission (401).
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Kysely, sql } from 'kysely'
import type { RateLimitClass } from '#contract/operation.ts'
import type { AppContext } from '#server/app-context.ts'
import { type AuthenticatedMember, requireCallingMember } from '#server/auth/session.ts'
import type { DatabaseTables } from '#server/database/schema.ts'
import { throwFailure } from '#server/errors.ts'
import { findOwnFollowRequest, withdrawFollowRequest } from '#server/features/people/follow-request-routes.ts'
import { isValidPublicId } from '#server/ids.ts'
import { memberKeyParameter } from '#server/policy/index.ts'
import { type InputReader, registerRoute } from '#server/route.ts'
import { failInvalidQuery } from '../queries/invalid-query.ts'
import { type ParsedQueries, parseAppwriteQueries } from '../queries/parse-queries.ts'
import { extractQueryStrings, isListTotalRequested } from '../queries/queries-parameter.ts'
import { type DocumentQueryCaller, toDocumentQueryCaller } from '../queries/queryable-attributes.ts'
import { type AttributeSelection, parseAttributeSelection } from './attribute-selection.ts'
import { createDocument, type DocumentReference } from './create-document.ts'
import { createProfileFromDocument, isLegacyProfileLookup } from './create-legacy-profile.ts'
import {
  type CollectionPathParameters,
  type DocumentsApiVocabulary,
  documentAndRowApiVocabularies,
  documentCollections,
  findCollectionByPathParameters,
  requestedFollowCollection,
  requireCollectionByPathParameters,
} from './document-collections.ts'
import { createRowKeyFinder, type DocumentCollection, type SerializedDocument } from './field-definitions.ts'
import { mapForbiddenToUnauthorized } from './forbidden-to-unauthorized.ts'
import { requireMembershipOfFilteredGroups } from './group-post-list-guard.ts'
import { canOnlyMatchCallerProfile, isSearch, selectDocumentPageKeys } from './list-documents.ts'
import {
  type DocumentReadContext,
  documentListRelatedCaps,
  readDocuments,
  readDocumentsByDefinition,
  singleDocumentRelatedCaps,
} from './read-documents.ts'
import { parseCreateBody, parseUpdateBody } from './request-body.ts'
import { capResponseSize } from './response-size-cap.ts'
import { applyDocumentUpdate } from './update-document.ts'

const collectionRefOf = (request: FastifyRequest) => request.params as CollectionPathParameters

export function registerAppwriteDocumentRoutes(app: FastifyInstance, context: AppContext): void {
  for (const vocabulary of documentAndRowApiVocabularies) registerVocabulary(app, context, vocabulary)
}

function registerVocabulary(
  app: FastifyInstance,
  context: AppContext,
  vocabulary: DocumentsApiVocabulary,
): void {
  const { config, database, limits, lists, store } = context
  const db = database.kysely
  const resolve = (ids: CollectionPathParameters) =>
    requireCollectionByPathParameters(config, ids, vocabulary)
  /** Answers 404 for an unknown collection before the rate limit counts the call. */
  const admit = (request: FastifyRequest) => void resolve(collectionRefOf(request))
  const input = <Input>(read: (request: FastifyRequest) => Input): InputReader<Input> => ({
    from: 'parameters',
    read,
  })
  const ofDocument = { url: `${vocabulary.path}/:document`, who: 'member', admit } as const

  const list = {
    method: 'GET',
    url: vocabulary.path,
    // A client without a profile looks for its profile here.
    who: 'account',
    scope: 'documents.read',
    limit: ['read', 'search', 'people'],
    input: input((request) => request),
  } as const
  registerRoute(app, context, list, async ({ params, query }, { request, reply }) => {
    const ids = params as CollectionPathParameters
    if (
      isLegacyProfileLookup(
        request.caller,
        findCollectionByPathParameters(config, ids, vocabulary)?.collection.name,
      )
    ) {
      return send(reply, 200, JSON.stringify({ total: 0, [vocabulary.list]: [] }))
    }
    const me = requireCallingMember(request, 'documents.read')
    const { collection, naming } = resolve(ids)
    const parsed = parseAppwriteQueries(extractQueryStrings(query))
    const caller = toDocumentQueryCaller(request, me)
    await limits.consume(request, reply, limitOf(collection, parsed, caller))
    const selection = parseAttributeSelection(collection, parsed.select, formatOf(request))
    const { documents, total } = await lists(me.id, async (db) => {
      await mapForbiddenToUnauthorized(() => requireMembershipOfFilteredGroups(db, me.id, collection, parsed))
      const { keys, total } = await selectDocumentPageKeys(
        db,
        collection,
        parsed,
        caller,
        isListTotalRequested(query),
      )
      const ownProfile = collection.name === 'users' && keys.length === 1 && keys[0] === me.id
      const caps = ownProfile ? singleDocumentRelatedCaps : documentListRelatedCaps
      const reading = { db, config, me: me.id, naming }
      return { documents: await readDocuments(reading, collection.name, keys, caps, selection), total }
    })
    const answer = { total, [vocabulary.list]: documents }
    return send(reply, 200, await capResponseSize(answer, documents, me.publicId))
  })

  const read = {
    ...ofDocument,
    method: 'GET',
    scope: 'documents.read',
    limit: 'read',
    input: input((request) => {
      const { collection, naming } = resolve(collectionRefOf(request))
      const selection = parseAttributeSelection(collection, readSelect(request.query), formatOf(request))
      return { collection, naming, selection, id: documentIdOf(request) }
    }),
  } as const
  registerRoute(app, context, read, async ({ collection, naming, selection, id }, { me, reply }) => {
    const found = await findDocument(db, me, collection, id)
    const document = await readOne({ db, config, me: me.id, naming }, found, selection)
    return send(reply, 200, await capResponseSize(document, [document], me.publicId))
  })

  const create = {
    method: 'POST',
    url: vocabulary.path,
    who: 'visitor',
    limit: Object.values<DocumentCollection>(documentCollections).flatMap(({ limit, extraLimit }) =>
      extraLimit ? [limit, extraLimit.limit] : [limit],
    ),
    input: input((request) => request),
  } as const
  registerRoute(app, context, create, async ({ params }, { request, reply }) => {
    const ids = params as CollectionPathParameters
    const isProfile = findCollectionByPathParameters(config, ids, vocabulary)?.collection.name === 'users'
    const me = isProfile ? null : requireCallingMember(request, 'documents.write')
    const { collection, naming } = resolve(ids)
    const document = await limits.consumeFor(request, reply, collection.limit, async () => {
      const { id, given } = parseCreateBody(request, vocabulary.newId)
      return mapForbiddenToUnauthorized(async () => {
        const write = () =>
          store.transact(async (tx) => {
            const made = me
              ? await createDocument(tx, me, collection, id, given)
              : {
                  collection,
                  key: await createProfileFromDocument(tx, request.caller?.account ?? null, id, given),
                }
            return readOne({ db: tx.db, config, me: me?.id ?? made.key, naming }, made)
          })
        return me && collection.extraLimit
          ? collection.extraLimit.consumeFor({ database, limits, request, reply }, me, given, write)
          : write()
      })
    })
    return send(reply, 201, await capResponseSize(document, [document], me?.publicId ?? document.$id))
  })

  const update = {
    ...ofDocument,
    method: 'PATCH',
    scope: 'documents.write',
    limit: ['write', 'edit'],
    input: input((request) => request),
  } as const
  registerRoute(app, context, update, async (request, { me, reply }) => {
    const { collection, naming } = resolve(collectionRefOf(request))
    await limits.consume(request, reply, publicCollections.has(collection.name) ? 'edit' : 'write')
    const change = { given: parseUpdateBody(request), seenAt: clientTimestamp(request) }
    const id = documentIdOf(request)
    const key = await mapForbiddenToUnauthorized(() =>
      store.transact((tx) => applyDocumentUpdate(tx, me, collection, id, change)),
    )
    // The document is read after the commit, so that slow reading does not hold the row's lock.
    const document = await readOne({ db, config, me: me.id, naming }, { collection, key })
    return send(reply, 200, await capResponseSize(document, [document], me.publicId))
  })

  const remove = {
    ...ofDocument,
    method: 'DELETE',
    scope: 'documents.write',
    limit: 'write',
    status: 204,
    input: input((request) => ({
      ...resolve(collectionRefOf(request)),
      id: documentIdOf(request),
    })),
  } as const
  registerRoute(app, context, remove, ({ collection, id }, { me }) =>
    mapForbiddenToUnauthorized(() =>
      store.transact(async (tx) => {
        const request = collection.name === 'follows' && (await findOwnFollowRequest(tx.db, me, id))
        if (request) await withdrawFollowRequest(tx, me, request.asked_id)
        else await tx.remove(me.id, collection.name, id)
      }),
    ),
  )
}

/** Changes of these collections go to every member. */
const publicCollections = new Set<DocumentCollection['name']>(['users', 'posts', 'groups'])

function limitOf(
  collection: DocumentCollection,
  parsed: ParsedQueries,
  caller: DocumentQueryCaller,
): RateLimitClass {
  if (collection.name === 'users' && canOnlyMatchCallerProfile(parsed, caller)) return 'read'
  if (isSearch(collection, parsed)) return 'search'
  return collection.name === 'users' ? 'people' : 'read'
}

function documentIdOf({ params }: FastifyRequest): string {
  const { document } = params as { document: string }
  return isValidPublicId(document) ? document : throwFailure('document_not_found')
}

/**
 * Returns the caller's own follow request as a follow.
 * @throws Failure document_not_found
 */
async function findDocument(
  db: Kysely<DatabaseTables>,
  me: AuthenticatedMember,
  collection: DocumentCollection,
  id: string,
): Promise<DocumentReference> {
  const request = collection.name === 'follows' && (await findOwnFollowRequest(db, me, id))
  if (request) return { collection: requestedFollowCollection, key: request.id }
  const key = await createRowKeyFinder(collection.table)(db, me.id, id)
  if (collection.findFilter) {
    const { rows } = await sql`
      select from ${sql.table(collection.table)} t where t.id = ${key} and ${collection.findFilter(memberKeyParameter(me.id))}`.execute(
      db,
    )
    if (rows.length === 0) throwFailure('document_not_found')
  }
  return { collection, key }
}

async function readOne(
  reading: DocumentReadContext,
  { collection, key }: DocumentReference,
  selection?: AttributeSelection,
): Promise<SerializedDocument> {
  const [document] = await readDocumentsByDefinition(
    reading,
    collection,
    [key],
    singleDocumentRelatedCaps,
    selection,
  )
  return document ?? throwFailure('document_not_found')
}

/** Such as 104 for 1.4, which is the default. */
function formatOf({ headers }: FastifyRequest): number {
  const [, major, minor] = /^(\d{1,3})\.(\d{1,3})/.exec(String(headers['x-appwrite-response-format'])) ?? []
  return major === undefined ? 104 : Number(major) * 100 + Number(minor)
}

function clientTimestamp({ headers }: FastifyRequest): Date | null {
  const given = headers['x-appwrite-timestamp']
  const time = typeof given === 'string' ? new Date(given) : null
  return time && !Number.isNaN(time.getTime()) ? time : null
}

function readSelect(query: unknown): readonly string[] | null {
  const { filters, order, cursor, offset, select } = parseAppwriteQueries(extractQueryStrings(query))
  if (filters.length > 0 || order.length > 0 || cursor || offset > 0) {
    failInvalidQuery('Invalid query: a document takes select queries only')
  }
  return select
}

const send = (reply: FastifyReply, status: number, json: string) =>
  reply.status(status).header('content-type', 'application/json; charset=utf-8').send(json)
