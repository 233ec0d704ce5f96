import { expect, test } from 'vitest'
import { isMine, toMe } from './me.ts'

const ana = {
  accountId: 'account-of-ana',
  name: 'Ana',
  username: 'ana',
  email: 'ana@juntas.test',
  imageUrl: '/v1/avatars/initials?name=Ana',
  imageId: null,
  bio: '',
  following: false,
  postCount: 0,
  followerCount: 0,
  followingCount: 0,
  $createdAt: '2026-11-01T00:00:00.000Z',
}

test('AUTH-16 the id of the member who asks is read as id or $id', () => {
  expect(toMe({ ...ana, $id: 'ana' })).toMatchObject({ id: 'ana', $id: 'ana', name: 'Ana', email: ana.email })
  expect(toMe({ ...ana, id: 'ana' })).toMatchObject({ id: 'ana', $id: 'ana', username: 'ana', bio: '' })
})

test('AUTH-16 what is mine carries my id', () => {
  const me = toMe({ ...ana, $id: 'ana' })
  expect(isMine(me, 'ana')).toBe(true)
  expect(isMine(me, 'bea')).toBe(false)
})
