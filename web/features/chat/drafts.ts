/** What is written and not sent, per member and conversation, kept in this browser until she logs out. */
import { useSyncExternalStore } from 'react'

export const draftKey = (account: string, conversationId: string) =>
  `juntas:draft:${account}:${conversationId}`

const listeners = new Set<() => void>()

export const draftOf = (key: string): string => localStorage.getItem(key) ?? ''

export function writeDraft(key: string, text: string): void {
  if (text) localStorage.setItem(key, text)
  else localStorage.removeItem(key)
  for (const listener of listeners) listener()
}

/** Puts back what could not be sent; what she has typed meanwhile follows on a new line (conflict C-18). */
export function restoreDraft(key: string, content: string): void {
  const typed = draftOf(key)
  writeDraft(key, typed ? `${content}\n${typed}` : content)
}

/** Takes out again what `restoreDraft` put there, and nothing that she typed. */
export function withdrawDraft(key: string, content: string): void {
  const text = draftOf(key)
  if (text === content) writeDraft(key, '')
  else if (text.startsWith(`${content}\n`)) writeDraft(key, text.slice(content.length + 1))
}

function onDraftChange(listener: () => void) {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}

export const useDraft = (key: string): string => useSyncExternalStore(onDraftChange, () => draftOf(key))
