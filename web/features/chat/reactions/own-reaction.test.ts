import { expect, test } from 'vitest'
import { findOwnReaction, withOwnReaction } from './own-reaction.ts'

test("REACT-02 a member's new reaction replaces her previous one, and removing it leaves none", () => {
  const first = withOwnReaction([], 'ana', '❤️')
  expect(first).toEqual([{ emoji: '❤️', by: ['ana'] }])
  const both = withOwnReaction(first, 'bea', '❤️')
  expect(both).toEqual([{ emoji: '❤️', by: ['ana', 'bea'] }])
  expect(withOwnReaction(both, 'bea', '❤️')).toEqual(both)
  const changed = withOwnReaction(both, 'ana', '🙏')
  expect(changed).toEqual([
    { emoji: '❤️', by: ['bea'] },
    { emoji: '🙏', by: ['ana'] },
  ])
  expect(withOwnReaction(changed, 'bea', null)).toEqual([{ emoji: '🙏', by: ['ana'] }])
  expect([findOwnReaction(changed, 'ana'), findOwnReaction(changed, 'cleo')]).toEqual(['🙏', null])
})
