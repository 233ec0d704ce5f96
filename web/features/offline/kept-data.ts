/** What a device keeps of its member, with the code that no first page has: giving it back to read, and deleting it. */
import { deletePostDrafts } from '#web/features/posts/drafts/post-draft-database.ts'
import { forgetMember } from '#web/service-worker/forget-member.ts'

export { restoreKeptHome } from './restore-kept-home.ts'

/** Deletes what was kept for reading without a connection, what waits to be sent, and drafts. */
export function forgetKeptData(keepsSharedPhoto: boolean): Promise<void> {
  deletePostDrafts()
  return forgetMember({ keepsSharedPhoto })
}
