/** Deferred code for reading and deleting stored member data. */
import { deletePostDrafts } from '#web/features/posts/drafts/post-draft-database.ts'
import { clearMemberDataOnDevice } from '#web/service-worker/clear-member-data.ts'

export { restoreCachedHome } from './restore-cached-home.ts'

/** Deletes offline content, unsent content and drafts. */
export function deleteOfflineData(keepsSharedPhoto: boolean): Promise<void> {
  deletePostDrafts()
  return clearMemberDataOnDevice({ keepsSharedPhoto })
}
