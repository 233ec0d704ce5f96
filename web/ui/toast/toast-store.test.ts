import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dismissToast, getCurrentToasts, subscribeToToastChanges, toast } from './toast-store.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.runAllTimers()
  vi.useRealTimers()
})

test('TOAST-01 only the latest toast is kept', () => {
  toast({ title: 'Success', text: 'You are now following bea' })
  const second = toast({ title: 'Success', text: 'You are now following cleo' })
  expect(getCurrentToasts()).toEqual([
    { id: second, title: 'Success', text: 'You are now following cleo', kind: 'success', open: true },
  ])
  dismissToast(second)
})

test('TOAST-03 a dismissed toast closes immediately and is removed after 1,000,000 ms', () => {
  const id = toast({ title: 'Error', kind: 'destructive' })
  dismissToast(id)
  expect(getCurrentToasts()).toMatchObject([{ id, open: false }])
  vi.advanceTimersByTime(999_999)
  expect(getCurrentToasts()).toMatchObject([{ id, open: false }])
  vi.advanceTimersByTime(1)
  expect(getCurrentToasts()).toEqual([])
})

test('dismissing a toast twice, or after it was replaced, changes nothing', () => {
  const first = toast({ title: 'one' })
  dismissToast(first)
  const second = toast({ title: 'two' })
  const changed = vi.fn()
  const stop = subscribeToToastChanges(changed)
  dismissToast(first)
  expect(changed).not.toHaveBeenCalled()
  dismissToast(second)
  dismissToast(second)
  expect(changed).toHaveBeenCalledOnce()
  stop()
})
