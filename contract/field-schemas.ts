import './default-validation-messages.ts'
import * as z from 'zod/mini'
import { normalizeTypedCode } from './account/normalize-typed-code.ts'
import { passkeyNameLengthLimits } from './account/passkey-limits.ts'
import {
  houseRuleLimits,
  maxAnnouncementLength,
  maxApplicationAnswerLength,
  maxApplicationQuestionLength,
  maxCommunityContactLength,
  maxCommunityNameLength,
  maxDecisionSentenceLength,
} from './community/community-limits.ts'
import { en, es } from './language.ts'
import * as limits from './limits.ts'
import { maxTextLength, minTextLength } from './text-length.ts'

/**
 * These marks can imitate another name. The joiner and the emoji selector are allowed, because emoji need
 * them.
 */
const unseen = /(?![\u200D\uFE0F])\p{Default_Ignorable_Code_Point}|[\u2028\u2029\u2800]|\p{Cc}/gu
/** Includes emoji that are newer than this runtime. */
const seen = /[\p{L}\p{N}\p{P}\p{S}\p{Extended_Pictographic}]/u
export const isVisibleText = (typed: string) => seen.test(typed.replace(unseen, ''))

/** More than 16 marks would cover the lines around them. No script uses so many. */
export const combiningMarksCheck = z.refine<string>(
  (typed) => !/\p{M}{17}/u.test(typed),
  es('Demasiados signos en una letra.', 'Too many marks on one letter.'),
)

/**
 * This check must come first, because Unicode normalisation takes quadratic time. It leaves room for blanks
 * and composed marks.
 */
export const coarseMaxLengthCheck = (max: number, error: string) =>
  maxTextLength(10 * max, { error, abort: true })

/** A text is trimmed, then counted in UTF-16 units. Invisible text is too short. */
const text = (
  min: number,
  max: number,
  tooShort: string,
  tooLong = en(`Maximum ${max} characters.`, `Máximo ${max} caracteres.`),
) =>
  z.string().check(
    coarseMaxLengthCheck(max, tooLong),
    z.trim(),
    minTextLength(min, tooShort),
    maxTextLength(max, tooLong),
    z.refine((typed) => typed.length < min || isVisibleText(typed), tooShort),
    combiningMarksCheck,
  )

/** One line that names something. Needs visible characters; invisible marks are removed. */
const title = (
  min: number,
  max: number,
  tooShort: string,
  tooLong = en(`Maximum ${max} characters.`, `Máximo ${max} caracteres.`),
) =>
  z.string().check(
    coarseMaxLengthCheck(max, tooLong),
    z.overwrite((typed) => typed.replace(unseen, '').trim()),
    z.refine((text) => text.length >= min && isVisibleText(text), tooShort),
    maxTextLength(max, tooLong),
    combiningMarksCheck,
  )

const freeText = (max: number, tooLong: string) =>
  z
    .string()
    .check(coarseMaxLengthCheck(max, tooLong), z.trim(), maxTextLength(max, tooLong), combiningMarksCheck)

/** The client chooses the id, or the server generates one with 20 random characters. */
export const publicIdSchema = z
  .string()
  .check(
    z.regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,35}$/,
      en(
        'Must be an id of at most 36 characters',
        'Tiene que ser un identificador de 36 caracteres como mucho',
      ),
    ),
  )

const tooShortName = en('Name must be at least 2 characters.', 'El nombre necesita al menos 2 caracteres.')
const tooLongUsername = es('Máximo 30 caracteres.', 'Maximum 30 characters.')

export const personNameSchema = title(
  limits.personNameLengthLimits.min,
  limits.personNameLengthLimits.max,
  tooShortName,
)

export const passkeyNameSchema = title(
  passkeyNameLengthLimits.min,
  passkeyNameLengthLimits.max,
  en('Give it a name.', es('Ponle un nombre.', 'Give it a name.')),
)

/** `. _ -` and letters and digits of any script. Compared case-insensitively. */
export const usernameSchema = z
  .string()
  .check(
    coarseMaxLengthCheck(limits.usernameLengthLimits.max, tooLongUsername),
    z.trim(),
    z.normalize('NFKC'),
    minTextLength(limits.usernameLengthLimits.min, tooShortName),
    maxTextLength(limits.usernameLengthLimits.max, tooLongUsername),
    z.regex(
      /^(?!\p{M})(?=.*[\p{L}\p{Nd}])[\p{L}\p{M}\p{Nd}._-]*$/u,
      es(
        'Usa solo letras, números, punto, guion y guion bajo.',
        'Use only letters, numbers, dots, hyphens and underscores.',
      ),
    ),
    combiningMarksCheck,
  )

export const emailSchema = z
  .string()
  .check(
    z.trim(),
    z.toLowerCase(),
    maxTextLength(limits.maxEmailLength, en('Invalid email', 'Ese correo no es válido')),
    z.email(en('Invalid email', 'Ese correo no es válido')),
  )

/** Passwords are never trimmed or normalised. */
export const passwordSchema = z
  .string()
  .check(
    minTextLength(
      limits.passwordLengthLimits.min,
      en('Password must be at least 8 characters.', 'La contraseña necesita al menos 8 caracteres.'),
    ),
    maxTextLength(
      limits.passwordLengthLimits.max,
      en('Password must be at most 256 characters.', 'La contraseña puede tener 256 caracteres como mucho.'),
    ),
  )

const wrongCodeLength = es('Ese código no tiene la longitud correcta.', 'That code has the wrong length.')

/** The code is six digits or a recovery code, in any notation. */
export const secondStepCodeSchema = z
  .string()
  .check(
    coarseMaxLengthCheck(16, wrongCodeLength),
    z.overwrite(normalizeTypedCode),
    minTextLength(6, wrongCodeLength),
    maxTextLength(16, wrongCodeLength),
  )

export const bioSchema = freeText(
  limits.maxBioLength,
  en(`Maximum ${limits.maxBioLength} characters.`, `Máximo ${limits.maxBioLength} caracteres.`),
)

export const captionSchema = text(
  limits.captionLengthLimits.min,
  limits.captionLengthLimits.max,
  en('Minimum 5 characters.', 'Mínimo 5 caracteres.'),
  en('Maximum 2,200 caracters', 'Máximo 2.200 caracteres'),
)

export const locationSchema = text(
  limits.locationLengthLimits.min,
  limits.locationLengthLimits.max,
  en('This field is required', 'Este campo es obligatorio'),
)

export const altTextSchema = freeText(
  limits.maxAltTextLength,
  en(`Maximum ${limits.maxAltTextLength} characters.`, `Máximo ${limits.maxAltTextLength} caracteres.`),
)

/** Accepts one empty tag: a client that splits an empty text sends one. */
export const tagsSchema = z
  .array(
    z.string().check(
      maxTextLength(limits.maxTagLength, {
        error: en('A tag has at most 50 characters.', 'Una etiqueta tiene 50 caracteres como mucho.'),
        abort: true,
      }),
      combiningMarksCheck,
    ),
  )
  .check(
    z.overwrite((given) => parseTags(given.join(','))),
    z.maxLength(limits.maxTagCount, en('At most 30 tags.', '30 etiquetas como mucho.')),
  )

export const groupNameSchema = title(
  limits.groupNameLengthLimits.min,
  limits.groupNameLengthLimits.max,
  en('Group name is required', 'El grupo necesita un nombre'),
  en('Maximum 50 characters', 'Máximo 50 caracteres'),
)

export const groupDescriptionSchema = freeText(
  limits.maxGroupDescriptionLength,
  en('Maximum 200 characters', 'Máximo 200 caracteres'),
)

export const communityNameSchema = title(
  1,
  maxCommunityNameLength,
  es('Ponle un nombre.', 'Give it a name.'),
  es('Máximo 60 caracteres.', 'Maximum 60 characters.'),
)

export const announcementSchema = freeText(
  maxAnnouncementLength,
  en(`Maximum ${maxAnnouncementLength} characters.`, `Máximo ${maxAnnouncementLength} caracteres.`),
)

/** Empty rules are dropped. */
export const houseRulesSchema = z
  .array(freeText(houseRuleLimits.length, es('Máximo 300 caracteres.', 'Maximum 300 characters.')))
  .check(
    z.overwrite((rules) => rules.filter(isVisibleText)),
    z.maxLength(houseRuleLimits.count, es('Máximo 5 normas.', 'Maximum 5 rules.')),
  )

export const communityContactSchema = freeText(
  maxCommunityContactLength,
  es('Máximo 200 caracteres.', 'Maximum 200 characters.'),
)

export const applicationQuestionSchema = freeText(
  maxApplicationQuestionLength,
  es('Máximo 300 caracteres.', 'Maximum 300 characters.'),
)

export const applicationAnswerSchema = text(
  1,
  maxApplicationAnswerLength,
  es('Escribe una respuesta.', 'Write an answer.'),
  es('Máximo 1000 caracteres.', 'Maximum 1000 characters.'),
)

export const decisionSentenceSchema = freeText(
  maxDecisionSentenceLength,
  en('Maximum 300 characters.', 'Máximo 300 caracteres.'),
)

/** Timestamps are ISO 8601 in UTC with milliseconds. */
export const isoTimestampSchema = z.string()

export const echoedTimestampSchema = z
  .string()
  .check(maxTextLength(30), z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}/), z.refine(isDate))

export const pageSizeSchema = z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100))

/** Existing clients send the caller's id. If it is given, it must match the session. */
export const actorIdSchema = z.optional(z.string())

/** Turns "sol y mar, playa" into ["solymar", "playa"]. */
export function parseTags(typed: string): string[] {
  return typed
    .replace(unseen, '')
    .replace(/\s+/gu, '')
    .split(',')
    .map((tag) => tag.replace(/^#+/, ''))
    .filter(isVisibleText)
}

function isDate(text: string): boolean {
  return !Number.isNaN(Date.parse(text))
}

export const mentionSchema = z.object({ $id: publicIdSchema, username: z.string() })

export type Mention = z.infer<typeof mentionSchema>
