import { screenPaths } from '#web/paths.ts'

/** Links to a group's desk, which the group's screen shows under its own address: what all links are made of is in the first page. */
export const groupCasesPath = (groupId: string): string => `${screenPaths.group(groupId)}/reports`
