import { type ReactNode, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Message } from '#contract/chat/messages.ts'
import { en } from '#contract/language.ts'
import { LazyPhotoViewer } from '#web/ui/photo-viewer/lazy-photo-viewer.tsx'
import type { ViewerPhoto } from '#web/ui/photo-viewer/progressive-photo.tsx'

export const getMessagePhotoLink = (id: string) => ({ search: `?photo=${encodeURIComponent(id)}` })

/** The photo's id is in the URL, so Back closes the viewer. */
export function useMessagePhotoViewer(
  messages: readonly Pick<Message, 'photos' | 'senderId'>[],
  nameOf: (senderId: string) => string,
): ReactNode {
  const navigate = useNavigate()
  const { key, search } = useLocation()
  const opened = useRef<{ id: string; photos: ViewerPhoto[] }>(undefined)
  const id = new URLSearchParams(search).get('photo')
  if (id === null) {
    opened.current = undefined
    return null
  }
  const photos = messages.flatMap(({ photos, senderId }) =>
    photos.map((photo) => ({
      ...photo,
      alt: photo.alt || en(`Photo by ${nameOf(senderId)}`, `Foto de ${nameOf(senderId)}`),
      description: photo.alt,
    })),
  )
  if (!photos.some((photo) => photo.id === id)) return null
  // New photos would shift the current one, so the list only changes when a photo is unsent.
  const left = new Set(photos.map((photo) => photo.id))
  if (opened.current?.id !== id || opened.current.photos.some((photo) => !left.has(photo.id)))
    opened.current = { id, photos }
  const shown = opened.current.photos
  return (
    <LazyPhotoViewer
      key={shown.length}
      photos={shown}
      start={shown.findIndex((photo) => photo.id === id)}
      // The first page in a tab has nothing to go back to.
      onClose={() => void (key === 'default' ? navigate({ search: '' }, { replace: true }) : navigate(-1))}
    />
  )
}
