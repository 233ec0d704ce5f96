/** Holds the photos chosen for a message that is not sent yet, per account and conversation, for as long as the page. */
import { useSyncExternalStore } from 'react'
import { generateDocumentId } from '#web/api/ids.ts'

export type DraftPhoto = { key: string; file: File; alt: string }

const drafts = new Map<string, readonly DraftPhoto[]>()
const listeners = new Set<() => void>()
const none: readonly DraftPhoto[] = []

export const readDraftPhotos = (draft: string): readonly DraftPhoto[] => drafts.get(draft) ?? none

export function saveDraftPhotos(draft: string, photos: readonly DraftPhoto[]): void {
  if (photos.length > 0) drafts.set(draft, photos)
  else drafts.delete(draft)
  for (const listener of listeners) listener()
}

export const toDraftPhoto = (file: File): DraftPhoto => ({ key: generateDocumentId(), file, alt: '' })

function onChange(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useDraftPhotos = (draft: string): readonly DraftPhoto[] =>
  useSyncExternalStore(onChange, () => readDraftPhotos(draft))
