import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { messageContentSchema } from './chat/messages.ts'
import * as fields from './field-schemas.ts'

/**
 * This text has more marks than a request can contain. Unicode normalisation compares each mark with all
 * marks before it.
 */
const marks = `a${'\u0301\u0327'.repeat(120_000)}`

const schemas: Record<string, z.ZodMiniType> = {
  name: fields.personNameSchema,
  username: fields.usernameSchema,
  bio: fields.bioSchema,
  caption: fields.captionSchema,
  location: fields.locationSchema,
  'group name': fields.groupNameSchema,
  'group description': fields.groupDescriptionSchema,
  message: messageContentSchema,
}

test.each(Object.keys(schemas))(
  'D05 D08 a %s with 240,000 combining marks is refused before normalisation',
  (name) => {
    expect(schemas[name]?.safeParse(marks).error?.issues).toHaveLength(1)
  },
  5000,
)

test('D05 surrounding spaces and decomposed characters in a text are accepted and normalised', () => {
  expect(fields.usernameSchema.parse(`${' '.repeat(100)}e\u0301va${' '.repeat(100)}`)).toBe('éva')
  expect(fields.captionSchema.parse(`${'\n'.repeat(5000)}una foto`)).toBe('una foto')
})
