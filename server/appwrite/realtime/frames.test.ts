import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatRealtimeEventFrame, parseRealtimeClientMessage } from './frames.ts'

const read = (message: unknown) => parseRealtimeClientMessage(JSON.stringify(message))

test('client frames are parsed', () => {
  expect(read({ type: 'ping' })).toEqual({ type: 'ping' })
  expect(read({ type: 'authentication', data: { session: 'x' } })).toEqual({
    type: 'authentication',
    data: { session: 'x' },
  })
  expect(read({ type: 'subscribe', data: [{ subscriptionId: 'a', channels: ['documents'] }] })).toEqual({
    type: 'subscribe',
    data: [{ subscriptionId: 'a', channels: ['documents'], queries: [] }],
  })
})

test.each([
  ['not JSON', 'Message format is not valid.'],
  ['[]', 'Message format is not valid.'],
  ['null', 'Message format is not valid.'],
  ['"ping"', 'Message format is not valid.'],
  ['{}', 'Message format is not valid.'],
  ['{"type":"sing"}', 'Message type is not valid.'],
  ['{"type":["ping"]}', 'Message type is not valid.'],
  ['{"type":"authentication"}', 'Payload is not valid.'],
  ['{"type":"authentication","data":{}}', 'Payload is not valid.'],
  ['{"type":"subscribe","data":{"channels":["documents"]}}', 'Payload is not valid.'],
  ['{"type":"subscribe","data":[{"subscriptionId":"","channels":[]}]}', 'Payload is not valid.'],
  ['{"type":"unsubscribe","data":[{}]}', 'Payload is not valid.'],
])('the frame %s is refused: %s', (text, sentence) => {
  expect(parseRealtimeClientMessage(text)).toBe(sentence)
})

test('D06 every text that a client sends is parsed or refused with a message', () => {
  const known = ['ping', 'authentication', 'subscribe', 'unsubscribe', 'presence']
  const types = fc.constantFrom(...known, '__proto__')
  const anything = fc.oneof(
    fc.string(),
    fc.json(),
    fc.record({ type: types, data: fc.anything() }).map((message) => {
      try {
        return JSON.stringify(message)
      } catch {
        return ''
      }
    }),
  )
  fc.assert(
    fc.property(anything, (text) => {
      const message = parseRealtimeClientMessage(text)
      return typeof message === 'string' ? message.endsWith('not valid.') : known.includes(message.type)
    }),
    { numRuns: 3000 },
  )
  expect(parseRealtimeClientMessage('['.repeat(60_000))).toBe('Message format is not valid.')
})

test('an event frame joins the shared part with the part of its receiver', () => {
  const shared = JSON.stringify({ events: ['e'], payload: { $id: 'm1' } })
  const text = formatRealtimeEventFrame(shared, { position: 'p', subscriptions: ['s'] })
  expect(JSON.parse(text)).toEqual({
    type: 'event',
    data: { position: 'p', subscriptions: ['s'], events: ['e'], payload: { $id: 'm1' } },
  })
  expect(JSON.parse(formatRealtimeEventFrame(shared, {})).data).toEqual(JSON.parse(shared))
})
