import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Group } from '#contract/groups/groups.ts'
import { en } from '#contract/language.ts'
import { useSearchTerm } from '#web/navigation/use-search-term.ts'
import { screenPaths } from '#web/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { QueryView, type QueryViewState } from '#web/ui/query-view.tsx'
import { SearchBox } from '#web/ui/search-box.tsx'
import { GroupCard, GroupCardSkeleton } from './group-card.tsx'
import { groupSearchQuery, groupsQuery } from './queries.ts'
import { useLiveGroupUpdates } from './use-live-group-updates.ts'

const skeletons = ['a', 'b', 'c', 'd', 'e', 'f']

export function GroupsScreen() {
  const { typed, setTyped, term } = useSearchTerm()
  useLiveGroupUpdates()
  const search = useQuery({
    ...groupSearchQuery(term),
    enabled: term !== '',
    placeholderData: keepPreviousData,
  })
  return (
    <div className="mx-auto max-w-[1080px]">
      <div className="mb-3.5 grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-3 md:mb-[22px] md:grid-cols-[auto_minmax(0,1fr)_auto]">
        <div className="max-md:pl-1">
          <PageTitle title={en('Groups', 'Grupos')} />
        </div>
        <ButtonLink to={screenPaths.createGroup()} className="md:order-last">
          <Plus aria-hidden size={18} strokeWidth={2.2} />
          {en('Create Group', 'Crear grupo')}
        </ButtonLink>
        <div className="max-md:col-span-2 md:ml-auto md:w-full md:max-w-[360px]">
          <SearchBox
            label={en('Search groups...', 'Buscar grupos...')}
            value={typed}
            onChange={setTyped}
            waiting={typed.trim() !== term || (term !== '' && search.isFetching)}
          />
        </div>
      </div>
      <h2 className="heading mb-3.5 text-h2 max-md:pl-1">
        {term ? en('Search Results', 'Resultados') : en('All Groups', 'Explorar grupos')}
      </h2>
      {term ? <FoundGroups query={search} /> : <AllGroups />}
    </div>
  )
}

type ListProps<Data> = {
  query: QueryViewState<Data>
  groupsOf: (data: Data) => readonly Group[]
  empty: ReactNode
  more?: ReactNode
}

function GroupList<Data>({ query, groupsOf, empty, more }: ListProps<Data>) {
  return (
    <QueryView
      query={query}
      skeleton={
        <Grid>
          {skeletons.map((skeleton) => (
            <GroupCardSkeleton key={skeleton} />
          ))}
        </Grid>
      }
      isEmpty={(data) => groupsOf(data).length === 0}
      empty={<div className="card">{empty}</div>}
      noticeClassName="mb-3 md:mb-5"
    >
      {(data) => (
        <>
          <Grid as="ul">
            {groupsOf(data).map((group) => (
              <GroupCard key={group.$id} group={group} />
            ))}
          </Grid>
          {more}
        </>
      )}
    </QueryView>
  )
}

function Grid({ as: Tag = 'div', children }: { as?: 'ul' | 'div'; children: ReactNode }) {
  return (
    <Tag className="grid grid-cols-[minmax(0,1fr)] gap-3 md:grid-cols-2 md:gap-5 lg:grid-cols-3">
      {children}
    </Tag>
  )
}

function AllGroups() {
  const query = useInfiniteQuery(groupsQuery)
  const empty = (
    <EmptyState title={en('No groups yet', 'Todavía no hay grupos')}>
      <ButtonLink to={screenPaths.createGroup()}>
        {en('Create Your First Group', 'Crea tu primer grupo')}
      </ButtonLink>
    </EmptyState>
  )
  const more = <LoadMore query={query} what={en('groups', 'grupos')} />
  return <GroupList query={query} groupsOf={groupsInPages} empty={empty} more={more} />
}

const groupsInPages = ({ pages }: { pages: { documents: Group[] }[] }) =>
  pages.flatMap((page) => page.documents)

function FoundGroups({ query }: { query: QueryViewState<{ documents: Group[] }> }) {
  const groups = query.data?.documents
  const empty = (
    <EmptyState
      title={en('No groups found', 'No encontramos grupos')}
      text={en('Try searching with different keywords', 'Prueba con otras palabras')}
    />
  )
  return (
    <>
      <p role="status" className="sr-only">
        {groups &&
          en(
            `${groups.length} ${groups.length === 1 ? 'group' : 'groups'} found`,
            `${groups.length} ${groups.length === 1 ? 'grupo encontrado' : 'grupos encontrados'}`,
          )}
      </p>
      <GroupList query={query} groupsOf={({ documents }) => documents} empty={empty} />
    </>
  )
}
