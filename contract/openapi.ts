import * as z from 'zod/mini'
import { commonErrorTypes, errorCatalogue } from './errors.ts'
import { apiOperations } from './index.ts'
import type { Operation } from './operation.ts'

/** Served at /v1/docs/openapi.json, without the Appwrite API, which has its own description. */
export function buildOpenApiDocument(): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const operation of apiOperations) {
    const path = `/v1${operation.path.replace(/:(\w+)/g, '{$1}')}`
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: openApiOperation(operation) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Juntas', version: '1', description: "The product's operations." },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: {
        Error: {
          type: 'object',
          required: ['message', 'code', 'type', 'version'],
          properties: {
            message: { type: 'string' },
            code: { type: 'integer' },
            type: { type: 'string', enum: Object.keys(errorCatalogue) },
            version: { type: 'string' },
            field: { type: 'string' },
          },
        },
      },
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'a_session_juntas' } },
    },
  }
}

export type JsonSchema = {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  minLength?: number
  maxLength?: number
}

export type OperationInputField = {
  name: string
  in: 'path' | 'query' | 'body'
  required: boolean
  schema: JsonSchema
}

export function listOperationInputFields({ input, path, method }: Operation): OperationInputField[] {
  const { properties = {}, required = [] } = schemaOf(input, 'input')
  const inPath = new Set([...path.matchAll(/:(\w+)/g)].map(([, part]) => part))
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: inPath.has(name) ? 'path' : method === 'GET' ? 'query' : 'body',
    required: inPath.has(name) || required.includes(name),
    schema,
  }))
}

export const getOperationOutputSchema = ({ output, status, responseBody }: Operation): JsonSchema | null =>
  status === 204 || responseBody !== 'json' ? null : schemaOf(output, 'output')

const schemaOf = (shape: Operation['input'], io: 'input' | 'output') =>
  z.toJSONSchema(shape, { io, unrepresentable: 'any' }) as JsonSchema

function openApiOperation(operation: Operation): object {
  const fields = listOperationInputFields(operation)
  const body = fields.filter((field) => field.in === 'body')
  return {
    operationId: operation.name,
    security: operation.who === 'visitor' ? [] : [{ session: [] }],
    parameters: fields.filter((field) => field.in !== 'body'),
    ...requestBody(operation, body),
    responses: {
      [operation.status]: success(operation),
      ...refusals(operation),
    },
  }
}

function requestBody(operation: Operation, body: readonly OperationInputField[]): object {
  const required = (type: string, schema: object) => ({
    requestBody: { required: true, content: { [type]: { schema } } },
  })
  if (operation.requestBody === 'multipart') return required('multipart/form-data', uploadSchema)
  return body.length > 0 ? required('application/json', bodySchema(body)) : {}
}

const uploadSchema = {
  type: 'object',
  properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
  required: ['file'],
}

const bodySchema = (fields: readonly OperationInputField[]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
  required: fields.filter(({ required }) => required).map(({ name }) => name),
})

function success(operation: Operation): object {
  const mediaType = { json: null, image: 'image/*', archive: 'application/zip' }[operation.responseBody]
  if (mediaType) return { description: 'Success', content: { [mediaType]: {} } }
  const schema = getOperationOutputSchema(operation)
  return schema
    ? { description: 'Success', content: { 'application/json': { schema } } }
    : { description: 'Done' }
}

/** Groups an operation's errors by status. */
function refusals(operation: Operation): Record<string, object> {
  const byStatus = Map.groupBy([...operation.errors, ...commonErrorTypes], (type) => errorCatalogue[type][0])
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([a], [b]) => a - b)
      .map(([status, types]) => [
        status,
        {
          description: types.join(', '),
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      ]),
  )
}
