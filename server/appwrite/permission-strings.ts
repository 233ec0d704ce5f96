/** Only the access policy decides about access, so permission strings are validated and then ignored. */
import { throwFailure } from '../errors.ts'

const id = '[A-Za-z0-9][A-Za-z0-9._-]{0,35}'
const role = `any|guests|users(?:/(?:un)?verified)?|user:${id}(?:/(?:un)?verified)?|team:${id}(?:/${id})?|member:${id}|label:[A-Za-z0-9]{1,36}`
const form = new RegExp(`^(?:read|update|delete|write)\\("(?:${role})"\\)$`)
const maxPermissions = 100

export function validatePermissionStrings(given: unknown): void {
  if (given === undefined || given === null) return
  const fine =
    Array.isArray(given) &&
    given.length <= maxPermissions &&
    given.every((permission) => typeof permission === 'string' && form.test(permission))
  if (fine) return
  throwFailure('general_argument_invalid', {
    message: `Invalid \`permissions\` param: Value must be a list of at most ${maxPermissions} permissions such as read("any")`,
    field: 'permissions',
  })
}

/** The permissions of others would reveal who sees the document. */
export function formatOwnPermissionStrings(
  accountId: string,
  may: { update: boolean; delete: boolean },
): string[] {
  const kinds = ['read', ...(may.update ? ['update'] : []), ...(may.delete ? ['delete'] : [])]
  return kinds.map((kind) => `${kind}("user:${accountId}")`)
}
