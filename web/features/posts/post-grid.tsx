import { Heart, Layers, Lock } from 'lucide-react'
import { useRef } from 'react'
import { Link } from 'react-router'
import { en } from '#contract/language.ts'
import { explorePageSize } from '#contract/limits.ts'
import type { Post } from '#contract/posts/posts.ts'
import { formatNumber } from '#web/format-number.ts'
import { screenPaths } from '#web/paths.ts'
import { cx } from '#web/ui/cx.ts'
import { Avatar } from '#web/ui/images/avatar.tsx'
import { PostPicture } from '#web/ui/images/post-picture.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useNearViewport } from '#web/ui/use-near-viewport.ts'
import { coverAltTextOf } from './photos/photo-alt-text.ts'

const tileSizes = '(min-width:1280px) 260px, (min-width:1100px) 24vw, (min-width:768px) 30vw, 48vw'
const featureSizes = '(min-width:1100px) 533px, (min-width:768px) 30vw, 96vw'

const grid = 'grid grid-cols-2 gap-2 md:grid-cols-3 md:gap-3.5 three:grid-cols-4'
const tile = 'aspect-square overflow-hidden rounded-input md:rounded-tile'
const feature = 'max-md:col-span-2 max-md:row-span-2 three:col-span-2 three:row-span-2'

/**
 * The first tile of each nine is large (2 × 2), on every second page the third one. Rows of four and of two are then
 * complete.
 */
function featureAt(position: number): string | undefined {
  const [page, place] = [Math.floor(position / explorePageSize), position % explorePageSize]
  if (page % 2 === 0) return place === 0 ? feature : undefined
  return place === 2 ? `${feature} three:col-start-3` : undefined
}

const likes = (count: number) => en(`${count} ${count === 1 ? 'like' : 'likes'}`, `${count} me gusta`)

type Look = {
  showUser?: boolean
  showStats?: boolean
  marksGroups?: boolean
}

type Props = Look & {
  posts: readonly Post[]
  features?: boolean
}

export function PostGrid({ posts, features, ...look }: Props) {
  return (
    <ul className={grid}>
      {posts
        .filter((post) => post.creator)
        .map((post, position) => (
          <Tile
            key={post.$id}
            post={post}
            first={position < 4}
            feature={features ? featureAt(position) : undefined}
            {...look}
          />
        ))}
    </ul>
  )
}

function Tile({
  post,
  feature,
  first,
  showUser,
  showStats,
  marksGroups,
}: Look & { post: Post; feature: string | undefined; first: boolean }) {
  const element = useRef<HTMLLIElement>(null)
  const near = useNearViewport(element, first)
  const name = coverAltTextOf(post)
  return (
    <li
      ref={element}
      className={cx(
        tile,
        'group relative [content-visibility:auto] outline-offset-2 outline-focus has-focus-visible:outline-2',
        feature,
      )}
    >
      <Link to={screenPaths.post(post.$id)} className="block focus-visible:outline-none">
        {near ? (
          <span className="block transition-[scale] duration-360 group-hover:scale-103">
            <PostPicture
              image={post.image}
              alt={name}
              sizes={feature ? featureSizes : tileSizes}
              crop="square"
              first={first}
            />
          </span>
        ) : (
          <span className="block aspect-square">
            <span className="sr-only">{name}</span>
          </span>
        )}
      </Link>
      {post.photos.length > 1 && (
        <span className="pointer-events-none absolute top-2 right-2 rounded-full bg-overlay p-1.5 text-on-overlay md:top-3 md:right-3">
          <Layers aria-hidden size={16} />
          <span className="sr-only">{en(`${post.photos.length} photos`, `${post.photos.length} fotos`)}</span>
        </span>
      )}
      {marksGroups && post.groupId && !post.hidden && (
        <span className="pointer-events-none absolute top-2 left-2 rounded-full bg-overlay p-1.5 text-on-overlay md:top-3 md:left-3">
          <Lock aria-hidden size={16} />
          <span className="sr-only">{en('Only for the group', 'Solo para el grupo')}</span>
        </span>
      )}
      {post.hidden && (
        <p className="pointer-events-none absolute top-3 left-3 rounded-full bg-toast px-3 text-meta leading-[1.75rem] text-on-toast">
          {en('Only you', 'Solo tú')}
        </p>
      )}
      {near && (showUser || showStats) && (
        <Foot post={post} large={feature !== undefined} showUser={showUser} showStats={showStats} />
      )}
    </li>
  )
}

/** The foot is outside the link, so the link's name is only the caption. */
function Foot({ post, large, showUser, showStats }: Look & { post: Post; large: boolean }) {
  return (
    <div
      className={cx(
        'foot-shade pointer-events-none absolute inset-x-0 bottom-0 flex items-center gap-[7px] p-[9px] pt-9 text-meta font-[620] text-on-overlay',
        'md:gap-[9px] md:p-3 md:pt-11 md:text-label',
        large && 'max-md:p-3.5 max-md:pt-15 max-md:text-body three:p-4.5 three:pt-[70px] three:text-name',
      )}
    >
      {showUser && post.creator && (
        <>
          {/* At medium widths, the large tile's avatar has the normal size. */}
          <span className="contents md:max-three:*:size-7!">
            <Avatar person={post.creator} size={large ? 36 : 28} />
          </span>
          <span className="min-w-0 truncate">{post.creator.name}</span>
        </>
      )}
      {showStats && (
        <span className="ml-auto flex flex-none items-center gap-1 tabular-nums">
          <Heart aria-hidden size={16} className="fill-current stroke-none" />
          <span aria-hidden>{formatNumber(post.likeCount)}</span>
          <span className="sr-only">{likes(post.likeCount)}</span>
        </span>
      )}
    </div>
  )
}

export function PostGridSkeleton({ tiles = 8, features }: { tiles?: number; features?: boolean }) {
  return (
    <div className={grid}>
      {Array.from({ length: tiles }, (_, position) => (
        <Skeleton
          // biome-ignore lint/suspicious/noArrayIndexKey: the placeholder boxes are identical
          key={position}
          className={cx(tile, features && featureAt(position))}
        />
      ))}
    </div>
  )
}
