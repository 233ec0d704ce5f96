/** Says in a line what a message without words is, as the server does in the list of conversations. */
import { en } from '#contract/language.ts'

export const photoCountLabel = (count: number): string =>
  count === 1 ? en('Photo', 'Foto') : en(`${count} photos`, `${count} fotos`)

/** Returns a message's words, or what stands for them in a line. */
export const messagePreviewText = ({
  content,
  photos,
}: {
  content: string
  photos: readonly unknown[]
}): string => content || (photos.length > 0 ? photoCountLabel(photos.length) : en('Post', 'Publicación'))
