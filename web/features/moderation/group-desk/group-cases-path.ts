import { screenPaths } from '#web/paths.ts'

/** Links to a group's review queue. Separate from the other links, which are in the first page. */
export const groupCasesPath = (groupId: string): string => `${screenPaths.group(groupId)}/reports`
