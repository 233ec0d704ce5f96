import { Pencil } from 'lucide-react'
import { Link } from 'react-router'
import type { Post } from '#contract/posts.ts'
import { paths } from '#web/paths.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { IconLink } from '#web/ui/button.tsx'
import { LongText } from '#web/ui/long-text.tsx'
import { Picture, preloadPicture } from '#web/ui/picture.tsx'
import { Time } from '#web/ui/time.tsx'
import { PostActions } from './post-actions.tsx'
import { PostedIn } from './posted-in.tsx'
import { Tags } from './tags.tsx'

const altLength = 80
const sizes = '(min-width:1024px) 532px, (min-width:768px) 572px, calc(100vw - 44px)'

type Props = {
  post: Post
  /** The first card of a page, whose picture must not wait. */
  first?: boolean
}

/** For the first card of a page: what it costs to draw the page is time in which its picture comes. */
export const preloadCardPicture = ({ image }: Post): void => preloadPicture(image, sizes, 'feed')

/** A post in a list. One without a creator is not rendered (spec §2). */
export function PostCard({ post, first }: Props) {
  const { creator, group } = post
  if (!creator) return null
  return (
    <article
      aria-label={`Post by ${creator.name}`}
      className="card rounded-card-small p-2.5 pb-3.5 md:rounded-card md:p-3.5 md:pb-[18px]"
    >
      <PostedIn group={group} className="px-1.5 pb-2.5" />
      <header className="flex items-center gap-3 px-1 pb-3">
        <Link
          to={paths.profile(creator.$id)}
          aria-label={creator.name}
          className="flex-none focus-visible:rounded-full"
        >
          <Avatar person={creator} size={44} />
        </Link>
        <div className="min-w-0 flex-1">
          <Link
            to={paths.profile(creator.$id)}
            tabIndex={-1}
            className="inline-block max-w-full truncate align-top text-name font-[680] tracking-[-0.008em] underline-offset-3 hover:underline"
          >
            {creator.name}
          </Link>
          <p className="flex min-w-0 items-center gap-1.5 text-meta text-text-2">
            <span className="flex-none whitespace-nowrap">
              <Time at={post.$createdAt} />
            </span>
            <span
              aria-hidden
              className="size-[3px] flex-none rounded-full bg-current opacity-70 forced-colors:bg-[CanvasText]"
            />
            <span className="truncate">{post.location}</span>
          </p>
        </div>
        {post.can.edit && (
          <IconLink to={paths.updatePost(post.$id)} label="Edit post">
            <Pencil aria-hidden size={20} strokeWidth={2} />
          </IconLink>
        )}
      </header>
      <Link
        to={paths.post(post.$id)}
        className="block overflow-hidden rounded-input focus-visible:rounded-photo md:rounded-photo"
      >
        <Picture
          image={post.image}
          alt={post.caption.slice(0, altLength)}
          sizes={sizes}
          crop="feed"
          first={first}
        />
      </Link>
      <PostActions post={post} className="pt-2.5 pb-0.5" />
      <div className="px-2 pt-0.5">
        <LongText text={post.caption} cut="line-clamp-4" className="text-body leading-[23px]" />
      </div>
      <Tags tags={post.tags} className="px-2 pt-1.5" />
    </article>
  )
}
