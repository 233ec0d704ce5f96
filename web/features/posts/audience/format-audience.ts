import type { RemovedMetadata } from '#contract/files.ts'
import type { Post } from '#contract/posts.ts'

/** '1 member', '1,200 members' */
export const formatCount = (count: number, one: string, more = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : more}`

/** What the author is told of having shared a post. A count that was not taken is left out. */
export function formatReceipt({ receipt, group }: Pick<Post, 'receipt' | 'group'>): string | null {
  if (!receipt) return null
  if (receipt.with === 'everyone') return 'Shared with everyone'
  const noun = receipt.with === 'group' ? 'member' : 'follower'
  const who = receipt.count === null ? `${noun}s` : formatCount(receipt.count, noun)
  return `Shared with ${who}${receipt.with === 'group' && group ? ` of ${group.name}` : ''}`
}

/** What is said of a photo once the server has it; nothing where nothing of place or camera was in it. */
export function formatRemovedFromPhoto(removed: readonly RemovedMetadata[]): string | null {
  if (removed.includes('place')) return 'Place and camera data removed from your photo'
  return removed.includes('camera') ? 'Camera data removed from your photo' : null
}

const names: Record<RemovedMetadata, string> = {
  place: 'its place',
  camera: 'camera data',
  time: 'its time',
  text: 'text',
  thumbnail: 'a small copy',
}

/** "Removed from its photo: its place, camera data" */
export const formatRemoved = (removed: readonly RemovedMetadata[]): string | null =>
  removed.length === 0 ? null : `Removed from its photo: ${removed.map((kind) => names[kind]).join(', ')}`
