import { screenPaths } from '#web/paths.ts'

/** Separate from the other links, which load with the first page. */
export const groupCasesPath = (groupId: string): string => `${screenPaths.group(groupId)}/reports`
