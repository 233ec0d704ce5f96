import { expect, test } from 'vitest'
import { deliveryStatusOf } from './delivery-status.ts'

test("CMSG-15 ana's message that is not stored yet shows a single check", () => {
  expect(deliveryStatusOf({ senderId: 'ana', readBy: [] }, 'ana')).toBe('Sent')
})

test("CMSG-16 ana's stored message shows a double check, and is marked as read once bea has read it", () => {
  expect(deliveryStatusOf({ senderId: 'ana', readBy: ['ana'] }, 'ana')).toBe('Delivered')
  expect(deliveryStatusOf({ senderId: 'ana', readBy: ['ana', 'bea'] }, 'ana')).toBe('Read')
})

test('CMSG-17 messages from others show no delivery status', () => {
  expect(deliveryStatusOf({ senderId: 'bea', readBy: ['bea', 'ana'] }, 'ana')).toBeNull()
})
