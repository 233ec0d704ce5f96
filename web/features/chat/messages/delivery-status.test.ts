import { expect, test } from 'vitest'
import { deliveryStatusOf } from './delivery-status.ts'

test('CMSG-15 her own message that is not stored yet has a single check', () => {
  expect(deliveryStatusOf({ senderId: 'ana', readBy: [] }, 'ana')).toBe('Sent')
})

test('CMSG-16 stored it has a double check, and another one once bea has read it', () => {
  expect(deliveryStatusOf({ senderId: 'ana', readBy: ['ana'] }, 'ana')).toBe('Delivered')
  expect(deliveryStatusOf({ senderId: 'ana', readBy: ['ana', 'bea'] }, 'ana')).toBe('Read')
})

test('CMSG-17 the messages of others have none', () => {
  expect(deliveryStatusOf({ senderId: 'bea', readBy: ['bea', 'ana'] }, 'ana')).toBeNull()
})
