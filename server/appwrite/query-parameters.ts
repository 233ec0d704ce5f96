/** Works as in Appwrite: only one value of a key counts, and an empty one counts as absent. */
import { throwFailure } from '../errors.ts'

export type QueryStringParameters = Record<string, unknown>

export function readTextParameter(query: QueryStringParameters, name: string): string | undefined {
  const given = query[name]
  const value = Array.isArray(given) ? given.at(-1) : given
  return typeof value === 'string' && value !== '' ? value : undefined
}

function invalid(name: string, text: string): never {
  return throwFailure('general_argument_invalid', {
    message: `Invalid \`${name}\` param: ${text}`,
    field: name,
  })
}

/** The formatter takes 10 ms to create. */
const grouped = (value: number) => value.toLocaleString('en-US')

export function readIntegerParameter(
  query: QueryStringParameters,
  name: string,
  min: number,
  max: number,
): number | undefined {
  const text = readTextParameter(query, name)
  if (text === undefined) return undefined
  const value = /^-?\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  return invalid(name, `Value must be a valid range between ${grouped(min)} and ${grouped(max)}`)
}

export function readFractionParameter(
  query: QueryStringParameters,
  name: string,
  min: number,
  max: number,
): number | undefined {
  const text = readTextParameter(query, name)
  if (text === undefined) return undefined
  const value = /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  return invalid(name, `Value must be a valid range between ${min} and ${max}`)
}

export function readEnumParameter<T extends string>(
  query: QueryStringParameters,
  name: string,
  values: readonly T[],
): T | undefined {
  const text = readTextParameter(query, name)?.toLowerCase()
  if (text === undefined) return undefined
  const value = values.find((each) => each === text)
  return value ?? invalid(name, `Value must be one of (${values.join(', ')})`)
}

export const readRequiredEnumParameter = <T extends string>(
  query: QueryStringParameters,
  name: string,
  values: readonly T[],
): T => readEnumParameter(query, name, values) ?? missing(name)

/** Three or six hex digits become six in lower case. */
export function readHexColorParameter(query: QueryStringParameters, name: string): string | undefined {
  const text = readTextParameter(query, name)?.toLowerCase()
  if (text === undefined) return undefined
  if (/^[0-9a-f]{6}$/.test(text)) return text
  if (/^[0-9a-f]{3}$/.test(text)) return text.replace(/./g, '$&$&')
  return invalid(name, 'Value must be a valid Hex color code')
}

export function readLimitedTextParameter(
  query: QueryStringParameters,
  name: string,
  max: number,
): string | undefined {
  const text = readTextParameter(query, name)
  if (text === undefined || text.length <= max) return text
  return invalid(name, `Value must be a valid string and at least 1 chars and no longer than ${max} chars`)
}

export const readRequiredLimitedTextParameter = (
  query: QueryStringParameters,
  name: string,
  max: number,
): string => readLimitedTextParameter(query, name, max) ?? missing(name)

const missing = (name: string): never =>
  throwFailure('general_argument_invalid', { message: `Param "${name}" is not optional.`, field: name })

const addressLength = 2048

export function readRequiredUrlParameter(query: QueryStringParameters, name: string): URL {
  const url = URL.parse(readRequiredLimitedTextParameter(query, name, addressLength))
  if (url && /^https?:$/.test(url.protocol)) return url
  return invalid(name, 'Value must be a valid URL with http, https schemes')
}

export function readBooleanParameter(query: QueryStringParameters, name: string): boolean | undefined {
  const text = readEnumParameter(query, name, ['true', 'false', '1', '0'])
  return text === undefined ? undefined : text === 'true' || text === '1'
}
