import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useRef } from 'react'
import { useParams } from 'react-router'
import type { Group } from '#contract/groups/groups.ts'
import { en } from '#contract/language.ts'
import { screenPaths } from '#web/paths.ts'
import { PersonSkeleton } from '#web/ui/avatar-with-name.tsx'
import { IconLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { GroupNotFoundNotice, GroupUnavailableNotice } from './group-unavailable-notice.tsx'
import { JoinRequestRow } from './join-request-row.tsx'
import { groupQuery, isGroupNotFoundError, joinRequestsQuery } from './queries.ts'
import { useLiveGroupUpdates } from './use-live-group-updates.ts'

export function JoinRequestsScreen() {
  const { groupId = '' } = useParams()
  useLiveGroupUpdates()
  const query = useQuery(groupQuery(groupId))
  if (isGroupNotFoundError(query.error)) return <GroupNotFoundNotice />
  return (
    <div className="mx-auto max-w-[720px]">
      <QueryView
        query={query}
        title={en('Join Requests', 'Solicitudes para unirse')}
        skeleton={<RowsSkeleton />}
      >
        {(group) => <Requests group={group} />}
      </QueryView>
    </div>
  )
}

function Requests({ group }: { group: Group }) {
  if (!group.can.decide) {
    return (
      <GroupUnavailableNotice
        title={<PageTitle title={en('Access Denied', 'Acceso denegado')} />}
        text={en(
          'Only group administrators can manage join requests.',
          'Solo las administradoras del grupo pueden atender solicitudes.',
        )}
      />
    )
  }
  return (
    <>
      <div className="mx-1 mt-1 mb-3.5 flex min-h-11 items-center gap-1.5 md:mx-0 md:mt-0 md:mb-[22px]">
        <IconLink
          to={screenPaths.group(group.$id)}
          label={en('Back to the group', 'Volver al grupo')}
          className="-ml-3"
        >
          <ArrowLeft aria-hidden size={22} strokeWidth={2} />
        </IconLink>
        <div className="min-w-0 wrap-anywhere">
          <PageTitle
            title={en('Join Requests', 'Solicitudes para unirse')}
            heading={en(`Join Requests for ${group.name}`, `Solicitudes para unirse a ${group.name}`)}
          />
        </div>
      </div>
      <RequestList group={group} />
    </>
  )
}

function RequestList({ group }: { group: Group }) {
  const query = useInfiniteQuery(joinRequestsQuery(group.$id))
  const list = useRef<HTMLDivElement>(null)

  return (
    <section ref={list} tabIndex={-1} aria-label={en('Requests', 'Solicitudes')} className="outline-none">
      <QueryView
        query={query}
        skeleton={<RowsSkeleton />}
        isEmpty={({ pages }) => pages.every(({ documents }) => documents.length === 0) && !query.hasNextPage}
        empty={
          <div className="card">
            <EmptyState title={en('No pending requests', 'No hay solicitudes pendientes')} />
          </div>
        }
      >
        {({ pages }) => (
          <>
            <div className="card">
              <ul className="divide-y divide-border px-4 md:px-6">
                {pages
                  .flatMap((page) => page.documents)
                  .map((request) => (
                    <JoinRequestRow
                      key={request.$id}
                      request={request}
                      onDecided={() => list.current?.focus()}
                    />
                  ))}
              </ul>
            </div>
            <LoadMore query={query} what={en('requests', 'solicitudes')} />
          </>
        )}
      </QueryView>
    </section>
  )
}

const skeletons = ['a', 'b', 'c', 'd']

function RowsSkeleton() {
  return (
    <div className="card px-4 md:px-6">
      {skeletons.map((skeleton) => (
        <PersonSkeleton key={skeleton} avatar="size-12" className="py-4" />
      ))}
    </div>
  )
}
