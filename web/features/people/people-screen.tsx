import { keepPreviousData, type UseQueryResult, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { en } from '#contract/language.ts'
import type { Person } from '#contract/people/people.ts'
import { hasQueryFailed } from '#web/api/query-status-predicates.ts'
import { ChatButton } from '#web/features/chat/chat-button.tsx'
import { FollowRequestsLink } from '#web/features/people/follow-requests/follow-requests-link.tsx'
import { useSearchTerm } from '#web/navigation/use-search-term.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { SearchBox } from '#web/ui/search-box.tsx'
import { toast } from '#web/ui/toast/toast-store.ts'
import { PersonCard, PersonCardSkeleton } from './person-card.tsx'
import { allPeopleQuery, flattenPeoplePages, peopleSearchQuery } from './queries.ts'

export function PeopleScreen() {
  const { typed, setTyped, term } = useSearchTerm()
  const query = useInfiniteQuery(allPeopleQuery)
  const search = useQuery({
    ...peopleSearchQuery(term),
    enabled: term !== '',
    placeholderData: keepPreviousData,
  })
  const { refetch } = query
  const failed = hasQueryFailed(query) && !term

  useEffect(() => {
    if (!failed) return
    toast({
      text: en('Something went wrong.', 'Algo salió mal.'),
      kind: 'destructive',
      action: { label: en('Try again', 'Volver a intentar'), run: () => void refetch() },
    })
  }, [failed, refetch])

  if (failed) return <PageTitle title={en('People', 'Personas')} hidden />
  return (
    <div className="mx-auto max-w-[1080px]">
      <div className="mb-3.5 grid items-center gap-x-4 gap-y-3 md:mb-[22px] md:grid-cols-[auto_minmax(0,1fr)]">
        <div className="flex flex-wrap items-center gap-3 max-md:pl-1">
          <PageTitle title={en('People', 'Personas')} />
          <FollowRequestsLink />
        </div>
        <div className="md:ml-auto md:w-full md:max-w-[360px]">
          <SearchBox
            label={en('Search people...', 'Buscar personas...')}
            value={typed}
            onChange={setTyped}
            waiting={typed.trim() !== term || (term !== '' && search.isFetching)}
          />
        </div>
      </div>
      {term ? (
        <FoundPeople query={search} />
      ) : (
        <QueryView
          query={query}
          skeleton={<PeopleSkeleton />}
          isEmpty={(data) => flattenPeoplePages(data).length === 0 && !query.hasNextPage}
          empty={
            <div className="card">
              <EmptyState title={en('Nobody here yet', 'Todavía no hay nadie')} />
            </div>
          }
          noticeClassName="mb-3 md:mb-5"
        >
          {(data) => (
            <>
              <PeopleGrid people={flattenPeoplePages(data)} />
              <LoadMore query={query} what={en('people', 'personas')} />
            </>
          )}
        </QueryView>
      )}
    </div>
  )
}

function FoundPeople({ query }: { query: UseQueryResult<{ documents: Person[] }> }) {
  const people = query.data?.documents
  return (
    <>
      <p role="status" className="sr-only">
        {people &&
          en(
            `${people.length} ${people.length === 1 ? 'person' : 'people'} found`,
            `${people.length} ${people.length === 1 ? 'persona encontrada' : 'personas encontradas'}`,
          )}
      </p>
      <QueryView
        query={query}
        skeleton={<PeopleSkeleton />}
        isEmpty={({ documents }) => documents.length === 0}
        empty={
          <div className="card">
            <EmptyState
              title={en('Nobody found', 'No encontramos a nadie')}
              text={en('Try searching with different keywords', 'Prueba con otras palabras')}
            />
          </div>
        }
        noticeClassName="mb-3 md:mb-5"
      >
        {({ documents }) => <PeopleGrid people={documents} />}
      </QueryView>
    </>
  )
}

function PeopleGrid({ people }: { people: readonly Person[] }) {
  return (
    <Grid as="ul">
      {people.map((person) => (
        <PersonCard key={person.$id} person={person} actions={<ChatButton person={person} place="card" />} />
      ))}
    </Grid>
  )
}

const skeletons = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

function PeopleSkeleton() {
  return (
    <Grid>
      {skeletons.map((skeleton) => (
        <PersonCardSkeleton key={skeleton} />
      ))}
    </Grid>
  )
}

function Grid({ as: Tag = 'div', children }: { as?: 'ul' | 'div'; children: ReactNode }) {
  return (
    <Tag className="grid grid-cols-2 gap-2 max-[15rem]:grid-cols-1 md:gap-4 lg:grid-cols-3 three:grid-cols-4">
      {children}
    </Tag>
  )
}
