import { deletePostDrafts } from '#web/features/posts/drafts/post-draft-database.ts'
import { clearMemberDataOnDevice } from '#web/service-worker/clear-member-data.ts'

export { restoreCachedHome, waitForServer } from './restore-cached-home.ts'

export function deleteOfflineData(keepsSharedPhoto: boolean): Promise<void> {
  deletePostDrafts()
  return clearMemberDataOnDevice({ keepsSharedPhoto })
}
