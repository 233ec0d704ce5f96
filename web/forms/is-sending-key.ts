import type { KeyboardEvent } from 'react'
import { isComposing } from './is-composing.ts'

/** Shift+Enter is a new line. On-screen keyboards have no Shift+Enter, so there Enter is a new line too. */
export function isSendingKey(event: KeyboardEvent): boolean {
  if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return false
  if (event.ctrlKey || event.metaKey) return true
  return !matchMedia('(hover: none) and (pointer: coarse)').matches
}
