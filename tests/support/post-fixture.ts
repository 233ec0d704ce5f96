import type { Post } from '#contract/posts.ts'

/** Makes a post as the API answers it, for tests of screens. */
export const postFixture = (id: string, change: Partial<Post> = {}): Post => ({
  $id: id,
  $createdAt: '2026-11-21T10:00:00.000Z',
  $updatedAt: '2026-11-21T10:00:00.000Z',
  creator: { $id: 'bea', name: 'Bea', username: 'bea', imageUrl: '', imageId: null },
  caption: `Caption of ${id}`,
  location: 'Tonalá',
  tags: [],
  groupId: null,
  group: null,
  imageUrl: '',
  imageId: 'f1',
  image: { id: 'f1', url: '', width: 720, height: 900, thumbhash: '' },
  photos: [{ id: 'f1', url: '', width: 720, height: 900, thumbhash: '', alt: '' }],
  likeCount: 0,
  liked: false,
  saved: false,
  can: { edit: false, delete: false },
  ...change,
})
