/** Drafts are stored in this browser for each account and conversation. Signing out deletes them. */
import { useMemo, useSyncExternalStore } from 'react'
import type { QuotedMessage } from './message-outbox.ts'

export const messageDraftStorageKey = (account: string, conversationId: string) =>
  `juntas:draft:${account}:${conversationId}`

const listeners = new Set<() => void>()

/** Drafts that exceed the browser's storage last until the page closes. */
const unstored = new Map<string, string>()

export const readMessageDraft = (key: string): string => unstored.get(key) ?? localStorage.getItem(key) ?? ''

export function saveMessageDraft(key: string, text: string): void {
  unstored.delete(key)
  try {
    if (text) localStorage.setItem(key, text)
    else localStorage.removeItem(key)
  } catch {
    unstored.set(key, text)
  }
  for (const listener of listeners) listener()
}

/** Restores a failed message's text. Newer text follows on a new line. */
export function restoreMessageDraft(key: string, content: string): void {
  const typed = readMessageDraft(key)
  saveMessageDraft(key, typed ? `${content}\n${typed}` : content)
}

/** Newer text stays. */
export function removeRestoredMessageDraft(key: string, content: string): void {
  const text = readMessageDraft(key)
  if (text === content) saveMessageDraft(key, '')
  else if (text.startsWith(`${content}\n`)) saveMessageDraft(key, text.slice(content.length + 1))
}

function onDraftChange(listener: () => void) {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}

export const useMessageDraft = (key: string): string =>
  useSyncExternalStore(onDraftChange, () => readMessageDraft(key))

const quoteKey = (key: string) => `${key}:reply`

export const saveQuoteDraft = (key: string, quote: QuotedMessage | undefined): void =>
  saveMessageDraft(quoteKey(key), quote ? JSON.stringify(quote) : '')

export function readQuoteDraft(key: string): QuotedMessage | undefined {
  return parseQuote(readMessageDraft(quoteKey(key)))
}

export function removeQuoteDraft(key: string, quote: QuotedMessage | undefined): void {
  if (quote && readQuoteDraft(key)?.$id === quote.$id) saveQuoteDraft(key, undefined)
}

export function useQuoteDraft(key: string): QuotedMessage | undefined {
  const text = useMessageDraft(quoteKey(key))
  return useMemo(() => parseQuote(text), [text])
}

const parseQuote = (text: string): QuotedMessage | undefined => (text ? JSON.parse(text) : undefined)
