import type { ApiClient, ApiResponse, MemberClient } from '#api-client/member-client.ts'

export type AppwriteTestDocument = Record<string, unknown> & {
  $id: string
  $createdAt: string
  $updatedAt: string
}
export type AppwriteTestDocumentList = { total: number; documents: AppwriteTestDocument[] }
export type AppwriteErrorBody = { code: number; type: string; message: string; field?: string }

export type AppwriteDocumentsTestClient = {
  list(...queries: string[]): Promise<ApiResponse<AppwriteTestDocumentList & AppwriteErrorBody>>
  all(...queries: string[]): Promise<AppwriteTestDocument[]>
  get(id: string, ...queries: string[]): Promise<ApiResponse<AppwriteTestDocument & AppwriteErrorBody>>
  create(attributes: object, id?: string): Promise<ApiResponse<AppwriteTestDocument & AppwriteErrorBody>>
  made(attributes: object, id?: string): Promise<AppwriteTestDocument>
  patch(id: string, attributes: object): Promise<ApiResponse<AppwriteTestDocument & AppwriteErrorBody>>
  remove(id: string): Promise<ApiResponse<AppwriteErrorBody>>
}

export const appwriteDocumentsPath = (collection: string, database = 'main') =>
  `/v1/databases/${database}/collections/${collection}/documents`

/** Newer Appwrite clients use this path. */
export const appwriteRowsPath = (table: string, database = 'main') =>
  `/v1/tablesdb/${database}/tables/${table}/rows`

/** @param headers extra request headers, for example the client's response format */
export function createAppwriteDocumentsClient(
  person: ApiClient,
  collection: string,
  { database = 'main', headers = {} }: { database?: string; headers?: Record<string, string> } = {},
): AppwriteDocumentsTestClient {
  const path = appwriteDocumentsPath(collection, database)
  const one = (id: string) => `${path}/${encodeURIComponent(id)}`
  const list: AppwriteDocumentsTestClient['list'] = (...queries) =>
    person.request('GET', `${path}?${inUrl(queries)}`, undefined, headers)
  const create: AppwriteDocumentsTestClient['create'] = (data, documentId = 'unique()') =>
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

/** Uses the form of the SDKs. */
function inUrl(queries: readonly string[]): string {
  const url = new URLSearchParams()
  for (const [place, query] of queries.entries()) url.append(`queries[${place}]`, query)
  return url.toString()
}

function expecting<T>(status: number, answer: ApiResponse<T>): T {
  if (answer.status === status) return answer.body
  throw new Error(`The Appwrite API answered ${answer.status}: ${JSON.stringify(answer.body)}`)
}

export const documentIdsOf = (documents: readonly { $id: string }[]) =>
  documents.map((document) => document.$id)

export const formatRefusalText = ({ status, body }: ApiResponse<AppwriteErrorBody>) =>
  `${status} ${body.type}`

export const unauthorizedRefusalText = '401 user_unauthorized'
export const documentNotFoundRefusalText = '404 document_not_found'
export const invalidStructureRefusalText = '400 document_invalid_structure'
export const documentAlreadyExistsRefusalText = '409 document_already_exists'
export const invalidQueryRefusalText = '400 general_query_invalid'

/** A post requires these values in addition to its picture. */
export const postContentFixture = { caption: 'Una tarde juntas', location: 'Casa', tags: ['sol', 'mar'] }

export const buildAppwriteEqualQuery = (attribute: string, ...values: (string | MemberClient)[]) =>
  `equal("${attribute}", [${values.map((value) => `"${typeof value === 'string' ? value : value.id}"`).join(',')}])`
