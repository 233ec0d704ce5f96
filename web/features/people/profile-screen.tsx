import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from 'react-router'
import { en } from '#contract/language.ts'
import type { Profile } from '#contract/people/people.ts'
import { ApiError } from '#web/api/client.ts'
import { isOwnedBySignedInMember, useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { ChatButton } from '#web/features/chat/chat-button.tsx'
import { FollowRequestsLink } from '#web/features/people/follow-requests/follow-requests-link.tsx'
import { RemoveFollowerButton } from '#web/features/people/privacy/remove-follower-button.tsx'
import { PostGridSkeleton } from '#web/features/posts/post-grid.tsx'
import { roleLinks } from '#web/layout/role-links.tsx'
import { useListDialogState } from '#web/navigation/use-list-dialog-state.ts'
import { likedPostsTab, screenPaths } from '#web/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { PeopleListDialog } from './people-list-dialog.tsx'
import { followersQuery, followingQuery } from './people-list-queries.ts'
import { PersonMenuButton } from './person-menu-button.tsx'
import { PrivateAccountNotice } from './private-account-labels.tsx'
import { ProfileHeader } from './profile-header.tsx'
import { ProfileLikedPostList, ProfilePostList } from './profile-post-lists.tsx'
import { ProfileTabs } from './profile-tabs.tsx'
import { profileQuery } from './queries.ts'

export function ProfileScreen() {
  const { personId = '', '*': rest } = useParams()
  const me = useSignedInMember()
  const query = useQuery(profileQuery(personId))
  const mine = isOwnedBySignedInMember(me, personId)
  const liked = rest === likedPostsTab

  // Only the owner has the tab with liked posts.
  if (liked && !mine) return <Navigate to={screenPaths.profile(personId)} replace />
  if (isNobody(query.error)) return <ProfileNotFound />
  return (
    <div className="mx-auto max-w-[1080px]">
      <QueryView
        query={query}
        title={en('Profile', 'Perfil')}
        skeleton={<ProfileSkeleton />}
        noticeClassName="mb-3.5"
      >
        {(profile) => (
          <>
            <ProfileHeader
              profile={profile}
              mine={mine}
              actions={
                <>
                  <ChatButton person={profile} place="page" />
                  {profile.can.block && (
                    <PersonMenuButton
                      person={profile}
                      leavesPage
                      className={cx(
                        'flex-none!',
                        profile.can.seePosts ? 'bg-brand-soft text-brand-text!' : 'bg-sunken',
                      )}
                    />
                  )}
                </>
              }
            />
            <Lists profile={profile} mine={mine} />
            {mine && (
              <div className="mt-4 max-md:px-1 empty:hidden">
                <FollowRequestsLink />
              </div>
            )}
            {mine && profile.$id === me.id && (
              <div className="mt-4 flex flex-wrap gap-2.5 px-1 empty:hidden md:hidden">
                {roleLinks
                  .filter(({ isFor }) => isFor(me))
                  .map(({ to, label, icon: Icon }) => (
                    <ButtonLink key={to} to={to} kind="outline">
                      <Icon aria-hidden size={18} strokeWidth={2} />
                      {label}
                    </ButtonLink>
                  ))}
              </div>
            )}
            {mine && <ProfileTabs personId={personId} />}
            <div className={mine ? 'mt-5' : 'mt-8'}>
              {liked && <ProfileLikedPostList />}
              {!liked && !profile.can.seePosts && <PrivateAccountNotice person={profile} />}
              {!liked && showsPosts(profile) && <ProfilePostList personId={personId} mine={mine} />}
            </div>
          </>
        )}
      </QueryView>
    </div>
  )
}

/** A private account may show its posts in groups that the viewer shares. */
const showsPosts = ({ can, postCount }: Profile) => can.seePosts || postCount > 0

function Lists({ profile, mine }: { profile: Profile; mine: boolean }) {
  const { $id: personId, name, can, listsFor } = profile
  const { list, close } = useListDialogState()
  const closed = can.seeLists
    ? undefined
    : listsFor === 'me'
      ? en(`Only ${name} can see this.`, `Solo ${name} puede ver esto.`)
      : en(`Only followers of ${name} can see this.`, `Solo quienes siguen a ${name} pueden ver esto.`)
  return (
    <>
      <PeopleListDialog
        title={en('Followers', 'Seguidoras')}
        query={followersQuery(personId)}
        empty={en('No followers yet', 'Todavía no la sigue nadie')}
        closed={closed}
        actions={mine ? (person) => <RemoveFollowerButton person={person} /> : undefined}
        open={list === 'followers'}
        onClose={close}
      />
      <PeopleListDialog
        title={en('Following', 'Siguiendo')}
        query={followingQuery(personId)}
        empty={en('Not following anyone yet', 'Todavía no sigue a nadie')}
        closed={closed}
        open={list === 'following'}
        onClose={close}
      />
    </>
  )
}

function ProfileSkeleton() {
  return (
    <>
      <div className="mb-8 flex items-center gap-6">
        <Skeleton className="size-22 flex-none rounded-full md:size-32" />
        <div className="flex-1 space-y-3">
          <Skeleton className="h-7 w-1/2" />
          <Skeleton className="h-4 w-1/3" />
        </div>
      </div>
      <PostGridSkeleton tiles={8} />
    </>
  )
}

const isNobody = (error: unknown) =>
  error instanceof ApiError && (error.code === 404 || error.field === 'personId')

function ProfileNotFound() {
  return (
    <div className="card mx-auto max-w-[1080px]">
      <PageTitle title={en('Profile not found', 'No encontramos ese perfil')} hidden />
      <EmptyState title={en('Profile not found', 'No encontramos ese perfil')}>
        <ButtonLink to={screenPaths.people()} kind="outline">
          {en('See everyone', 'Ver a todas')}
        </ButtonLink>
      </EmptyState>
    </div>
  )
}
