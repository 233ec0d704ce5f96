/** Tests how texts are checked before they are read: their size, the blanks around them, the marks of their letters. */
import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { messageContentSchema } from './chat/messages.ts'
import * as fields from './field-schemas.ts'

/** As much as a request may carry, of marks that Unicode puts in order: each is compared with all before it. */
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
  'D05 D08 a %s of 240,000 marks is refused before it is read',
  (name) => {
    expect(schemas[name]?.safeParse(marks).error?.issues).toHaveLength(1)
  },
  5000,
)

test('D05 a text may be surrounded by blanks, and its marks written apart', () => {
  expect(fields.usernameSchema.parse(`${' '.repeat(100)}e\u0301va${' '.repeat(100)}`)).toBe('éva')
  expect(fields.captionSchema.parse(`${'\n'.repeat(5000)}una foto`)).toBe('una foto')
})
