/** The drafts' database, separate from the store because sign-out only deletes it. */

export const postDraftDatabaseName = 'juntas-drafts'

/** Prevents a pending write from restoring drafts deleted after the form opened. */
let deleted = false
export const arePostDraftsDeleted = (): boolean => deleted
export const allowPostDrafts = (): void => {
  deleted = false
}

export function deletePostDrafts(): void {
  deleted = true
  indexedDB.deleteDatabase(postDraftDatabaseName)
}

/** A lock held by the form of an open draft, across tabs. */
export const postDraftLockName = (id: string): string => `post-draft ${id}`
