import { expect, test } from 'vitest'
import { createGroupOperation, listGroupPostsOperation } from '#contract/groups/groups.ts'
import { setupBrowserWithServer } from '#tests/support/browser-globals.ts'
import { callApiOperation } from '#web/api/client.ts'
import { decideJoinRequest, sendJoinRequest } from './mutations.ts'

const at = setupBrowserWithServer()

test('GRP-24 no join request is sent until the signed-in member is known', async () => {
  let asked = 0
  at.answer = (_, answer) => {
    asked += 1
    answer.writeHead(201, { 'content-type': 'application/json' }).end('{}')
  }
  expect(await sendJoinRequest('tejer', '')).toBeUndefined()
  expect(asked).toBe(0)
  await sendJoinRequest('tejer', 'ana')
  expect(asked).toBe(1)
})

test("ERR-05 a refused create, join request, approval, rejection or post list rejects with the server's message", async () => {
  const message = 'Solo el admin del grupo puede aprobar solicitudes'
  at.answer = (_, answer) => {
    answer.writeHead(403, { 'content-type': 'application/json' })
    answer.end(JSON.stringify({ message, code: 403, type: 'group_approve_admin_required', version: '1' }))
  }
  for (const attempt of [
    () => callApiOperation(createGroupOperation, { name: 'Tejer', description: '' }),
    () => sendJoinRequest('tejer', 'ana'),
    () => decideJoinRequest('approve', 'r1', 'ana'),
    () => decideJoinRequest('reject', 'r1', 'ana'),
    () => callApiOperation(listGroupPostsOperation, { groupId: 'tejer' }),
  ]) {
    await expect(attempt()).rejects.toMatchObject({ message, code: 403 })
  }
})
