import { MapPin } from 'lucide-react'
import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { Creator } from '#contract/people.ts'
import type { Post } from '#contract/posts.ts'
import { paths } from '#web/paths.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { Picture, ratioOf } from '#web/ui/picture.tsx'
import { Skeleton, SkeletonRegion } from '#web/ui/skeleton.tsx'
import { Time } from '#web/ui/time.tsx'
import { PostActions } from './post-actions.tsx'
import { PostedIn } from './posted-in.tsx'
import { Tags } from './tags.tsx'

const altLength = 80
const sizes = '(min-width:900px) min(680px, 60vw), 100vw'

const frame = 'overflow-hidden max-md:overflow-visible md:card two:grid two:grid-cols-[auto_minmax(0,1fr)]'
const beside = 'flex min-w-0 flex-col px-1 pt-3.5 md:px-7 md:pt-[22px] md:pb-3.5'

/** The column of the picture has the picture's own ratio, as large as the window allows: no letterbox, nothing cropped. */
const picture =
  'overflow-hidden bg-sunken [--tallest:min(760px,max(460px,100dvh-132px))] max-md:rounded-tile ' +
  'two:w-[min(470px,var(--tallest)*var(--ratio))] two:content-center three:w-[min(680px,var(--tallest)*var(--ratio))]'

const withRatio = (ratio: number) => ({ '--ratio': ratio }) as CSSProperties

/** The whole post (spec §2 Post details). Beside the picture its words scroll; they never make it smaller. */
export function PostDetails({ post }: { post: Post }) {
  const { creator } = post
  return (
    <article className={frame}>
      <PageTitle title={creator ? `Post by ${creator.name}` : 'Post'} hidden />
      <div style={withRatio(ratioOf(post.image, 'whole'))} className={picture}>
        <Picture image={post.image} alt={post.caption.slice(0, altLength)} sizes={sizes} crop="whole" first />
      </div>
      <div className={`${beside} two:h-0 two:min-h-[max(100%,420px)]`}>
        {creator && <Author creator={creator} at={post.$createdAt} />}
        <Words post={post} />
        <PostActions
          post={post}
          className="mt-3.5 border-t border-border pt-2 md:-mx-7 md:mt-[18px] md:px-4.5 md:pt-2.5"
        />
      </div>
    </article>
  )
}

/** Where they are longer than the picture is tall they scroll, by the keyboard too. */
function Words({ post }: { post: Post }) {
  const words = useRef<HTMLDivElement>(null)
  const [long, setLong] = useState(false)

  useEffect(() => {
    const shown = words.current
    if (!shown) return
    const measure = new ResizeObserver(() => setLong(shown.scrollHeight > shown.clientHeight))
    measure.observe(shown)
    return () => measure.disconnect()
  }, [])

  return (
    <div
      ref={words}
      tabIndex={long ? 0 : undefined}
      className="mt-3.5 min-h-0 flex-1 md:mt-[18px] two:overflow-y-auto"
    >
      <PostedIn group={post.group} className="mb-3.5" />
      <p className="mb-3.5 flex items-start gap-[7px] text-label text-text-2 [overflow-wrap:anywhere]">
        <MapPin aria-hidden size={18} strokeWidth={2} className="mt-px flex-none" />
        {post.location}
      </p>
      <p dir="auto" className="text-body-l text-pretty whitespace-pre-line [overflow-wrap:anywhere]">
        {post.caption}
      </p>
      <Tags tags={post.tags} className="pt-3.5" />
    </div>
  )
}

function Author({ creator, at }: { creator: Creator; at: string }) {
  return (
    <header className="flex items-center gap-3 border-b border-border pb-3.5 md:-mx-7 md:px-7 md:pb-[18px]">
      <Link
        to={paths.profile(creator.$id)}
        aria-label={creator.name}
        className="flex-none focus-visible:rounded-full"
      >
        <Avatar person={creator} size={48} />
      </Link>
      <div className="min-w-0">
        <Link
          to={paths.profile(creator.$id)}
          tabIndex={-1}
          className="inline-block max-w-full truncate align-top text-name font-[680] underline-offset-3 hover:underline"
        >
          {creator.name}
        </Link>
        <p className="text-meta text-text-2">
          <Time at={at} />
        </p>
      </div>
    </header>
  )
}

export function PostDetailsSkeleton() {
  return (
    <SkeletonRegion>
      <div className={frame}>
        <div style={withRatio(0.8)} className={picture}>
          <Skeleton className="aspect-4/5 w-full rounded-none" />
        </div>
        <div className={beside}>
          <div className="flex items-center gap-3">
            <Skeleton className="size-12 rounded-full" />
            <Skeleton className="h-3.5 w-2/5" />
          </div>
          <Skeleton className="mt-8 h-3.5 w-11/12" />
          <Skeleton className="mt-3 h-3.5 w-3/5" />
        </div>
      </div>
    </SkeletonRegion>
  )
}
