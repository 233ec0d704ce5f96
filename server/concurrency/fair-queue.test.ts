import { expect, test } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

const [ana, bea, cleo] = [1, 2, 3]

test('bea and cleo are served after the first of five pictures that ana sends', () => {
  const queue = createFairQueue<string>({ total: 100, perCaller: 10 })
  for (let picture = 1; picture <= 5; picture += 1) queue.push(ana, `ana ${picture}`)
  queue.push(bea, 'bea 1')
  queue.push(cleo, 'cleo 1')
  const order = Array.from({ length: 8 }, () => queue.shift())
  expect(order).toEqual(['ana 1', 'bea 1', 'cleo 1', 'ana 2', 'ana 3', 'ana 4', 'ana 5', undefined])
})

test('one member cannot fill the queue, and several members together can', () => {
  const queue = createFairQueue<string>({ total: 3, perCaller: 2 })
  expect([queue.push(ana, '1'), queue.push(ana, '2'), queue.push(ana, '3')]).toEqual([true, true, false])
  expect([queue.push(bea, '1'), queue.push(cleo, '1')]).toEqual([true, false])
  queue.shift()
  expect(queue.push(cleo, '1')).toBe(true)
})

test('D07 a full queue evicts the newest item of the caller with most items for a caller with fewer items', () => {
  const queue = createFairQueue<string>({ total: 5, perCaller: 4 })
  for (const picture of ['ana 1', 'ana 2', 'ana 3']) queue.push(ana, picture)
  expect(queue.displace(bea)).toBeUndefined()
  queue.push(bea, 'bea 1')
  queue.push(bea, 'bea 2')
  expect([queue.push(cleo, 'cleo 1'), queue.displace(cleo), queue.push(cleo, 'cleo 1')]).toEqual([
    false,
    'ana 3',
    true,
  ])
  expect([queue.displace(ana), queue.displace(bea), queue.displace(cleo)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect([queue.size, queue.displace(4)]).toEqual([5, 'ana 2'])
  expect(Array.from({ length: 5 }, () => queue.shift())).toEqual([
    'ana 1',
    'bea 1',
    'cleo 1',
    'bea 2',
    undefined,
  ])
})

test('D07 removing an item frees its slot', () => {
  const queue = createFairQueue<string>({ total: 10, perCaller: 2 })
  queue.push(ana, '1')
  queue.push(ana, '2')
  expect([queue.remove(ana, '1'), queue.remove(ana, '1'), queue.remove(bea, '2')]).toEqual([
    true,
    false,
    false,
  ])
  expect([queue.size, queue.push(ana, '3')]).toEqual([1, true])
  expect([queue.shift(), queue.shift(), queue.shift()]).toEqual(['2', '3', undefined])
  expect(queue.remove(ana, '3')).toBe(false)
})

test("D07 bea's quick pictures come before ana's slow pictures, in any order of arrival", () => {
  const queue = createFairQueue<string>({ total: 100, perCaller: 10 })
  for (let picture = 1; picture <= 3; picture += 1) queue.push(ana, `ana ${picture}`)
  expect(queue.shift()).toBe('ana 1')
  for (let picture = 1; picture <= 4; picture += 1) queue.push(bea, `bea ${picture}`)
  queue.charge(ana, 6000)
  const order: (string | undefined)[] = []
  for (let turn = 0; turn < 6; turn += 1) {
    const item = queue.shift()
    order.push(item)
    if (item?.startsWith('bea')) queue.charge(bea, 300)
  }
  expect(order).toEqual(['bea 1', 'bea 2', 'bea 3', 'bea 4', 'ana 2', 'ana 3'])
})

test('D07 a caller who pauses gains no priority', () => {
  const queue = createFairQueue<string>({ total: 100, perCaller: 10 })
  for (let picture = 1; picture <= 2; picture += 1) {
    queue.push(ana, `ana ${picture}`)
    queue.shift()
    queue.charge(ana, 1000)
  }
  queue.push(ana, 'ana 3')
  expect(queue.shift()).toBe('ana 3')
  queue.charge(ana, 1000)
  for (let picture = 1; picture <= 6; picture += 1) queue.push(cleo, `cleo ${picture}`)
  queue.push(ana, 'ana 4')
  const order: (string | undefined)[] = []
  for (let turn = 0; turn < 5; turn += 1) {
    const item = queue.shift()
    order.push(item)
    queue.charge(item?.startsWith('ana') ? ana : cleo, 500)
  }
  expect(order).toEqual(['cleo 1', 'cleo 2', 'ana 4', 'cleo 3', 'cleo 4'])
})
