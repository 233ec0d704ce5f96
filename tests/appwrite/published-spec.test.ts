import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestWorld, type TestWorld } from '#tests/support/world.ts'
import {
  findAppwriteModelProblems,
  publishedAppwriteOperations,
} from '../support/find-appwrite-model-problems.ts'
import { findAppwriteResponseProblems } from '../support/find-appwrite-response-problems.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(() => w.end())

test('the server offers every published Appwrite call of account, databases, storage and avatars', async () => {
  const missing: string[] = []
  for (const call of Object.keys(publishedAppwriteOperations)) {
    const [method = '', path = ''] = call.split(' ')
    const { status, body } = await w.visitor.request<{ type?: string }>(
      method,
      `/v1${path.replaceAll('{}', 'x')}`,
    )
    if (status === 405 || body?.type === 'general_route_not_found') missing.push(call)
  }
  expect(missing).toEqual([])
  expect(Object.keys(publishedAppwriteOperations)).toHaveLength(51)
})

test('the check finds an answer with a missing field or a field of another type', () => {
  const file = {
    $id: 'x',
    bucketId: 'media',
    $createdAt: 'x',
    $updatedAt: 'x',
    $permissions: [1],
    name: 'x',
    signature: null,
    mimeType: '',
    sizeOriginal: 1.5,
    chunksTotal: 1,
  }
  expect(findAppwriteModelProblems('fileList', { total: 1, files: [file] })).toEqual([
    '$permissions should be string[] but is integer',
    'signature should be string but is null',
    'sizeOriginal should be integer but is number',
    'chunksUploaded should be integer but is undefined',
  ])
  expect(findAppwriteModelProblems('documentList', { total: 1, documents: { 0: file } })).toEqual([
    'documents should be document[] but is object',
  ])
})

test('the check compares a response with the published call of its URL, or with the older call if the URL moved', () => {
  const answer = { method: 'POST', url: '/v1/account/jwts?x=1', status: 201, body: { jwt: 'x' } }
  expect(findAppwriteResponseProblems(answer)).toEqual([])
  expect(findAppwriteResponseProblems({ ...answer, status: 200, body: { jwt: 1 } })).toEqual([
    'POST /account/jwt 200: 201 was published',
    'POST /account/jwt 200: jwt should be string but is integer',
  ])
  expect(
    findAppwriteResponseProblems({ ...answer, method: 'DELETE', url: '/v1/account/sessions/x', body: {} }),
  ).toEqual([
    'DELETE /account/sessions/{} 201: 204 was published',
    'DELETE /account/sessions/{} 201: it has a body',
  ])
  const refusal = { type: 'x', message: 'x', version: 'x', code: 404 }
  expect(findAppwriteResponseProblems({ ...answer, status: 404, body: refusal })).toEqual([])
  expect(findAppwriteResponseProblems({ ...answer, status: 401, body: refusal })).toEqual([
    'POST /account/jwt 401: its code says 404',
  ])
})
