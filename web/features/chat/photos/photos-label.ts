/** Says in a line what a message without words is, as the server does in the list of conversations. */
import { en } from '#contract/language.ts'

export const photosLabel = (count: number): string =>
  count === 1 ? en('Photo', 'Foto') : en(`${count} photos`, `${count} fotos`)

/** Returns a message's words, or what stands for them in a line. */
export const messageLine = ({ content, photos }: { content: string; photos: readonly unknown[] }): string =>
  content || (photos.length > 0 ? photosLabel(photos.length) : en('Post', 'Publicación'))
