/** The fields that several operations and forms share, with the product's own sentences (spec §5). */
import './messages.ts'
import * as z from 'zod/mini'
import * as limits from './limits.ts'

/**
 * Marks that show nothing or turn the direction of what follows: a name made of them has no face, or wears another's
 * (security reference §4.3). The joiner and the emoji sign stay, for they make one emoji of several.
 */
const unseen = /(?![\u200D\uFE0F])\p{Default_Ignorable_Code_Point}|[\u2028\u2029\u2800]|\p{Cc}/gu
/** Also emoji that are newer than what reads this. */
const seen = /[\p{L}\p{N}\p{P}\p{S}\p{Extended_Pictographic}]/u
export const shows = (typed: string) => seen.test(typed.replace(unseen, ''))

/** No script puts so many marks on one letter; they climb over the lines around it (security reference §4.3). */
export const level = z.refine<string>((typed) => !/\p{M}{17}/u.test(typed), 'Demasiados signos en una letra.')

/** Trimmed before it is counted, by JavaScript's string length (conflicts C-48, C-54); what nobody can see is too short. */
const text = (min: number, max: number, tooShort: string, tooLong = `Maximum ${max} characters.`) =>
  z.string().check(
    z.trim(),
    z.minLength(min, tooShort),
    z.maxLength(max, tooLong),
    z.refine((typed) => typed.length < min || shows(typed), tooShort),
    level,
  )

/** One line that names somebody or something: without such marks, and with something left to see. */
const title = (min: number, max: number, tooShort: string, tooLong = `Maximum ${max} characters.`) =>
  z.string().check(
    z.overwrite((typed) => typed.replace(unseen, '').trim()),
    z.refine((text) => text.length >= min && shows(text), tooShort),
    z.maxLength(max, tooLong),
    level,
  )

/** A public id: chosen by the client or 20 random characters (architecture §14.12). */
export const id = z
  .string()
  .check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,35}$/, 'Must be an id of at most 36 characters'))

const tooShortName = 'Name must be at least 2 characters.'

export const name = title(limits.nameLength.min, limits.nameLength.max, tooShortName)

/** Letters and digits of any script and `. _ -`; compared case-insensitively (reading R-15). */
export const username = z
  .string()
  .check(
    z.trim(),
    z.normalize('NFKC'),
    z.minLength(limits.usernameLength.min, tooShortName),
    z.maxLength(limits.usernameLength.max, 'Máximo 30 caracteres.'),
    z.regex(
      /^(?!\p{M})(?=.*[\p{L}\p{Nd}])[\p{L}\p{M}\p{Nd}._-]*$/u,
      'Usa solo letras, números, punto, guion y guion bajo.',
    ),
    level,
  )

export const email = z
  .string()
  .check(
    z.trim(),
    z.toLowerCase(),
    z.maxLength(limits.emailLength, 'Invalid email'),
    z.email('Invalid email'),
  )

/** Compared exactly as typed: never trimmed, never normalised. */
export const password = z
  .string()
  .check(
    z.minLength(limits.passwordLength.min, 'Password must be at least 8 characters.'),
    z.maxLength(limits.passwordLength.max, 'Password must be at most 256 characters.'),
  )

export const bio = z
  .string()
  .check(z.trim(), z.maxLength(limits.bioLength, `Maximum ${limits.bioLength} characters.`), level)

export const caption = text(
  limits.captionLength.min,
  limits.captionLength.max,
  'Minimum 5 characters.',
  'Maximum 2,200 caracters',
)

export const location = text(limits.locationLength.min, limits.locationLength.max, 'This field is required')

/** As many and such as the form would make of them: a client that splits an empty text sends one empty tag. */
export const tags = z
  .array(z.string().check(z.maxLength(limits.tagLength, 'A tag has at most 50 characters.'), level))
  .check(
    z.overwrite((given) => parseTags(given.join(','))),
    z.maxLength(limits.tagCount, 'At most 30 tags.'),
  )

export const groupName = title(
  limits.groupNameLength.min,
  limits.groupNameLength.max,
  'Group name is required',
  'Maximum 50 characters',
)

export const groupDescription = z
  .string()
  .check(z.trim(), z.maxLength(limits.groupDescriptionLength, 'Maximum 200 characters'), level)

/** ISO-8601 in UTC with milliseconds. */
export const instant = z.string()

/** A page size in a query string. */
export const pageSize = z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100))

/**
 * The acting person's id, kept in inputs because the spec's payloads carry it (reading R-13): optional, and when given it
 * must be the session's own.
 */
export const actor = z.optional(z.string())

/** "sol y mar, playa" → ["solymar", "playa"] (spec §5, conflict C-35); what shows nothing is no tag. */
export function parseTags(typed: string): string[] {
  return typed
    .replace(unseen, '')
    .replace(/\s+/gu, '')
    .split(',')
    .map((tag) => tag.replace(/^#+/, ''))
    .filter(shows)
}
