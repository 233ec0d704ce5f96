import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation, useSearchParams } from 'react-router'
import { en } from '#contract/language.ts'
import { PeopleSuggestionsStrip } from '#web/features/people/people-suggestions.tsx'
import { newestPeopleQuery } from '#web/features/people/queries.ts'
import { useSearchTerm } from '#web/navigation/use-search-term.ts'
import { cx } from '#web/ui/cx.ts'
import { PageTitle } from '#web/ui/page-title.tsx'
import { SearchBox } from '#web/ui/search-box.tsx'
import { type ExploreAuthorFilter, postSearchQuery } from '../queries.ts'
import { ExploreFeed } from './explore-feed.tsx'
import { ExploreOrderTabPanel, ExploreOrderTabs } from './explore-order-tabs.tsx'
import {
  FoundPeopleAndGroups,
  FoundPeopleAndGroupsLinks,
  usePeopleAndGroupSearch,
} from './found-people-and-groups.tsx'
import { LovedThisWeekFeed } from './loved-this-week-feed.tsx'
import { PostSearchResults } from './post-search-results.tsx'
import { useExploreOrder } from './use-explore-order.ts'

export function ExploreScreen() {
  const { typed, setTyped, term } = useSearchTerm()
  const from = useFilter()
  // A search clears the history state, so this reads it only once.
  const [forPeople] = useState(useLocation().state === 'people')
  const { order, offersLoved } = useExploreOrder(from)
  const search = useQuery({
    ...postSearchQuery(term),
    enabled: term !== '',
    placeholderData: keepPreviousData,
  })
  const others = usePeopleAndGroupSearch(term)
  const searching = typed.trim() !== term || (term !== '' && search.isFetching)
  return (
    <div className="mx-auto max-w-[1080px]">
      <PageTitle title={en('Explore', 'Explorar')} hidden />
      <div className="mx-1 mt-1 md:mx-0 md:mt-0">
        <SearchBox
          label={en('Search Posts', 'Buscar publicaciones')}
          value={typed}
          onChange={setTyped}
          waiting={searching}
        />
      </div>
      {forPeople && !term && <PeopleToFollow />}
      <div className="mx-1 mt-6.5 mb-3.5 flex min-h-10 flex-wrap items-center gap-x-4 gap-y-3 md:mx-0 md:mb-[22px] md:min-h-11">
        <h2 className="heading min-w-0 text-[1.5rem] leading-[1.875rem] wrap-anywhere">
          {term
            ? en(`Results for “${term}”`, `Resultados de «${term}»`)
            : en('Popular Today', 'Lo más visto hoy')}
        </h2>
        {!term && order === 'recent' && <Filter current={from} />}
        <FoundPeopleAndGroupsLinks search={others} />
      </div>
      {!term && <ExploreOrderTabs order={order} offersLoved={offersLoved} />}
      {term && <PostSearchResults query={search} />}
      <FoundPeopleAndGroups search={others} term={term} />
      {/* The feed stays mounted during a search, so that it keeps its loaded pages. */}
      <ExploreOrderTabPanel order={order} hidden={term !== ''}>
        {order === 'loved' ? (
          <LovedThisWeekFeed hidden={term !== ''} />
        ) : (
          <ExploreFeed key={from} from={from} hidden={term !== ''} />
        )}
      </ExploreOrderTabPanel>
    </div>
  )
}

const PeopleToFollow = () => <PeopleSuggestionsStrip query={useQuery(newestPeopleQuery)} />

const parameter = 'from'

function useFilter(): ExploreAuthorFilter | undefined {
  const asked = useSearchParams()[0].get(parameter)
  return asked === 'following' || asked === 'groups' ? asked : undefined
}

const filters: readonly { from?: ExploreAuthorFilter; label: string }[] = [
  { label: en('All', 'Todo') },
  { from: 'following', label: en('Following', 'Siguiendo') },
  { from: 'groups', label: en('My groups', 'Mis grupos') },
]

/** The URL contains the filter, so Back restores it. */
function Filter({ current }: { current: ExploreAuthorFilter | undefined }) {
  return (
    <fieldset
      aria-label={en('Posts from', 'Publicaciones de')}
      className="flex min-w-0 flex-wrap gap-2 md:ml-auto"
    >
      {filters.map(({ from, label }) => (
        <Link
          key={label}
          to={{ search: from && `?${parameter}=${from}` }}
          replace
          aria-current={from === current || undefined}
          className={cx(
            'hit-44 flex min-h-9 items-center rounded-full px-3.5 text-label font-semibold',
            from === current ? 'bg-brand-soft text-brand-text' : 'bg-sunken text-text-2 hover:text-text',
          )}
        >
          {label}
        </Link>
      ))}
    </fieldset>
  )
}
