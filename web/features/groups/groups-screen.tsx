import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Group } from '#contract/groups.ts'
import { useSearchTerm } from '#web/features/posts/use-search-term.ts'
import { paths } from '#web/paths.ts'
import { isLoading } from '#web/query-state.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { SearchBox } from '#web/ui/search-box.tsx'
import { SkeletonRegion, useSkeleton } from '#web/ui/skeleton.tsx'
import { StaleBar } from '#web/ui/stale-bar.tsx'
import { GroupCard, GroupCardSkeleton } from './group-card.tsx'
import { groupSearchQuery, groupsQuery } from './queries.ts'
import { useLiveGroups } from './use-live-groups.ts'

const skeletons = ['a', 'b', 'c', 'd', 'e', 'f']

/** Every group, or those that a search finds (spec §2 Groups list). */
export function GroupsScreen() {
  const { typed, setTyped, term } = useSearchTerm()
  useLiveGroups()
  const search = useQuery({
    ...groupSearchQuery(term),
    enabled: term !== '',
    placeholderData: keepPreviousData,
  })
  return (
    <div className="mx-auto max-w-[1080px]">
      <div className="mb-3.5 grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-3 md:mb-[22px] md:grid-cols-[auto_minmax(0,1fr)_auto]">
        <div className="max-md:pl-1">
          <PageTitle title="Groups" />
        </div>
        <ButtonLink to={paths.createGroup()} className="md:order-last">
          <Plus aria-hidden size={18} strokeWidth={2.2} />
          Create Group
        </ButtonLink>
        <div className="max-md:col-span-2 md:ml-auto md:w-full md:max-w-[360px]">
          <SearchBox
            label="Search groups..."
            value={typed}
            onChange={setTyped}
            waiting={typed.trim() !== term || (term !== '' && search.isFetching)}
          />
        </div>
      </div>
      <h2 className="heading mb-3.5 text-h2 max-md:pl-1">{term ? 'Search Results' : 'All Groups'}</h2>
      {term ? <FoundGroups query={search} /> : <AllGroups />}
    </div>
  )
}

type PartProps = {
  query: {
    data: unknown
    isPending: boolean
    isFetching: boolean
    isError: boolean
    refetch: () => unknown
  }
  groups: Group[] | undefined
  empty: ReactNode
  children?: ReactNode
}

function Groups({ query, groups, empty, children }: PartProps) {
  const loading = useSkeleton(isLoading(query))
  if (loading) {
    return (
      <SkeletonRegion>
        <Grid>
          {skeletons.map((skeleton) => (
            <GroupCardSkeleton key={skeleton} />
          ))}
        </Grid>
      </SkeletonRegion>
    )
  }
  if (!groups) {
    return (
      <div className="card">
        <ErrorState text="We couldn’t load this." onRetry={query.refetch} />
      </div>
    )
  }
  return (
    <>
      {query.isError && (
        <div className="mb-3 md:mb-5">
          <StaleBar onRetry={query.refetch} />
        </div>
      )}
      {groups.length === 0 ? (
        <div className="card">{empty}</div>
      ) : (
        <Grid as="ul">
          {groups.map((group) => (
            <GroupCard key={group.$id} group={group} />
          ))}
        </Grid>
      )}
      {children}
    </>
  )
}

function Grid({ as: Tag = 'div', children }: { as?: 'ul' | 'div'; children: ReactNode }) {
  return <Tag className="grid gap-3 md:grid-cols-2 md:gap-5 lg:grid-cols-3">{children}</Tag>
}

function AllGroups() {
  const query = useInfiniteQuery(groupsQuery)
  const empty = (
    <EmptyState title="No groups yet">
      <ButtonLink to={paths.createGroup()}>Create Your First Group</ButtonLink>
    </EmptyState>
  )
  return (
    <Groups query={query} groups={query.data?.pages.flatMap((page) => page.documents)} empty={empty}>
      <LoadMore query={query} what="groups" />
    </Groups>
  )
}

type Found = PartProps['query'] & { data: { documents: Group[] } | undefined }

function FoundGroups({ query }: { query: Found }) {
  const groups = query.data?.documents
  const empty = <EmptyState title="No groups found" text="Try searching with different keywords" />
  return (
    <>
      <p role="status" className="sr-only">
        {groups && `${groups.length} ${groups.length === 1 ? 'group' : 'groups'} found`}
      </p>
      <Groups query={query} groups={groups} empty={empty} />
    </>
  )
}
