import { expect, test } from 'vitest'
import { reactionEmojis } from '#contract/chat/messages.ts'
import { findOwnReaction, reactionNames, withOwnReaction } from './own-reaction.ts'

test('REACT-01 each of the six has its name', () => {
  expect(reactionEmojis.map((emoji) => reactionNames[emoji])).toEqual([
    'Love',
    'Laugh',
    'Wow',
    'Sad',
    'Applause',
    'Thank you',
  ])
})

test('REACT-02 a reaction takes the place of the one before, and goes', () => {
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
