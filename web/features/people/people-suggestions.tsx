import type { UseQueryResult } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import { en } from '#contract/language.ts'
import type { Person } from '#contract/people/people.ts'
import { screenPaths } from '#web/paths.ts'
import { PersonSkeleton } from '#web/ui/avatar-with-name.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { PersonRow } from './person-row.tsx'
import { PersonStripCard } from './person-strip-card.tsx'

type PeopleQuery = UseQueryResult<{ documents: Person[] }>

const skeletonRows = ['a', 'b', 'c', 'd', 'e', 'f']

export function PeopleSuggestionsAside({ query }: { query: PeopleQuery }) {
  const titleId = useId()
  return (
    <aside aria-labelledby={titleId} className="sticky top-8 self-start">
      <div className="card px-3 pt-[18px] pb-2.5">
        <h2 id={titleId} className="heading px-2 pb-2 text-[1.125rem] leading-[1.625rem]">
          {en('People', 'Personas')}
        </h2>
        <People
          query={query}
          skeleton={skeletonRows.map((row) => (
            <PersonSkeleton key={row} lines={['h-3 w-1/2', 'h-2.5 w-3/4']} className="p-2" />
          ))}
        >
          {(people) => (
            <ul>
              {people.map((person) => (
                <PersonRow key={person.$id} person={person} />
              ))}
            </ul>
          )}
        </People>
        <Link
          to={screenPaths.people()}
          className="mt-1 flex min-h-11 items-center justify-center gap-1.5 rounded-input text-label font-[620] text-brand-text hover:bg-brand-soft"
        >
          {en('See everyone ', 'Ver a todas ')}
          <ArrowRight aria-hidden size={16} strokeWidth={2.1} />
        </Link>
      </div>
    </aside>
  )
}

export function PeopleSuggestionsStrip({ query }: { query: PeopleQuery }) {
  const titleId = useId()
  return (
    <aside aria-labelledby={titleId} className="-mx-3 my-[18px] md:mx-0 md:my-5">
      <div className="mx-[18px] mb-1 flex items-center justify-between md:mx-1">
        <h2 id={titleId} className="heading text-[1.125rem] leading-[1.625rem]">
          {en('People', 'Personas')}
        </h2>
        <Link
          to={screenPaths.people()}
          className="flex min-h-11 items-center gap-1.5 rounded-input px-1 text-label font-[620] text-brand-text"
        >
          {en('See everyone ', 'Ver a todas ')}
          <ArrowRight aria-hidden size={16} strokeWidth={2.1} />
        </Link>
      </div>
      <People
        query={query}
        skeleton={
          <div className="flex gap-2.5 overflow-hidden px-3 pt-0.5 pb-1 md:px-0">
            {skeletonRows.map((row) => (
              <Skeleton key={row} className="h-[172px] w-[136px] flex-none rounded-card-small" />
            ))}
          </div>
        }
      >
        {(people) => (
          <ul className="flex snap-x scroll-px-3 gap-2.5 overflow-x-auto px-3 pt-0.5 pb-1 [scrollbar-width:none] md:px-0">
            {people.map((person) => (
              <PersonStripCard key={person.$id} person={person} />
            ))}
          </ul>
        )}
      </People>
    </aside>
  )
}

type PeopleProps = {
  query: PeopleQuery
  skeleton: ReactNode
  children: (people: Person[]) => ReactNode
}

function People({ query, skeleton, children }: PeopleProps) {
  return (
    <QueryView
      query={query}
      skeleton={skeleton}
      failure={
        <ErrorState text={en('Something bad happened', 'Ha pasado algo malo')} onRetry={query.refetch} />
      }
      isEmpty={({ documents }) => documents.length === 0}
      empty={
        <p className="px-[18px] py-2 text-text-2 md:px-1 lg:px-2">
          {en('You’re the first one here.', 'Eres la primera aquí.')}
        </p>
      }
    >
      {({ documents }) => children(documents)}
    </QueryView>
  )
}
