/**
 * `/v1/databases/{database}/collections/{collection}/documents` as existing clients speak it (platform reference §7). A
 * façade: reads start from what the policy shows, writes run the store's own commands with their effects (reading D-03).
 * Order of checks: project, origin, role (401), collection (404), rate (429), parameters (400), the document (404), what
 * she may do with it (401).
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../errors.ts'
import { isId } from '../ids.ts'
import type { Parts } from '../parts.ts'
import { forMembers } from '../route-classes.ts'
import { memberOf } from '../session.ts'
import { bodyToChange, bodyToCreate } from './document-body.ts'
import { applyChange } from './document-changing.ts'
import {
  type CollectionIds,
  collectionIn,
  documentCollections,
  findCollection,
} from './document-collections.ts'
import { createDocument } from './document-creating.ts'
import { type DocumentCollection, findIn } from './document-fields.ts'
import { createProfile, seeksHerProfile } from './document-profile.ts'
import { capsInLists, capsOfOne, type Document, type Reading, readDocuments } from './document-reading.ts'
import { asThisDoorRefuses, guestsLack } from './document-refusals.ts'
import { type Selection, selectionOf } from './document-selection.ts'
import { fittingJson } from './document-size.ts'
import { refuseForeignGroups } from './foreign-groups.ts'
import { listKeys, searches } from './listing.ts'
import { readQueries } from './queries.ts'
import { callerOf } from './query-conditions.ts'
import { queryTexts, wantsTotal } from './query-parameters.ts'
import { badQuery } from './query-term.ts'

type InCollection = { Params: CollectionIds }
type OfDocument = { Params: CollectionIds & { document: string } }

const base = '/v1/databases/:database/collections/:collection/documents'

const reads = { config: forMembers }
const writes = { config: { ...forMembers, limit: ['write' as const] } }
/** Who is no member yet looks for her profile, and writes it (reading D-06). */
const lists = {
  config: {
    ...forMembers,
    who: 'account' as const,
    limit: ['read' as const, 'search' as const, 'people' as const],
  },
}
const creates = {
  config: {
    ...forMembers,
    who: 'visitor' as const,
    limit: Object.values<DocumentCollection>(documentCollections).flatMap(({ limit, counted }) =>
      counted ? [limit, counted.limit] : [limit],
    ),
  },
}

export function dialectDocuments(app: FastifyInstance, parts: Parts): void {
  const { config, database, limits, store } = parts
  const db = database.kysely

  app.get<InCollection>(base, lists, async (request, reply) => {
    const { caller, params, query } = request
    if (seeksHerProfile(caller, findCollection(config, params)?.collection.name)) {
      return send(reply, 200, JSON.stringify({ total: 0, documents: [] }))
    }
    const me = memberWith('documents.read', request)
    const { collection, naming } = collectionIn(config, params)
    const asked = readQueries(queryTexts(query))
    const list = collection.name === 'users' ? 'people' : 'read'
    await limits.count(request, reply, searches(asked) ? 'search' : list)
    const selection = selectionOf(collection, asked.select, formatOf(request))
    await asThisDoorRefuses(() => refuseForeignGroups(db, me.id, collection, asked))
    const her = callerOf(request, me)
    const { keys, total } = await listKeys(db, collection, asked, her, wantsTotal(query))
    const ownProfile = collection.name === 'users' && keys.length === 1 && keys[0] === me.id
    const caps = ownProfile ? capsOfOne : capsInLists
    const reading = { db, config, me: me.id, naming }
    const documents = await readDocuments(reading, collection.name, keys, caps, selection)
    return send(reply, 200, await fittingJson({ total, documents }, documents, me.publicId))
  })

  app.get<OfDocument>(`${base}/:document`, reads, async (request, reply) => {
    const me = memberWith('documents.read', request)
    const { collection, naming } = collectionIn(config, request.params)
    await limits.count(request, reply, 'read')
    const selection = selectionOf(collection, onlySelect(request.query), formatOf(request))
    const key = await findIn(collection.table)(db, me.id, idIn(request.params))
    const document = await readOne({ db, config, me: me.id, naming }, collection, key, selection)
    return send(reply, 200, await fittingJson(document, [document], me.publicId))
  })

  app.post<InCollection>(base, creates, async (request, reply) => {
    const { caller, params } = request
    // A profile is written by somebody who is no member yet (reading D-06).
    const isProfile = findCollection(config, params)?.collection.name === 'users'
    const me = isProfile ? null : memberWith('documents.write', request)
    const { collection, naming } = collectionIn(config, params)
    const document = await limits.counted(request, reply, collection.limit, async () => {
      const { id, given } = bodyToCreate(request)
      if (me) await collection.counted?.count({ database, limits, request, reply }, me, given)
      return asThisDoorRefuses(() =>
        store.transact(async (writing) => {
          const key = me
            ? await createDocument(writing, me, collection, id, given)
            : await createProfile(writing, caller?.account ?? null, id, given)
          return readOne({ db: writing.db, config, me: me?.id ?? key, naming }, collection, key)
        }),
      )
    })
    return send(reply, 201, await fittingJson(document, [document], me?.publicId ?? document.$id))
  })

  app.patch<OfDocument>(`${base}/:document`, writes, async (request, reply) => {
    const me = memberWith('documents.write', request)
    const { collection, naming } = collectionIn(config, request.params)
    await limits.count(request, reply, 'write')
    const change = { given: bodyToChange(request), seenAt: timeSeen(request) }
    const id = idIn(request.params)
    const key = await asThisDoorRefuses(() =>
      store.transact((writing) => applyChange(writing, me, collection, id, change)),
    )
    // After the commit: reading a document takes longer than changing it, and others wait for the row.
    const document = await readOne({ db, config, me: me.id, naming }, collection, key)
    return send(reply, 200, await fittingJson(document, [document], me.publicId))
  })

  app.delete<OfDocument>(`${base}/:document`, writes, async (request, reply) => {
    const me = memberWith('documents.write', request)
    const { collection } = collectionIn(config, request.params)
    await limits.count(request, reply, 'write')
    const id = idIn(request.params)
    await asThisDoorRefuses(() => store.transact((writing) => writing.remove(me.id, collection.name, id)))
    return reply.status(204).send()
  })
}

/** What is no id names no document. @throws Failure document_not_found */
const idIn = ({ document }: OfDocument['Params']): string =>
  isId(document) ? document : fail('document_not_found')

/** @throws Failure document_not_found */
async function readOne(
  reading: Reading,
  { name }: DocumentCollection,
  key: number,
  selection?: Selection,
): Promise<Document> {
  const [document] = await readDocuments(reading, name, [key], capsOfOne, selection)
  return document ?? fail('document_not_found')
}

/** @throws Failure general_unauthorized_scope, naming what a visitor lacks */
const memberWith = (scope: string, request: FastifyRequest) => guestsLack(scope, () => memberOf(request))

/** The generation of answers the client understands: 104 for 1.4, which a missing header means too. */
function formatOf({ headers }: FastifyRequest): number {
  const [, major, minor] = /^(\d{1,3})\.(\d{1,3})/.exec(String(headers['x-appwrite-response-format'])) ?? []
  return major === undefined ? 104 : Number(major) * 100 + Number(minor)
}

/** The time of the copy the client has, where it says so. */
function timeSeen({ headers }: FastifyRequest): Date | null {
  const given = headers['x-appwrite-timestamp']
  const time = typeof given === 'string' ? new Date(given) : null
  return time && !Number.isNaN(time.getTime()) ? time : null
}

/** One document is not filtered, ordered or paged. */
function onlySelect(query: unknown): readonly string[] | null {
  const { filters, order, cursor, offset, select } = readQueries(queryTexts(query))
  if (filters.length > 0 || order.length > 0 || cursor || offset > 0) {
    badQuery('Invalid query: a document takes select queries only')
  }
  return select
}

const send = (reply: FastifyReply, status: number, json: string) =>
  reply.status(status).header('content-type', 'application/json; charset=utf-8').send(json)
