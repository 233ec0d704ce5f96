import { useInfiniteQuery } from '@tanstack/react-query'
import { en } from '#contract/language.ts'
import { formatCalendarDay } from '#web/format-day.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { publicOperatorActsQuery } from './admin-queries.ts'
import { operatorActText } from './operator-act-labels.ts'

export function PublicOperatorActsScreen() {
  const query = useInfiniteQuery(publicOperatorActsQuery)
  return (
    <div className="mx-auto max-w-[640px]">
      <div className="mx-1 mb-1.5 md:mx-0">
        <PageTitle title={en('What operators have done', 'Lo que han hecho las operadoras')} />
      </div>
      <p className="mx-1 mb-4.5 text-pretty text-text-2 md:mx-0">
        {en(
          'Operators run this community’s server. Everything they do to an account or to the settings is listed here for two years, without the names of the members concerned.',
          'Las operadoras llevan el servidor de esta comunidad. Cada acción sobre una cuenta o los ajustes aparece aquí durante dos años, sin los nombres de las integrantes afectadas.',
        )}
      </p>
      <QueryView
        query={query}
        skeleton={<Skeleton className="h-40 rounded-card" />}
        noticeClassName="mb-3.5"
        isEmpty={({ pages }) => pages.every(({ documents }) => documents.length === 0)}
        empty={
          <div className="card">
            <EmptyState title={en('No operator actions yet.', 'Las operadoras aún no han hecho nada.')} />
          </div>
        }
      >
        {({ pages }) => (
          <ul
            aria-label={en('What operators have done', 'Lo que han hecho las operadoras')}
            className="card divide-y divide-border px-4 md:px-6"
          >
            {pages
              .flatMap(({ documents }) => documents)
              .map(({ $id, act, day }) => (
                <li key={$id} className="flex flex-wrap justify-between gap-x-4 py-3.5">
                  <span className="font-[620] text-pretty">{operatorActText(act)}</span>
                  <time dateTime={day} className="text-label text-text-2">
                    {formatCalendarDay(day)}
                  </time>
                </li>
              ))}
          </ul>
        )}
      </QueryView>
      <LoadMore query={query} what={en('entries', 'entradas')} />
    </div>
  )
}
