import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { apiOperations } from './index.ts'
import { buildOpenApiDocument } from './openapi.ts'

type Described = { paths: Record<string, Record<string, { operationId: string }>> }

test('the OpenAPI document is valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  // The validator would treat a property named `$id` as a schema id.
  const document = JSON.parse(JSON.stringify(buildOpenApiDocument()).replaceAll('"$id"', '"id"'))
  const { valid, errors } = await validator.validate(document)
  expect(errors ?? []).toEqual([])
  expect([valid, validator.version]).toEqual([true, '3.1'])
})

test('the OpenAPI document lists every API operation with its method and path, and no others', () => {
  const { paths } = buildOpenApiDocument() as Described
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { operationId }]) => `${operationId}: ${method.toUpperCase()} ${path}`,
    ),
  )
  const offered = apiOperations.map(
    ({ name, method, path }) => `${name}: ${method} /v1${path.replace(/:(\w+)/g, '{$1}')}`,
  )
  expect(described.toSorted()).toEqual(offered.toSorted())
})
