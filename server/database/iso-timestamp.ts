/** Writes milliseconds and an explicit offset, as the Appwrite API does. */
export const formatIsoTimestamp = (time: Date): string => time.toISOString().replace('Z', '+00:00')

export const formatIsoTimestampOrNull = (time: unknown): string | null =>
  time instanceof Date ? formatIsoTimestamp(time) : null
