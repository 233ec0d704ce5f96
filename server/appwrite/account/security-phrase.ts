/** The words of a phrase that both the email and the requesting screen show. */
import { randomInt } from 'node:crypto'

const qualities = [
  'Amber',
  'Bold',
  'Calm',
  'Clever',
  'Early',
  'Gentle',
  'Golden',
  'Kind',
  'Lively',
  'Quiet',
  'Silver',
  'Sunny',
]
const things = [
  'Boat',
  'Cactus',
  'Cloud',
  'Garden',
  'Harbour',
  'Lantern',
  'Meadow',
  'Orchid',
  'Piano',
  'River',
  'Teapot',
  'Willow',
]

const one = (words: readonly string[]) => words[randomInt(words.length)] as string

export const generateSecurityPhrase = (): string => `${one(qualities)} ${one(things)}`
