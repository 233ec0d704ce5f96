import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { openPostDraftStore } from '#web/features/posts/drafts/post-draft-store.ts'
import { postDraftsQuery } from '#web/features/posts/drafts/queries.ts'
import { lazyPart } from '#web/navigation/lazy-part.tsx'
import { useOfflineHome } from './offline-home-state.ts'

const loadWaiting = () => import('#web/features/posts/outbox/waiting-posts.tsx')
const WaitingPostsNotice = lazyPart(async () => (await loadWaiting()).WaitingPostsNotice)

const loadGroups = () => import('./groups-offline-notice.tsx')
const GroupsOfflineNotice = lazyPart(async () => (await loadGroups()).GroupsOfflineNotice)

export function OfflineHomeNotices() {
  const { id: me } = useSignedInMember()
  const offline = useOfflineHome()
  const store = useMemo(() => openPostDraftStore(me), [me])
  const { data: drafts = [] } = useQuery(postDraftsQuery(store))
  return (
    <>
      {drafts.some(({ waiting }) => waiting) && <WaitingPostsNotice drafts={drafts} />}
      {offline?.leavesOutGroups && <GroupsOfflineNotice />}
    </>
  )
}
