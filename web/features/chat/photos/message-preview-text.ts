/** Must create the same previews as the server. */
import { en } from '#contract/language.ts'

export const photoCountLabel = (count: number): string =>
  count === 1 ? en('Photo', 'Foto') : en(`${count} photos`, `${count} fotos`)

export const messagePreviewText = ({
  content,
  photos,
}: {
  content: string
  photos: readonly unknown[]
}): string => content || (photos.length > 0 ? photoCountLabel(photos.length) : en('Post', 'Publicación'))
