import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useRef } from 'react'
import { en } from '#contract/language.ts'
import { screenPaths } from '#web/paths.ts'
import { PersonSkeleton } from '#web/ui/avatar-with-name.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { MessageRequestCard } from './message-request-card.tsx'
import { messageRequestCountQuery, messageRequestsQuery } from './queries.ts'

export function MessageRequestsScreen() {
  const query = useInfiniteQuery(messageRequestsQuery)
  const { data } = useQuery(messageRequestCountQuery)
  const list = useRef<HTMLDivElement>(null)
  return (
    <div className="mx-auto max-w-[720px]">
      <ButtonLink to={screenPaths.chat()} kind="ghost" className="-ml-3 pl-3">
        <ArrowLeft aria-hidden size={20} strokeWidth={1.9} />
        {en('Messages', 'Mensajes')}
      </ButtonLink>
      <div className="mx-1 mt-1 mb-2 flex items-baseline gap-2.5 md:mx-0">
        <PageTitle title={en('Message requests', 'Solicitudes de mensaje')} />
        {data !== undefined && data.count > 0 && (
          <span className="font-[620] text-text-2 tabular-nums">{data.count}</span>
        )}
      </div>
      <p className="mx-1 mb-5 max-w-[62ch] text-pretty text-text-2 md:mx-0">
        {en(
          'From people you don’t follow. They can’t see whether you have read this, and can send three messages until you answer.',
          'De personas a las que no sigues. No pueden ver si has leído esto, y pueden enviarte tres mensajes hasta que contestes.',
        )}
      </p>
      <section
        ref={list}
        tabIndex={-1}
        aria-label={en('Message requests', 'Solicitudes de mensaje')}
        className="outline-none"
      >
        <QueryView
          query={query}
          skeleton={<CardsSkeleton />}
          noticeClassName="mb-3.5"
          isEmpty={({ pages }) => pages.every(({ documents }) => documents.length === 0)}
          empty={
            <div className="card">
              <EmptyState title={en('No message requests', 'No hay solicitudes de mensaje')} />
            </div>
          }
        >
          {({ pages }) => (
            <>
              <ul className="space-y-3.5">
                {pages
                  .flatMap(({ documents }) => documents)
                  .map((request) => (
                    <MessageRequestCard
                      key={request.conversation.$id}
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

function CardsSkeleton() {
  return (
    <div className="space-y-3.5">
      {['a', 'b', 'c'].map((row) => (
        <div key={row} className="card px-5 py-4">
          <PersonSkeleton className="pb-4" />
        </div>
      ))}
    </div>
  )
}
