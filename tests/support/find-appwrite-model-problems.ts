/** Compares responses with Appwrite 1.4's `published-spec.json`. Extra fields are allowed. */
import published from '../appwrite/published-spec.json' with { type: 'json' }

type Model = keyof typeof published.models
const models: Record<string, Readonly<Record<string, string>>> = published.models

/** Keys are method and path, for example `GET /account/sessions/{}`. */
export const publishedAppwriteOperations: Readonly<Record<string, { status: number; model?: string }>> =
  published.operations

/**
 * @param partly fields may be missing because the request selected some
 * @returns missing or mistyped fields
 */
export function findAppwriteModelProblems(model: Model, value: unknown, partly = false): string[] {
  const given = value as Record<string, unknown>
  return Object.entries(models[model] ?? {}).flatMap(([field, type]) => {
    const inside = given?.[field]
    if (inside === undefined && partly) return []
    if (!type.endsWith('[]')) return typeOf(inside) === type ? [] : [wrong(field, type, inside)]
    if (!Array.isArray(inside)) return [wrong(field, type, inside)]
    const each = type.slice(0, -2)
    if (isAppwriteModel(each)) return inside.flatMap((item) => findAppwriteModelProblems(each, item, partly))
    return inside.filter((item) => typeOf(item) !== each).map((item) => wrong(field, type, item))
  })
}

export const isAppwriteModel = (name: string): name is Model => Object.hasOwn(models, name)

const wrong = (field: string, type: string, value: unknown) =>
  `${field} should be ${type} but is ${typeOf(value)}`

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  if (Number.isInteger(value)) return 'integer'
  return value === null ? 'null' : typeof value
}
