import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from 'react-router'
import { ApiError } from '#web/api.ts'
import { isMine } from '#web/features/account/me.ts'
import { useMe } from '#web/features/account/queries.ts'
import { ChatButton } from '#web/features/chat/chat-button.tsx'
import { PostGridSkeleton } from '#web/features/posts/post-grid.tsx'
import { paths } from '#web/paths.ts'
import { hasFailed } from '#web/query-state.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { Skeleton, SkeletonRegion } from '#web/ui/skeleton.tsx'
import { ProfileHead } from './profile-head.tsx'
import { LikedPosts, PersonPosts } from './profile-posts.tsx'
import { ProfileTabs } from './profile-tabs.tsx'
import { profileQuery } from './queries.ts'

const likedRoute = 'liked-posts'

/** A member: who she is, how many follow her, and her posts; for herself also what she liked (spec §2 Profile). */
export function ProfileScreen() {
  const { personId = '', '*': rest } = useParams()
  const me = useMe()
  const query = useQuery(profileQuery(personId))
  const mine = isMine(me, personId)
  const liked = rest === likedRoute

  // Only the owner has the tab (conflict C-56).
  if (liked && !mine) return <Navigate to={paths.profile(personId)} replace />
  if (isNobody(query.error)) return <ProfileNotFound />
  if (!query.data) {
    return (
      <div className="mx-auto max-w-[1080px]">
        <PageTitle title="Profile" hidden />
        {hasFailed(query) ? (
          <div className="card">
            <ErrorState text="We couldn’t load this." onRetry={query.refetch} />
          </div>
        ) : (
          <SkeletonRegion>
            <div className="mb-8 flex items-center gap-6">
              <Skeleton className="size-22 flex-none rounded-full md:size-32" />
              <div className="flex-1 space-y-3">
                <Skeleton className="h-7 w-1/2" />
                <Skeleton className="h-4 w-1/3" />
              </div>
            </div>
            <PostGridSkeleton tiles={8} />
          </SkeletonRegion>
        )}
      </div>
    )
  }
  return (
    <div className="mx-auto max-w-[1080px]">
      <ProfileHead
        profile={query.data}
        mine={mine}
        actions={<ChatButton person={query.data} place="page" />}
      />
      {mine && <ProfileTabs personId={personId} />}
      <div className={mine ? 'mt-5' : 'mt-8'}>
        {liked ? <LikedPosts /> : <PersonPosts personId={personId} mine={mine} />}
      </div>
    </div>
  )
}

const isNobody = (error: unknown) =>
  error instanceof ApiError && (error.code === 404 || error.field === 'personId')

function ProfileNotFound() {
  return (
    <div className="card mx-auto max-w-[1080px]">
      <PageTitle title="Profile not found" hidden />
      <EmptyState title="Profile not found">
        <ButtonLink to={paths.people()} kind="outline">
          See everyone
        </ButtonLink>
      </EmptyState>
    </div>
  )
}
