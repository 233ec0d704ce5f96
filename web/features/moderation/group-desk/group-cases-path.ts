import { screenPaths } from '#web/paths.ts'

/**
 * Returns the link to a group's review queue. This function is separate from the other links, because they load with
 * the first page.
 */
export const groupCasesPath = (groupId: string): string => `${screenPaths.group(groupId)}/reports`
