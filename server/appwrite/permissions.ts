/**
 * Permissions in a body. Who may do what is decided by the policy alone, so they are checked for their form, as an old
 * client expects, and then ignored (security reference A21).
 */
import { fail } from '../errors.ts'

const id = '[A-Za-z0-9][A-Za-z0-9._-]{0,35}'
const role = `any|guests|users(?:/(?:un)?verified)?|user:${id}(?:/(?:un)?verified)?|team:${id}(?:/${id})?|member:${id}|label:[A-Za-z0-9]{1,36}`
const form = new RegExp(`^(?:read|update|delete|write)\\("(?:${role})"\\)$`)
const most = 100

/** @throws Failure general_argument_invalid */
export function checkPermissions(given: unknown): void {
  if (given === undefined || given === null) return
  const fine =
    Array.isArray(given) &&
    given.length <= most &&
    given.every((permission) => typeof permission === 'string' && form.test(permission))
  if (fine) return
  fail('general_argument_invalid', {
    message: `Invalid \`permissions\` param: Value must be a list of at most ${most} permissions such as read("any")`,
    field: 'permissions',
  })
}
