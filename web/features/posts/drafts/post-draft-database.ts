/** The database of drafts: its name, and its end. Apart from the store, because whoever signs out needs nothing else of it. */

export const postDraftDatabaseName = 'juntas-drafts'

/** Whether drafts were deleted since a form was opened last: what is still to be written of that form must not bring them back. */
let deleted = false
export const arePostDraftsDeleted = (): boolean => deleted
export const allowPostDrafts = (): void => {
  deleted = false
}

/** Deletes every draft on this device. */
export function deletePostDrafts(): void {
  deleted = true
  indexedDB.deleteDatabase(postDraftDatabaseName)
}

/** The lock that a form holds while its draft is open in it, in whichever tab. */
export const postDraftLockName = (id: string): string => `post-draft ${id}`
