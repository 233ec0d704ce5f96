/** Writes a time in the dialect's form: UTC with milliseconds and an explicit offset. */
export const formatIsoTimestamp = (time: Date): string => time.toISOString().replace('Z', '+00:00')

/** The same of a time that the database may not have. */
export const formatIsoTimestampOrNull = (time: unknown): string | null =>
  time instanceof Date ? formatIsoTimestamp(time) : null
