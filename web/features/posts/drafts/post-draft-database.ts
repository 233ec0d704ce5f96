/** This is a module of its own, because sign-out only needs to delete. */

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

/** A form holds this lock while the draft is open. All tabs share it. */
export const postDraftLockName = (id: string): string => `post-draft ${id}`
