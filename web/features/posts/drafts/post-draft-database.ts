/**
 * The name of the drafts' database, and a function that deletes the database. This module is separate from the store,
 * because sign-out only needs to delete.
 */

export const postDraftDatabaseName = 'juntas-drafts'

/** Prevents a pending write from restoring drafts that were deleted after the form opened. */
let deleted = false
export const arePostDraftsDeleted = (): boolean => deleted
export const allowPostDrafts = (): void => {
  deleted = false
}

export function deletePostDrafts(): void {
  deleted = true
  indexedDB.deleteDatabase(postDraftDatabaseName)
}

/** The name of the lock that a form holds while it has the draft open. All tabs share the lock. */
export const postDraftLockName = (id: string): string => `post-draft ${id}`
