/** What a device keeps of its member, with the code that no first page has: giving it back to read, and deleting it. */
import { deletePostDrafts } from '#web/features/posts/drafts/post-draft-database.ts'
import { clearMemberDataOnDevice } from '#web/service-worker/clear-member-data.ts'

export { restoreCachedHome } from './restore-cached-home.ts'

/** Deletes what was kept for reading without a connection, what waits to be sent, and drafts. */
export function deleteOfflineData(keepsSharedPhoto: boolean): Promise<void> {
  deletePostDrafts()
  return clearMemberDataOnDevice({ keepsSharedPhoto })
}
