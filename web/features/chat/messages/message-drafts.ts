/** Stores drafts per account and conversation in this browser, until sign-out. */
import { useMemo, useSyncExternalStore } from 'react'
import type { QuotedMessage } from './pending-message-store.ts'

export const messageDraftStorageKey = (account: string, conversationId: string) =>
  `juntas:draft:${account}:${conversationId}`

const listeners = new Set<() => void>()

/** Texts that the browser's storage had no room for; they last as long as the page. */
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

/** Restores unsent text; newly typed text follows on a new line. */
export function restoreMessageDraft(key: string, content: string): void {
  const typed = readMessageDraft(key)
  saveMessageDraft(key, typed ? `${content}\n${typed}` : content)
}

/** Removes only what `restoreMessageDraft` restored. */
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

/** Stores the draft's quoted message. */
export const saveQuoteDraft = (key: string, quote: QuotedMessage | undefined): void =>
  saveMessageDraft(quoteKey(key), quote ? JSON.stringify(quote) : '')

export function readQuoteDraft(key: string): QuotedMessage | undefined {
  return parseQuote(readMessageDraft(quoteKey(key)))
}

/** Removes the quote of a message that is no longer in the draft. */
export function removeQuoteDraft(key: string, quote: QuotedMessage | undefined): void {
  if (quote && readQuoteDraft(key)?.$id === quote.$id) saveQuoteDraft(key, undefined)
}

export function useQuoteDraft(key: string): QuotedMessage | undefined {
  const text = useMessageDraft(quoteKey(key))
  return useMemo(() => parseQuote(text), [text])
}

const parseQuote = (text: string): QuotedMessage | undefined => (text ? JSON.parse(text) : undefined)
