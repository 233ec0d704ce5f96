/** Names columns after the contract's fields: `imageId` → `image_id`. */
import { toSnakeCase } from './table-names.ts'

/** Maps an input's fields to columns by their names. Absent ones are left out, so that an update leaves them as they are. */
export const mapFieldsToColumns = (content: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(content)
      .filter(([, value]) => value !== undefined)
      .map(([field, value]) => [toSnakeCase(field), value]),
  )
