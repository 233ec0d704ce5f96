import { expect, test } from 'vitest'
import { Failure } from '../errors.ts'
import { createServerLogger } from '../log.ts'
import type { LoggedChange } from '../store/change-log-reader.ts'
import { createChangeDispatcher } from './outbox-delivery.ts'

const change = (id: number, xid: bigint): LoggedChange =>
  ({
    id,
    xid,
    collection: 'posts',
    kind: 'update',
    rowId: id,
    publicId: `p${id}`,
    memberIds: [1],
  }) as LoggedChange

function dispatching(deliver = async (_: readonly LoggedChange[]) => {}) {
  const delivered: number[] = []
  const dispatcher = createChangeDispatcher(async (changes) => {
    await deliver(changes)
    delivered.push(...changes.map(({ id }) => id))
  }, createServerLogger('silent'))
  return { dispatcher, delivered }
}

test('a change at the transaction boundary is sent once, although the outbox returns the change again', async () => {
  const { dispatcher, delivered } = dispatching()
  await dispatcher.dispatch(change(1, 7n))
  await dispatcher.dispatch(change(2, 8n))
  // The next read of the outbox starts at transaction 8.
  dispatcher.forgetBefore(8n)
  expect(dispatcher.size).toBe(1)
  await dispatcher.dispatch(change(2, 8n))
  await dispatcher.dispatch(change(3, 8n))
  expect(delivered).toEqual([1, 2, 3])
})

test('a change that arrives from the commit and the outbox simultaneously is sent once', async () => {
  const { dispatcher, delivered } = dispatching()
  await Promise.all([dispatcher.dispatch(change(1, 7n)), dispatcher.dispatch(change(1, 7n))])
  expect(delivered).toEqual([1])
})

test('a change that a busy database could not deliver is sent when dispatched again', async () => {
  let busy = true
  const { dispatcher, delivered } = dispatching(async () => {
    if (busy) throw new Failure('general_service_unavailable')
  })
  await expect(dispatcher.dispatch(change(1, 7n))).rejects.toThrow()
  busy = false
  await dispatcher.dispatch(change(1, 7n))
  await dispatcher.dispatch(change(1, 7n))
  expect(delivered).toEqual([1])
})
