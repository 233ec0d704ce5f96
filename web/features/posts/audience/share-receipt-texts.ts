import type { RemovedMetadata } from '#contract/files/files.ts'
import { en } from '#contract/language.ts'
import type { Post } from '#contract/posts/posts.ts'
import { formatQuantity } from '#web/format-quantity.ts'

export function formatShareReceipt({ receipt, group }: Pick<Post, 'receipt' | 'group'>): string | null {
  if (!receipt) return null
  if (receipt.with === 'everyone') return en('Shared with everyone', 'Compartida con todas')
  const noun = receipt.with === 'group' ? en('member', 'integrante') : en('follower', 'seguidora')
  const who = receipt.count === null ? `${noun}s` : formatQuantity(receipt.count, noun)
  return en(
    `Shared with ${who}${receipt.with === 'group' && group ? ` of ${group.name}` : ''}`,
    `Compartida con ${who}${receipt.with === 'group' && group ? ` de ${group.name}` : ''}`,
  )
}

/** Null if the photo contained no location or camera data. */
export function formatRemovedFromPhoto(removed: readonly RemovedMetadata[]): string | null {
  if (removed.includes('place'))
    return en(
      'Place and camera data removed from your photo',
      'Quitamos de tu foto el lugar y los datos de la cámara',
    )
  return removed.includes('camera')
    ? en('Camera data removed from your photo', 'Quitamos de tu foto los datos de la cámara')
    : null
}

const names: Record<RemovedMetadata, string> = {
  place: en('its place', 'su lugar'),
  camera: en('camera data', 'datos de la cámara'),
  time: en('its time', 'su hora'),
  text: en('text', 'texto'),
  thumbnail: en('a small copy', 'una copia pequeña'),
}

export const formatRemovedMetadata = (removed: readonly RemovedMetadata[]): string | null =>
  removed.length === 0
    ? null
    : en(
        `Removed from its photo: ${removed.map((kind) => names[kind]).join(', ')}`,
        `Quitado de su foto: ${removed.map((kind) => names[kind]).join(', ')}`,
      )
