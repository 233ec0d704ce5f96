import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRealtimeSubscriptions, subscribeFromRealtimeUrl } from './subscriptions.ts'

const subscriptions = () => createRealtimeSubscriptions(() => 'a1')
const all = JSON.stringify({ method: 'select', values: ['*'] })

test('channels in the URL become a subscription without an id', () => {
  const mine = subscriptions()
  expect(
    subscribeFromRealtimeUrl(mine, new URLSearchParams('channels[]=x&channels[0]=y&channels=z')),
  ).toEqual({})
  expect(mine.channels()).toEqual(['x', 'y', 'z'])
  expect(mine.matching(['y'], {})).toEqual({ ids: [] })
  expect(mine.matching(['other'], {})).toBeNull()
})

test('each slot in the URL becomes a subscription with its own id and its own queries', () => {
  const mine = subscriptions()
  const onlyAna = JSON.stringify({ method: 'equal', attribute: 'senderId', values: ['ana'] })
  const query = new URLSearchParams([
    ['channels[]', 'x'],
    ['channels[]', 'y'],
    ['x[0][]', all],
    ['y[0][]', all],
    ['y[1][]', onlyAna],
  ])
  const slots = subscribeFromRealtimeUrl(mine, query)
  expect(Object.keys(slots)).toEqual(['0', '1'])
  expect(mine.matching(['y'], { senderId: 'ana' })).toEqual({ ids: [slots[0], slots[1]] })
  expect(mine.matching(['y'], { senderId: 'bea' })).toEqual({ ids: [slots[0]] })
})

test('a subscription replaces an earlier subscription with the same id, and can be removed once', () => {
  const mine = subscriptions()
  mine.add({ subscriptionId: 's', channels: ['x'], queries: [] })
  mine.add({ subscriptionId: 's', channels: ['y'], queries: [] })
  expect(mine.channels()).toEqual(['y'])
  expect(mine.remove('s')).toBe(true)
  expect(mine.remove('s')).toBe(false)
  expect(mine.wants(['y'])).toBe(false)
})

test("`account` subscribes to the caller's own account, and the channel of another account is ignored silently", () => {
  const mine = subscriptions()
  expect(mine.add({ channels: ['account', 'account.b2', 'documents'], queries: [] }).channels).toEqual([
    'account',
    'account.a1',
    'documents',
  ])
  expect(mine.wants(['account.b2'])).toBe(false)
  expect(
    createRealtimeSubscriptions(() => null).add({ channels: ['account'], queries: [] }).channels,
  ).toEqual(['account'])
})

test('more than fifty channels are too many, in one subscription or in all together', () => {
  const mine = subscriptions()
  for (let n = 0; n < 50; n += 1) mine.add({ channels: [`c${n}`], queries: [] })
  expect(mine.tooMany).toBe(false)
  mine.add({ channels: ['c50'], queries: [] })
  expect(mine.tooMany).toBe(true)
})

test('a URL of any content is parsed or refused as an invalid query', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), fc.string())), (pairs) => {
      try {
        subscribeFromRealtimeUrl(subscriptions(), new URLSearchParams(pairs))
      } catch (error) {
        expect((error as { type?: string }).type).toBe('general_query_invalid')
      }
    }),
  )
})
