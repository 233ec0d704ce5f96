import { expect, test } from 'vitest'
import { isOwnedBySignedInMember, withBothIds } from './signed-in-member.ts'

const ana = {
  accountId: 'account-of-ana',
  name: 'Ana',
  username: 'ana',
  email: 'ana@juntas.test',
  imageUrl: '/v1/people/avatars/initials?name=Ana',
  imageId: null,
  bio: '',
  following: false,
  requested: false,
  isPrivate: false,
  listsFor: 'everyone' as const,
  followsMe: false,
  postCount: 0,
  followerCount: 0,
  followingCount: 0,
  can: { write: false, block: false, seePosts: true, seeLists: true },
  $createdAt: '2026-11-01T00:00:00.000Z',
}

test("AUTH-16 the member's id is read from id or $id", () => {
  expect(withBothIds({ ...ana, $id: 'ana' })).toMatchObject({
    id: 'ana',
    $id: 'ana',
    name: 'Ana',
    email: ana.email,
  })
  expect(withBothIds({ ...ana, id: 'ana' })).toMatchObject({
    id: 'ana',
    $id: 'ana',
    username: 'ana',
    bio: '',
  })
})

test("AUTH-16 rows that carry the signed-in member's id are hers", () => {
  const me = withBothIds({ ...ana, $id: 'ana' })
  expect(isOwnedBySignedInMember(me, 'ana')).toBe(true)
  expect(isOwnedBySignedInMember(me, 'bea')).toBe(false)
})
