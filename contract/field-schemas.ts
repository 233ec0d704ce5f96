/** The fields that several operations and forms share, with the product's own sentences. */
import './default-validation-messages.ts'
import * as z from 'zod/mini'
import * as limits from './limits.ts'

/**
 * Marks that show nothing or turn the direction of what follows: a name made of them has no face, or wears another's.
 * The joiner and the emoji sign stay, for they make one emoji of several.
 */
const unseen = /(?![\u200D\uFE0F])\p{Default_Ignorable_Code_Point}|[\u2028\u2029\u2800]|\p{Cc}/gu
/** Also emoji that are newer than what reads this. */
const seen = /[\p{L}\p{N}\p{P}\p{S}\p{Extended_Pictographic}]/u
export const isVisibleText = (typed: string) => seen.test(typed.replace(unseen, ''))

/** No script puts so many marks on one letter; they climb over the lines around it. */
export const combiningMarksCheck = z.refine<string>(
  (typed) => !/\p{M}{17}/u.test(typed),
  'Demasiados signos en una letra.',
)

/**
 * Refuses what is far too long before any other check reads it: putting marks in order (Unicode normalisation) takes quadratic
 * time. Blanks around a text and marks that are put together leave room.
 */
export const coarseMaxLengthCheck = (max: number, error: string) =>
  z.maxLength(10 * max, { error, abort: true })

/** Trimmed before it is counted, by JavaScript's string length; what nobody can see is too short. */
const text = (min: number, max: number, tooShort: string, tooLong = `Maximum ${max} characters.`) =>
  z.string().check(
    coarseMaxLengthCheck(max, tooLong),
    z.trim(),
    z.minLength(min, tooShort),
    z.maxLength(max, tooLong),
    z.refine((typed) => typed.length < min || isVisibleText(typed), tooShort),
    combiningMarksCheck,
  )

/** One line that names somebody or something: without such marks, and with something left to see. */
const title = (min: number, max: number, tooShort: string, tooLong = `Maximum ${max} characters.`) =>
  z.string().check(
    coarseMaxLengthCheck(max, tooLong),
    z.overwrite((typed) => typed.replace(unseen, '').trim()),
    z.refine((text) => text.length >= min && isVisibleText(text), tooShort),
    z.maxLength(max, tooLong),
    combiningMarksCheck,
  )

/** Several lines that may be left out. */
const freeText = (max: number, tooLong: string) =>
  z
    .string()
    .check(coarseMaxLengthCheck(max, tooLong), z.trim(), z.maxLength(max, tooLong), combiningMarksCheck)

/** A public id: chosen by the client or 20 random characters. */
export const publicIdSchema = z
  .string()
  .check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,35}$/, 'Must be an id of at most 36 characters'))

const tooShortName = 'Name must be at least 2 characters.'
const tooLongUsername = 'Máximo 30 caracteres.'

export const personNameSchema = title(
  limits.personNameLengthLimits.min,
  limits.personNameLengthLimits.max,
  tooShortName,
)

/** Letters and digits of any script and `. _ -`; compared case-insensitively. */
export const usernameSchema = z
  .string()
  .check(
    coarseMaxLengthCheck(limits.usernameLengthLimits.max, tooLongUsername),
    z.trim(),
    z.normalize('NFKC'),
    z.minLength(limits.usernameLengthLimits.min, tooShortName),
    z.maxLength(limits.usernameLengthLimits.max, tooLongUsername),
    z.regex(
      /^(?!\p{M})(?=.*[\p{L}\p{Nd}])[\p{L}\p{M}\p{Nd}._-]*$/u,
      'Usa solo letras, números, punto, guion y guion bajo.',
    ),
    combiningMarksCheck,
  )

export const emailSchema = z
  .string()
  .check(
    z.trim(),
    z.toLowerCase(),
    z.maxLength(limits.maxEmailLength, 'Invalid email'),
    z.email('Invalid email'),
  )

/** Compared exactly as typed: never trimmed, never normalised. */
export const passwordSchema = z
  .string()
  .check(
    z.minLength(limits.passwordLengthLimits.min, 'Password must be at least 8 characters.'),
    z.maxLength(limits.passwordLengthLimits.max, 'Password must be at most 256 characters.'),
  )

export const bioSchema = freeText(limits.maxBioLength, `Maximum ${limits.maxBioLength} characters.`)

export const captionSchema = text(
  limits.captionLengthLimits.min,
  limits.captionLengthLimits.max,
  'Minimum 5 characters.',
  'Maximum 2,200 caracters',
)

export const locationSchema = text(
  limits.locationLengthLimits.min,
  limits.locationLengthLimits.max,
  'This field is required',
)

/** What a photo shows, for who does not see it. */
export const altTextSchema = freeText(
  limits.maxAltTextLength,
  `Maximum ${limits.maxAltTextLength} characters.`,
)

/** As many and such as the form would make of them: a client that splits an empty text sends one empty tag. */
export const tagsSchema = z
  .array(
    z
      .string()
      .check(
        z.maxLength(limits.maxTagLength, { error: 'A tag has at most 50 characters.', abort: true }),
        combiningMarksCheck,
      ),
  )
  .check(
    z.overwrite((given) => parseTags(given.join(','))),
    z.maxLength(limits.maxTagCount, 'At most 30 tags.'),
  )

export const groupNameSchema = title(
  limits.groupNameLengthLimits.min,
  limits.groupNameLengthLimits.max,
  'Group name is required',
  'Maximum 50 characters',
)

export const groupDescriptionSchema = freeText(limits.maxGroupDescriptionLength, 'Maximum 200 characters')

/** ISO-8601 in UTC with milliseconds. */
export const isoTimestampSchema = z.string()

/** A page size in a query string. */
export const pageSizeSchema = z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100))

/**
 * The acting person's id, kept in inputs because existing clients send it: optional, and when given it
 * must be the session's own.
 */
export const actorIdSchema = z.optional(z.string())

/** "sol y mar, playa" → ["solymar", "playa"]; what shows nothing is no tag. */
export function parseTags(typed: string): string[] {
  return typed
    .replace(unseen, '')
    .replace(/\s+/gu, '')
    .split(',')
    .map((tag) => tag.replace(/^#+/, ''))
    .filter(isVisibleText)
}
