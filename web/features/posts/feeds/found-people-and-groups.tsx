import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Group } from '#contract/groups/groups.ts'
import { en } from '#contract/language.ts'
import type { Person } from '#contract/people/people.ts'
import { GroupCard, GroupCardSkeleton } from '#web/features/groups/group-card.tsx'
import { groupSearchQuery } from '#web/features/groups/queries.ts'
import { PersonRow } from '#web/features/people/person-row.tsx'
import { peopleSearchQuery } from '#web/features/people/queries.ts'
import { screenPaths } from '#web/paths.ts'
import { PersonSkeleton } from '#web/ui/avatar-with-name.tsx'
import { QueryView } from '#web/ui/query-view.tsx'

const maxShown = 6
const headingIds = { people: 'found-people', groups: 'found-groups' } as const
const skeletons = ['a', 'b', 'c']

/** A search for a hashtag finds only posts. */
export function usePeopleAndGroupSearch(term: string) {
  const enabled = term !== '' && !term.startsWith('#')
  return {
    enabled,
    people: useQuery({ ...peopleSearchQuery(term), enabled, placeholderData: keepPreviousData }),
    groups: useQuery({ ...groupSearchQuery(term), enabled, placeholderData: keepPreviousData }),
  }
}

type Search = ReturnType<typeof usePeopleAndGroupSearch>

const countOf = (query: UseQueryResult<{ documents: unknown[] }>) => query.data?.documents.length ?? 0

export function FoundPeopleAndGroupsLinks({ search }: { search: Search }) {
  if (!search.enabled) return null
  const counts = [
    {
      id: headingIds.people,
      count: countOf(search.people),
      one: en('person', 'persona'),
      many: en('people', 'personas'),
    },
    {
      id: headingIds.groups,
      count: countOf(search.groups),
      one: en('group', 'grupo'),
      many: en('groups', 'grupos'),
    },
  ].filter(({ count }) => count > 0)
  if (counts.length === 0) return null
  return (
    <div className="flex flex-wrap gap-2 md:ml-auto">
      {counts.map(({ id, count, one, many }) => (
        <button
          key={id}
          type="button"
          onClick={() => showHeading(id)}
          className="hit-44 flex min-h-9 items-center rounded-full bg-sunken px-3.5 text-label font-semibold text-text-2 hover:text-text"
        >
          {`${count} ${count === 1 ? one : many}`}
        </button>
      ))}
    </div>
  )
}

function showHeading(id: string): void {
  const heading = document.getElementById(id)
  heading?.scrollIntoView({ block: 'start' })
  heading?.focus({ preventScroll: true })
}

export function FoundPeopleAndGroups({ search, term }: { search: Search; term: string }) {
  if (!search.enabled) return null
  const query = `?search=${encodeURIComponent(term)}`
  return (
    <>
      <FoundSection
        id={headingIds.people}
        title={en('People', 'Personas')}
        query={search.people}
        empty={en('Nobody found', 'No encontramos a nadie')}
        all={{ to: `${screenPaths.people()}${query}`, label: en('See everyone found', 'Ver más personas') }}
        skeleton={
          <PeopleRows>
            {skeletons.map((row) => (
              <PersonSkeleton key={row} lines={['h-3 w-1/2', 'h-2.5 w-3/4']} className="p-2" />
            ))}
          </PeopleRows>
        }
      >
        {(people: Person[]) => (
          <PeopleRows as="ul">
            {people.map((person) => (
              <PersonRow key={person.$id} person={person} />
            ))}
          </PeopleRows>
        )}
      </FoundSection>
      <FoundSection
        id={headingIds.groups}
        title={en('Groups', 'Grupos')}
        query={search.groups}
        empty={en('No groups found', 'No encontramos grupos')}
        all={{ to: `${screenPaths.groups()}${query}`, label: en('See all groups found', 'Ver más grupos') }}
        skeleton={
          <GroupCards>
            {skeletons.map((row) => (
              <GroupCardSkeleton key={row} />
            ))}
          </GroupCards>
        }
      >
        {(groups: Group[]) => (
          <GroupCards as="ul">
            {groups.map((group) => (
              <GroupCard key={group.$id} group={group} />
            ))}
          </GroupCards>
        )}
      </FoundSection>
    </>
  )
}

type FoundSectionProps<Row> = {
  id: string
  title: string
  query: UseQueryResult<{ documents: Row[] }>
  empty: string
  all: { to: string; label: string }
  skeleton: ReactNode
  children: (rows: Row[]) => ReactNode
}

function FoundSection<Row>({ id, title, query, empty, all, skeleton, children }: FoundSectionProps<Row>) {
  return (
    <section aria-labelledby={id} className="mt-8 md:mt-10">
      <div className="mx-1 mb-2 flex min-h-11 flex-wrap items-center justify-between gap-x-4 md:mx-0">
        <h2 id={id} tabIndex={-1} className="heading text-h2 scroll-mt-20">
          {title}
        </h2>
        {countOf(query) > maxShown && (
          <Link
            to={all.to}
            className="flex min-h-11 items-center gap-1.5 rounded-input px-1 text-label font-[620] text-brand-text"
          >
            {all.label}
            <ArrowRight aria-hidden size={16} strokeWidth={2.1} />
          </Link>
        )}
      </div>
      <QueryView
        query={query}
        skeleton={skeleton}
        isEmpty={({ documents }) => documents.length === 0}
        empty={<p className="mx-1 text-text-2 md:mx-0">{empty}</p>}
        noticeClassName="mb-3.5"
      >
        {({ documents }) => children(documents.slice(0, maxShown))}
      </QueryView>
    </section>
  )
}

function PeopleRows({ as: Tag = 'div', children }: { as?: 'ul' | 'div'; children: ReactNode }) {
  return (
    <Tag className="card grid grid-cols-[minmax(0,1fr)] gap-x-4 p-2 lg:grid-cols-[repeat(2,minmax(0,1fr))]">
      {children}
    </Tag>
  )
}

function GroupCards({ as: Tag = 'div', children }: { as?: 'ul' | 'div'; children: ReactNode }) {
  return (
    <Tag className="grid grid-cols-[minmax(0,1fr)] gap-3 md:grid-cols-2 md:gap-5 lg:grid-cols-3">
      {children}
    </Tag>
  )
}
