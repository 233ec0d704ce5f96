import { toSnakeCase } from './table-names.ts'

/** Absent fields stay absent, so that an update leaves them unchanged. */
export const mapFieldsToColumns = (content: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(content)
      .filter(([, value]) => value !== undefined)
      .map(([field, value]) => [toSnakeCase(field), value]),
  )
