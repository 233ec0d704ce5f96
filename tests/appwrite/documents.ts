/** The document door by hand: what a client sends, and what comes back. */
import type { Answer, Asking, Person } from '../person.ts'

export type Doc = Record<string, unknown> & { $id: string; $createdAt: string; $updatedAt: string }
export type List = { total: number; documents: Doc[] }
export type Refused = { code: number; type: string; message: string; field?: string }

export type Documents = {
  list(...queries: string[]): Promise<Answer<List & Refused>>
  /** What `list` holds. @throws when it is refused */
  all(...queries: string[]): Promise<Doc[]>
  get(id: string, ...queries: string[]): Promise<Answer<Doc & Refused>>
  create(attributes: object, id?: string): Promise<Answer<Doc & Refused>>
  /** The document created. @throws when it is refused */
  made(attributes: object, id?: string): Promise<Doc>
  patch(id: string, attributes: object): Promise<Answer<Doc & Refused>>
  remove(id: string): Promise<Answer<Refused>>
}

export const pathOf = (collection: string, database = 'main') =>
  `/v1/databases/${database}/collections/${collection}/documents`

/** @param headers such as the generation of answers the client understands */
export function documentsOf(
  person: Asking,
  collection: string,
  { database = 'main', headers = {} }: { database?: string; headers?: Record<string, string> } = {},
): Documents {
  const path = pathOf(collection, database)
  const one = (id: string) => `${path}/${encodeURIComponent(id)}`
  const list: Documents['list'] = (...queries) =>
    person.request('GET', `${path}?${inUrl(queries)}`, undefined, headers)
  const create: Documents['create'] = (data, documentId = 'unique()') =>
    person.request('POST', path, { documentId, data }, headers)
  return {
    list,
    create,
    all: async (...queries) => expecting(200, await list(...queries)).documents,
    made: async (attributes, id) => expecting(201, await create(attributes, id)),
    get: (id, ...queries) => person.request('GET', `${one(id)}?${inUrl(queries)}`, undefined, headers),
    patch: (id, data) => person.request('PATCH', one(id), { data }, headers),
    remove: (id) => person.request('DELETE', one(id), {}, headers),
  }
}

/** As the SDKs flatten a list into a URL. */
function inUrl(queries: readonly string[]): string {
  const url = new URLSearchParams()
  for (const [place, query] of queries.entries()) url.append(`queries[${place}]`, query)
  return url.toString()
}

function expecting<T>(status: number, answer: Answer<T>): T {
  if (answer.status === status) return answer.body
  throw new Error(`The door answered ${answer.status}: ${JSON.stringify(answer.body)}`)
}

export const idsOf = (documents: readonly { $id: string }[]) => documents.map((document) => document.$id)

/** What a refusal comes to. */
export const refusal = ({ status, body }: Answer<Refused>) => `${status} ${body.type}`

export const unauthorized = '401 user_unauthorized'
export const notFound = '404 document_not_found'
export const badStructure = '400 document_invalid_structure'
export const taken = '409 document_already_exists'
export const badQuery = '400 general_query_invalid'

/** What every post needs beside its picture. */
export const content = { caption: 'Una tarde juntas', location: 'Casa', tags: ['sol', 'mar'] }

export const equal = (attribute: string, ...values: (string | Person)[]) =>
  `equal("${attribute}", [${values.map((value) => `"${typeof value === 'string' ? value : value.id}"`).join(',')}])`
