import { describe, expect, test } from 'vitest'
import type { Post } from '#contract/posts/posts.ts'
import { formatRemovedFromPhoto, formatRemovedMetadata, formatShareReceipt } from './share-receipt-texts.ts'

const group = { $id: 'g', name: 'Club de Cerámica' }
const receipt = (kind: 'everyone' | 'followers' | 'group', count: number | null): Post['receipt'] => ({
  with: kind,
  count,
  at: '2026-05-01T10:00:00.000Z',
  removed: [],
})

describe('texts about the audience', () => {
  test('AUD-07 the receipt says with whom a post was shared, and how many members if they were counted', () => {
    const said = (given: Post['receipt'], of: Post['group'] = null) =>
      formatShareReceipt({ receipt: given, group: of })
    expect(said(receipt('group', 22), group)).toBe('Shared with 22 members of Club de Cerámica')
    expect(said(receipt('group', 1), group)).toBe('Shared with 1 member of Club de Cerámica')
    expect(said(receipt('group', null), group)).toBe('Shared with members of Club de Cerámica')
    expect(said(receipt('followers', 3))).toBe('Shared with 3 followers')
    expect(said(receipt('followers', null))).toBe('Shared with followers')
    expect(said(receipt('everyone', null))).toBe('Shared with everyone')
    expect([said(null), said(undefined)]).toEqual([null, null])
  })

  test('AUD-08 the receipt names the data removed from a photo: place and camera, only camera, or neither', () => {
    expect(formatRemovedFromPhoto(['place', 'camera', 'time'])).toBe(
      'Place and camera data removed from your photo',
    )
    expect(formatRemovedFromPhoto(['camera', 'time'])).toBe('Camera data removed from your photo')
    expect(formatRemovedFromPhoto(['time', 'text'])).toBeNull()
    expect(formatRemovedFromPhoto([])).toBeNull()
    expect(formatRemovedMetadata(['place', 'camera'])).toBe('Removed from its photo: its place, camera data')
    expect(formatRemovedMetadata([])).toBeNull()
  })
})
