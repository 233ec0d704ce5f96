import { useQuery } from '@tanstack/react-query'
import { en } from '#contract/language.ts'
import { hasQueryFailed } from '#web/api/query-status-predicates.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { useOfflineHome } from '#web/features/offline/offline-home-state.ts'
import { PeopleSuggestionsAside, PeopleSuggestionsStrip } from '#web/features/people/people-suggestions.tsx'
import { newestPeopleQuery } from '#web/features/people/queries.ts'
import { lazyPart } from '#web/navigation/lazy-part.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { useMediaQuery } from '#web/ui/use-media-query.ts'
import { LazyNewPostsNotice } from '../lazy-new-posts-notice.tsx'
import { preloadPostCardPicture } from '../post-card.tsx'
import { fetchNewestHomePosts, homeFeedQuery } from '../queries.ts'
import { usePostPages } from '../use-post-pages.ts'
import { HomeFeed } from './home-feed.tsx'

const OfflineHomeNotices = lazyPart(
  async () => (await import('#web/features/offline/offline-home-notices.tsx')).OfflineHomeNotices,
)

const FirstSteps = lazyPart(
  async () => (await import('#web/features/community/operator-first-steps.tsx')).FirstSteps,
)

const Announcement = lazyPart(
  async () => (await import('#web/features/community/announcement.tsx')).Announcement,
)

export function HomeScreen() {
  const me = useSignedInMember()
  const feed = usePostPages(homeFeedQuery)
  const people = useQuery(newestPeopleQuery)
  const beside = useMediaQuery('(min-width: 64rem)')
  const first = feed.data?.pages[0]?.documents.find((post) => post.creator)
  if (first) preloadPostCardPicture(first)
  // Suggested people are not stored offline, and an empty list would mislead.
  const showsPeople = useOfflineHome() === undefined
  const nothing = hasQueryFailed(feed) && hasQueryFailed(people)

  function retryBoth() {
    void feed.refetch()
    void people.refetch()
  }

  return (
    <div className="mx-auto grid max-w-[972px] grid-cols-[minmax(0,600px)] justify-center lg:grid-cols-[minmax(0,560px)_316px] lg:gap-7 xl:grid-cols-[minmax(0,560px)_356px] xl:gap-14">
      <div className="min-w-0">
        <div className="mx-1 mt-1 mb-3.5 flex min-h-10 items-center md:mx-0 md:mt-0 md:mb-[22px] md:min-h-11">
          <PageTitle title={en('Home', 'Inicio')} heading={en('Following', 'Siguiendo')} />
        </div>
        <OfflineHomeNotices />
        {me.announcement && <Announcement {...me.announcement} />}
        {me.operates && <FirstSteps />}
        <LazyNewPostsNotice query={homeFeedQuery} newest={fetchNewestHomePosts} />
        {nothing ? (
          <div className="card">
            <ErrorState text={en('Something bad happened', 'Ha pasado algo malo')} onRetry={retryBoth} />
          </div>
        ) : (
          <HomeFeed
            query={feed}
            afterFirst={!beside && showsPeople && <PeopleSuggestionsStrip query={people} />}
          />
        )}
      </div>
      {beside && showsPeople && !nothing && <PeopleSuggestionsAside query={people} />}
    </div>
  )
}
