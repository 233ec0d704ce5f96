import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { ChatButton } from '#web/features/chat/chat-button.tsx'
import { hasFailed, isLoading } from '#web/query-state.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { SkeletonRegion, useSkeleton } from '#web/ui/skeleton.tsx'
import { StaleBar } from '#web/ui/stale-bar.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { PersonTile, PersonTileSkeleton } from './person-tile.tsx'
import { everybodyQuery } from './queries.ts'

const skeletons = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

/** Everybody, newest first. When they cannot be loaded nothing is shown but a toast (spec §2 All Users, conflict C-33). */
export function PeopleScreen() {
  const query = useInfiniteQuery(everybodyQuery)
  const { refetch } = query
  const failed = hasFailed(query)
  const loading = useSkeleton(isLoading(query))
  const people = query.data?.pages.flatMap((page) => page.documents)

  useEffect(() => {
    if (!failed) return
    toast({
      text: 'Something went wrong.',
      kind: 'destructive',
      action: { label: 'Try again', run: () => void refetch() },
    })
  }, [failed, refetch])

  if (failed) return <PageTitle title="People" hidden />
  return (
    <div className="mx-auto max-w-[1080px]">
      <div className="mx-1 mt-1 mb-3.5 flex min-h-10 items-center md:mx-0 md:mt-0 md:mb-[22px] md:min-h-11">
        <PageTitle title="People" />
      </div>
      {loading || !people ? (
        <SkeletonRegion>
          <Grid>
            {skeletons.map((skeleton) => (
              <PersonTileSkeleton key={skeleton} />
            ))}
          </Grid>
        </SkeletonRegion>
      ) : people.length === 0 ? (
        <div className="card">
          <EmptyState title="Nobody here yet" />
        </div>
      ) : (
        <>
          {query.isRefetchError && <StaleBar onRetry={refetch} />}
          <Grid as="ul">
            {people.map((person) => (
              <PersonTile
                key={person.$id}
                person={person}
                actions={<ChatButton person={person} place="card" />}
              />
            ))}
          </Grid>
          <LoadMore query={query} what="people" />
        </>
      )}
    </div>
  )
}

function Grid({ as: Tag = 'div', children }: { as?: 'ul' | 'div'; children: ReactNode }) {
  return <Tag className="grid grid-cols-2 gap-2 md:gap-4 lg:grid-cols-3 three:grid-cols-4">{children}</Tag>
}
