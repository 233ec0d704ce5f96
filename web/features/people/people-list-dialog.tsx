import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { en } from '#contract/language.ts'
import type { Person } from '#contract/people/people.ts'
import { PersonSkeleton } from '#web/ui/avatar-with-name.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { ListDialog } from '#web/ui/modal.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { PersonRow } from './person-row.tsx'
import { flattenPeoplePages, type PeoplePagesQuery } from './queries.ts'

type Props = {
  title: string
  query: PeoplePagesQuery
  empty: string
  open: boolean
  onClose: () => void
  closed?: string
  actions?: (person: Person) => ReactNode
}

export function PeopleListDialog({ title, open, onClose, closed, ...list }: Props) {
  return (
    <ListDialog title={title} open={open} onClose={onClose}>
      {closed ? <EmptyLine text={closed} /> : <People {...list} />}
    </ListDialog>
  )
}

const skeletons = ['a', 'b', 'c', 'd']

const EmptyLine = ({ text }: { text: string }) => <p className="px-6 py-14 text-center text-text-2">{text}</p>

function People({ query, empty, actions }: Pick<Props, 'query' | 'empty' | 'actions'>) {
  const people = useInfiniteQuery(query)
  return (
    <QueryView
      query={people}
      skeleton={skeletons.map((skeleton) => <PersonSkeleton key={skeleton} className="p-2" />)}
      failure={<ErrorState onRetry={people.refetch} />}
      isEmpty={(data) => flattenPeoplePages(data).length === 0 && !people.hasNextPage}
      empty={<EmptyLine text={empty} />}
    >
      {(data) => (
        <>
          <ul>
            {flattenPeoplePages(data).map((person) => (
              <PersonRow key={person.$id} person={person} actions={actions?.(person)} />
            ))}
          </ul>
          <LoadMore query={people} what={en('people', 'personas')} />
        </>
      )}
    </QueryView>
  )
}
