/** Writes a time in the dialect's form: UTC with milliseconds and an explicit offset. */
export const formatIsoTimestamp = (time: Date): string => time.toISOString().replace('Z', '+00:00')
