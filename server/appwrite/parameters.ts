/** Query parameters as the dialect reads them (platform reference §2.3): doubled keys count once, empty means absent. */
import { fail } from '../errors.ts'

/** One query string, as Fastify parsed it. */
export type Query = Record<string, unknown>

export function textOf(query: Query, name: string): string | undefined {
  const given = query[name]
  const value = Array.isArray(given) ? given.at(-1) : given
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** @throws Failure 400 naming the parameter */
function invalid(name: string, text: string): never {
  return fail('general_argument_invalid', { message: `Invalid \`${name}\` param: ${text}`, field: name })
}

/** Made where it is needed: what it loads takes 10 ms of a start. */
const grouped = (value: number) => value.toLocaleString('en-US')

/** A whole number within a range, both ends included. */
export function integerOf(query: Query, name: string, min: number, max: number): number | undefined {
  const text = textOf(query, name)
  if (text === undefined) return undefined
  const value = /^-?\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  return invalid(name, `Value must be a valid range between ${grouped(min)} and ${grouped(max)}`)
}

export function fractionOf(query: Query, name: string, min: number, max: number): number | undefined {
  const text = textOf(query, name)
  if (text === undefined) return undefined
  const value = /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  return invalid(name, `Value must be a valid range between ${min} and ${max}`)
}

export function oneOf<T extends string>(query: Query, name: string, values: readonly T[]): T | undefined {
  const text = textOf(query, name)?.toLowerCase()
  if (text === undefined) return undefined
  const value = values.find((each) => each === text)
  return value ?? invalid(name, `Value must be one of (${values.join(', ')})`)
}

/** @throws Failure 400 also when it is missing */
export const requiredOneOf = <T extends string>(query: Query, name: string, values: readonly T[]): T =>
  oneOf(query, name, values) ?? missing(name)

/** Three or six hex digits. @returns six of them, in lower case */
export function colourOf(query: Query, name: string): string | undefined {
  const text = textOf(query, name)?.toLowerCase()
  if (text === undefined) return undefined
  if (/^[0-9a-f]{6}$/.test(text)) return text
  if (/^[0-9a-f]{3}$/.test(text)) return text.replace(/./g, '$&$&')
  return invalid(name, 'Value must be a valid Hex color code')
}

export function textUpTo(query: Query, name: string, max: number): string | undefined {
  const text = textOf(query, name)
  if (text === undefined || [...text].length <= max) return text
  return invalid(name, `Value must be a valid string and at least 1 chars and no longer than ${max} chars`)
}

/** @throws Failure 400 also when it is missing */
export const requiredTextUpTo = (query: Query, name: string, max: number): string =>
  textUpTo(query, name, max) ?? missing(name)

const missing = (name: string): never =>
  fail('general_argument_invalid', { message: `Param "${name}" is not optional.`, field: name })

const addressLength = 2048

/** An address of the web. @throws Failure 400 also when it is missing */
export function webAddressOf(query: Query, name: string): URL {
  const url = URL.parse(requiredTextUpTo(query, name, addressLength))
  if (url && /^https?:$/.test(url.protocol)) return url
  return invalid(name, 'Value must be a valid URL with http, https schemes')
}

/** As the dialect writes it: `true`, `1`, `false`, `0`. */
export function booleanOf(query: Query, name: string): boolean | undefined {
  const text = oneOf(query, name, ['true', 'false', '1', '0'])
  return text === undefined ? undefined : text === 'true' || text === '1'
}
