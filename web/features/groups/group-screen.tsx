import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useParams } from 'react-router'
import type { Group } from '#contract/groups.ts'
import { hasFailed } from '#web/query-state.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { Skeleton, SkeletonRegion } from '#web/ui/skeleton.tsx'
import { StaleBar } from '#web/ui/stale-bar.tsx'
import { belongs } from './cache.ts'
import { GroupActions } from './group-actions.tsx'
import { GroupHead } from './group-head.tsx'
import { GroupPosts, GroupPostsSkeleton } from './group-posts.tsx'
import { JoinButton } from './join-button.tsx'
import { GroupNotFound, Notice } from './notice.tsx'
import { groupQuery, isGone } from './queries.ts'
import { useLiveGroups } from './use-live-groups.ts'

/** A group: its posts for those who are in it, its summary and a way in for everybody else (spec §2 Group page). */
export function GroupScreen() {
  const { groupId = '' } = useParams()
  useLiveGroups()
  // What is remembered about the visit belongs to this group alone.
  return <GroupPage key={groupId} groupId={groupId} />
}

function GroupPage({ groupId }: { groupId: string }) {
  const query = useQuery(groupQuery(groupId))
  if (isGone(query.error)) return <GroupNotFound />
  if (query.data) {
    return (
      <div className="mx-auto max-w-[1080px] space-y-3.5 md:space-y-6">
        {query.isError && <StaleBar onRetry={query.refetch} />}
        <LoadedGroup group={query.data} />
      </div>
    )
  }
  if (hasFailed(query)) {
    return (
      <div className="card mx-auto max-w-[1080px]">
        <PageTitle title="Group" hidden />
        <ErrorState text="We couldn’t load this." onRetry={query.refetch} />
      </div>
    )
  }
  return (
    <div className="mx-auto max-w-[1080px]">
      <SkeletonRegion>
        <div className="card overflow-hidden rounded-card-small md:rounded-card">
          <Skeleton className="h-[168px] w-full md:h-[228px]" />
          <div className="space-y-3 px-[18px] pt-5 pb-[26px] md:px-7">
            <Skeleton className="h-7 w-1/3" />
            <Skeleton className="h-6 w-1/2" />
          </div>
        </div>
        <div className="mt-3.5 md:mt-6">
          <GroupPostsSkeleton />
        </div>
      </SkeletonRegion>
    </div>
  )
}

function LoadedGroup({ group }: { group: Group }) {
  const member = belongs(group.membership)
  const [wasMember, setWasMember] = useState(member)
  if (member && !wasMember) setWasMember(true)
  const nameId = useId()

  if (member) {
    return (
      <>
        <GroupHead group={group}>
          <GroupActions group={group} />
        </GroupHead>
        <GroupPosts group={group} />
      </>
    )
  }
  return (
    <>
      <GroupHead group={group}>
        <span id={nameId} className="sr-only">
          {group.name}
        </span>
        <div className="md:min-w-40">
          <JoinButton group={group} describedBy={nameId} />
        </div>
      </GroupHead>
      {wasMember && (
        <p role="status" className="rounded-input bg-accent-soft px-4 py-3 text-on-accent-soft">
          You’re no longer a member of this group. What you posted here stays yours.
        </p>
      )}
      <Notice
        title={<h2 className="heading text-[1.5rem] leading-[1.875rem]">This is a private group</h2>}
        text="You need to be a member to see the group's posts and content."
      />
    </>
  )
}
