import { expect, test } from 'vitest'
import { reactionEmojis } from '#contract/chat/messages.ts'
import { reactionNames } from './reaction-names.ts'

test('REACT-01 each of the six reactions has its name', () => {
  expect(reactionEmojis.map((emoji) => reactionNames[emoji])).toEqual([
    'Love',
    'Laugh',
    'Wow',
    'Sad',
    'Applause',
    'Thank you',
  ])
})
