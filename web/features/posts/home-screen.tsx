import { useQuery } from '@tanstack/react-query'
import { PeopleAside, PeopleStrip } from '#web/features/people/home-people.tsx'
import { homePeopleQuery } from '#web/features/people/queries.ts'
import { hasFailed } from '#web/query-state.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { useMedia } from '#web/ui/use-media.ts'
import { HomeFeed } from './home-feed.tsx'
import { preloadCardPicture } from './post-card.tsx'
import { homeFeedQuery } from './queries.ts'

/** The feed 'Following' with people beside it, or after the first post where there is no room beside (spec §2 Home). */
export function HomeScreen() {
  const feed = useQuery(homeFeedQuery)
  const people = useQuery(homePeopleQuery)
  const beside = useMedia('(min-width: 1024px)')
  const first = feed.data?.documents.find((post) => post.creator)
  if (first) preloadCardPicture(first)
  const nothing = hasFailed(feed) && hasFailed(people)

  function retryBoth() {
    void feed.refetch()
    void people.refetch()
  }

  return (
    <div className="mx-auto grid max-w-[972px] grid-cols-[minmax(0,600px)] justify-center lg:grid-cols-[minmax(0,560px)_316px] lg:gap-7 xl:grid-cols-[minmax(0,560px)_356px] xl:gap-14">
      <div className="min-w-0">
        <div className="mx-1 mt-1 mb-3.5 flex min-h-10 items-center md:mx-0 md:mt-0 md:mb-[22px] md:min-h-11">
          <PageTitle title="Home" heading="Following" />
        </div>
        {nothing ? (
          <div className="card">
            <ErrorState text="Something bad happened" onRetry={retryBoth} />
          </div>
        ) : (
          <HomeFeed query={feed} afterFirst={!beside && <PeopleStrip query={people} />} />
        )}
      </div>
      {beside && !nothing && <PeopleAside query={people} />}
    </div>
  )
}
