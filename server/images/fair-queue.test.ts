import { expect, test } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

const [ana, bea, cleo] = [1, 2, 3]

test('ana sends five pictures; bea and cleo get their turns after her first', () => {
  const queue = createFairQueue<string>({ total: 100, perMember: 10 })
  for (let picture = 1; picture <= 5; picture += 1) queue.push(ana, `ana ${picture}`)
  queue.push(bea, 'bea 1')
  queue.push(cleo, 'cleo 1')
  const order = Array.from({ length: 8 }, () => queue.shift())
  expect(order).toEqual(['ana 1', 'bea 1', 'cleo 1', 'ana 2', 'ana 3', 'ana 4', 'ana 5', undefined])
})

test('ana cannot fill the queue alone, and all together can', () => {
  const queue = createFairQueue<string>({ total: 3, perMember: 2 })
  expect([queue.push(ana, '1'), queue.push(ana, '2'), queue.push(ana, '3')]).toEqual([true, true, false])
  expect([queue.push(bea, '1'), queue.push(cleo, '1')]).toEqual([true, false])
  queue.shift()
  expect(queue.push(cleo, '1')).toBe(true)
})

test('D07 what ana takes back is not in the queue any more, and leaves its room', () => {
  const queue = createFairQueue<string>({ total: 10, perMember: 2 })
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
