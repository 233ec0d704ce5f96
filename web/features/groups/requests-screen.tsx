import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useRef } from 'react'
import { useParams } from 'react-router'
import type { Group } from '#contract/groups.ts'
import { paths } from '#web/paths.ts'
import { hasFailed, isLoading } from '#web/query-state.ts'
import { IconLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { Skeleton, SkeletonRegion } from '#web/ui/skeleton.tsx'
import { StaleBar } from '#web/ui/stale-bar.tsx'
import { GroupNotFound, Notice } from './notice.tsx'
import { groupQuery, isGone, requestsQuery } from './queries.ts'
import { RequestRow } from './request-row.tsx'
import { useLiveGroups } from './use-live-groups.ts'

/** Who waits for the admin's answer (spec §2 Group requests). */
export function RequestsScreen() {
  const { groupId = '' } = useParams()
  useLiveGroups()
  const query = useQuery(groupQuery(groupId))
  if (isGone(query.error)) return <GroupNotFound />
  return (
    <div className="mx-auto max-w-[720px]">
      {query.data ? (
        <Requests group={query.data} />
      ) : hasFailed(query) ? (
        <div className="card">
          <PageTitle title="Join Requests" hidden />
          <ErrorState text="We couldn’t load this." onRetry={query.refetch} />
        </div>
      ) : (
        <Rows />
      )}
    </div>
  )
}

function Requests({ group }: { group: Group }) {
  if (!group.can.decide) {
    return (
      <Notice
        title={<PageTitle title="Access Denied" />}
        text="Only group administrators can manage join requests."
      />
    )
  }
  return (
    <>
      <div className="mx-1 mt-1 mb-3.5 flex min-h-11 items-center gap-1.5 md:mx-0 md:mt-0 md:mb-[22px]">
        <IconLink to={paths.group(group.$id)} label="Back to the group" className="-ml-3">
          <ArrowLeft aria-hidden size={22} strokeWidth={2} />
        </IconLink>
        <div className="min-w-0 wrap-anywhere">
          <PageTitle title="Join Requests" heading={`Join Requests for ${group.name}`} />
        </div>
      </div>
      <RequestList group={group} />
    </>
  )
}

function RequestList({ group }: { group: Group }) {
  const query = useInfiniteQuery(requestsQuery(group.$id))
  const list = useRef<HTMLDivElement>(null)

  if (isLoading(query)) return <Rows />
  if (!query.data) {
    return (
      <div className="card">
        <ErrorState text="We couldn’t load this." onRetry={query.refetch} />
      </div>
    )
  }
  const requests = query.data.pages.flatMap((page) => page.documents)
  return (
    <section ref={list} tabIndex={-1} aria-label="Requests" className="outline-none">
      {query.isError && <StaleBar onRetry={query.refetch} />}
      <div className="card">
        {requests.length === 0 ? (
          <EmptyState title="No pending requests" />
        ) : (
          <ul className="divide-y divide-border px-4 md:px-6">
            {requests.map((request) => (
              <RequestRow key={request.$id} request={request} onDecided={() => list.current?.focus()} />
            ))}
          </ul>
        )}
      </div>
      <LoadMore query={query} what="requests" />
    </section>
  )
}

const skeletons = ['a', 'b', 'c', 'd']

function Rows() {
  return (
    <SkeletonRegion>
      <div className="card px-4 md:px-6">
        {skeletons.map((skeleton) => (
          <div key={skeleton} className="flex items-center gap-3 py-4">
            <Skeleton className="size-12 rounded-full" />
            <div className="flex-1 space-y-2">
              <Skeleton className="h-3.5 w-2/5" />
              <Skeleton className="h-3 w-1/4" />
            </div>
          </div>
        ))}
      </div>
    </SkeletonRegion>
  )
}
