import { MapPin, ShieldCheck } from 'lucide-react'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { en } from '#contract/language.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { usePostPages } from '#web/features/posts/use-post-pages.ts'
import { useLastPathSegment } from '#web/navigation/use-last-path-segment.ts'
import { screenPaths } from '#web/paths.ts'
import { useCurrentTime } from '#web/ui/relative-time.tsx'
import { type PlacePostPage, placePostsQuery } from './queries.ts'
import { TopicHeader } from './topic-header.tsx'
import { TopicPostGrid } from './topic-post-grid.tsx'

/** Milliseconds before other members' posts appear on place pages. */
const withheldMs = 86_400_000

export function PlaceScreen() {
  const place = useLastPathSegment()
  return <PlacePosts key={place} place={place} />
}

function PlacePosts({ place }: { place: string }) {
  const query = usePostPages(useMemo(() => placePostsQuery(place), [place]))
  const me = useSignedInMember()
  const now = useCurrentTime()
  const pages = (query.data?.pages ?? []) as PlacePostPage[]
  const [first] = pages
  const hasOwnFresh = pages.some(({ documents }) =>
    documents.some(
      ({ creator, $createdAt }) => creator?.$id === me.$id && now - Date.parse($createdAt) < withheldMs,
    ),
  )
  return (
    <div className="mx-auto max-w-[1080px]">
      <TopicHeader
        title={first?.place ?? place}
        sign={<MapPin size={30} strokeWidth={2} />}
        signClassName="bg-brand-soft text-brand-text"
      />
      <div className="mb-5 flex items-start gap-3.5 rounded-card-small bg-success-soft px-4.5 py-3.5 md:mb-6">
        <ShieldCheck
          aria-hidden
          size={22}
          strokeWidth={2}
          className="mt-0.5 flex-none text-success md:mt-1"
        />
        <div className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-6 gap-y-1">
          <p className="text-pretty">
            {en(
              'Posts appear here a day later, so that nobody can tell where the author is now.',
              'Las publicaciones aparecen aquí un día después, para que nadie sepa dónde está ahora la autora.',
            )}
          </p>
          <Link
            to={screenPaths.settingsPage('privacy')}
            className="hit-44 inline-block py-1 font-semibold text-success underline underline-offset-4 md:ml-auto"
          >
            {en('Keep mine off place pages', 'Dejar las mías fuera de las páginas de lugares')}
          </Link>
          {hasOwnFresh && (
            <p className="w-full font-semibold text-pretty">
              {en(
                'You also see your own posts from the last day here. Others don’t.',
                'También ves aquí tus publicaciones del último día. Las demás no.',
              )}
            </p>
          )}
        </div>
      </div>
      <TopicPostGrid query={query} />
    </div>
  )
}
