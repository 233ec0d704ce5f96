import { expect, test } from 'vitest'
import { makeMember } from '#tests/support/component/fixtures.ts'
import { isOwnedBySignedInMember, withBothIds } from './signed-in-member.ts'

const { $id: _, ...ana } = makeMember({ name: 'Ana', username: 'ana' })

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
