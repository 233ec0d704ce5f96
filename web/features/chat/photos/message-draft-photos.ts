import { useSyncExternalStore } from 'react'
import { generateDocumentId } from '#web/api/ids.ts'

export type MessageDraftPhoto = { key: string; file: File; alt: string }

const drafts = new Map<string, readonly MessageDraftPhoto[]>()
const listeners = new Set<() => void>()
const none: readonly MessageDraftPhoto[] = []

export const readMessageDraftPhotos = (draft: string): readonly MessageDraftPhoto[] =>
  drafts.get(draft) ?? none

export function saveMessageDraftPhotos(draft: string, photos: readonly MessageDraftPhoto[]): void {
  if (photos.length > 0) drafts.set(draft, photos)
  else drafts.delete(draft)
  for (const listener of listeners) listener()
}

export const toMessageDraftPhoto = (file: File): MessageDraftPhoto => ({
  key: generateDocumentId(),
  file,
  alt: '',
})

function onChange(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useMessageDraftPhotos = (draft: string): readonly MessageDraftPhoto[] =>
  useSyncExternalStore(onChange, () => readMessageDraftPhotos(draft))
