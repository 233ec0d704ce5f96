import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useRef } from 'react'
import { en } from '#contract/language.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { screenPaths } from '#web/paths.ts'
import { PersonSkeleton } from '#web/ui/avatar-with-name.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { FollowRequestRow } from './follow-request-row.tsx'
import { followRequestCountQuery, followRequestsQuery } from './queries.ts'

export function FollowRequestsScreen() {
  const me = useSignedInMember()
  const query = useInfiniteQuery(followRequestsQuery)
  const { data: count = 0 } = useQuery(followRequestCountQuery)
  const list = useRef<HTMLDivElement>(null)
  return (
    <div className="mx-auto max-w-[720px]">
      <ButtonLink to={screenPaths.settingsPage('privacy')} kind="ghost" className="-ml-3 pl-3">
        <ArrowLeft aria-hidden size={20} strokeWidth={1.9} />
        {en('Privacy and safety', 'Privacidad y seguridad')}
      </ButtonLink>
      <div className="mx-1 mt-1 mb-2 flex items-baseline gap-2.5 md:mx-0">
        <PageTitle title={en('Follow requests', 'Solicitudes para seguirte')} />
        {count > 0 && <span className="font-[620] text-text-2 tabular-nums">{count}</span>}
      </div>
      {me.isPrivate && (
        <p className="mx-1 mb-5 max-w-[62ch] text-pretty text-text-2 md:mx-0">
          {en(
            'Your account is private. People you approve see your posts, including old ones. Nobody is notified when you decline.',
            'Tu cuenta es privada. Quien aceptes verá tus publicaciones, también las antiguas. No se avisa a nadie cuando rechazas.',
          )}
        </p>
      )}
      <section ref={list} tabIndex={-1} aria-label={en('Requests', 'Solicitudes')} className="outline-none">
        <QueryView
          query={query}
          skeleton={<RowsSkeleton />}
          noticeClassName="mb-3.5"
          isEmpty={({ pages }) =>
            pages.every(({ documents }) => documents.length === 0) && !query.hasNextPage
          }
          empty={
            <div className="card">
              <EmptyState title={en('No pending requests', 'No hay solicitudes pendientes')} />
            </div>
          }
        >
          {({ pages }) => (
            <>
              <ul className="card divide-y divide-border">
                {pages
                  .flatMap(({ documents }) => documents)
                  .map((request) => (
                    <FollowRequestRow
                      key={request.$id}
                      request={request}
                      onDecided={() => list.current?.focus()}
                    />
                  ))}
              </ul>
              <LoadMore query={query} what={en('requests', 'solicitudes')} />
            </>
          )}
        </QueryView>
      </section>
    </div>
  )
}

function RowsSkeleton() {
  return (
    <div className="card px-3.5 md:px-5">
      {['a', 'b', 'c'].map((row) => (
        <PersonSkeleton key={row} avatar="size-12" className="py-4" />
      ))}
    </div>
  )
}
