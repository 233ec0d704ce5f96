import { Pencil } from 'lucide-react'
import { Link } from 'react-router'
import { en } from '#contract/language.ts'
import { cardPhotoSizes as sizes } from '#contract/posts/feed-photo.ts'
import { hasPlace } from '#contract/posts/no-place.ts'
import type { Post } from '#contract/posts/posts.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { PersonMenuButton } from '#web/features/people/person-menu-button.tsx'
import { PlaceLink } from '#web/features/posts/topics/place-link.tsx'
import { lazyPart } from '#web/navigation/lazy-part.tsx'
import { screenPaths } from '#web/paths.ts'
import { IconLink } from '#web/ui/button.tsx'
import { ExpandableText } from '#web/ui/expandable-text.tsx'
import { isCropped, PostPicture, preloadPostPicture } from '#web/ui/images/post-picture.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { EditedMark } from './edits/edited-mark.tsx'
import { GroupLabel } from './group-label.tsx'
import { coverAltTextOf } from './photos/photo-alt-text.ts'
import { LazyTextWithLinks, PostActionButtons } from './post-action-buttons.tsx'
import { PostAuthor } from './post-author.tsx'
import { PostTags } from './post-tags.tsx'

const Carousel = lazyPart(async () => (await import('./photos/photo-carousel.tsx')).PhotoCarousel)
const WholePhoto = lazyPart(async () => (await import('./photos/whole-photo-link.tsx')).WholePhotoLink)

const pictureCorners = 'rounded-input md:rounded-photo'

type Props = {
  post: Post
  first?: boolean
}

export const preloadPostCardPicture = ({ image }: Post): void => preloadPostPicture(image, sizes, 'feed')

export function PostCard({ post, first }: Props) {
  const me = useSignedInMember()
  const { creator, group } = post
  if (!creator) return null
  const to = screenPaths.post(post.$id)
  return (
    <article
      aria-label={en(`Post by ${creator.name}`, `Publicación de ${creator.name}`)}
      className="card rounded-card-small p-2.5 pb-3.5 md:rounded-card md:p-3.5 md:pb-[18px]"
    >
      <GroupLabel group={group} className="px-1.5 pb-2.5" />
      <header className="flex items-center gap-3 px-1 pb-3">
        <PostAuthor creator={creator} size={44} nameClassName="tracking-[-0.008em]">
          <p className="flex min-w-0 items-center gap-1.5 text-meta text-text-2 max-[15rem]:flex-wrap">
            <span className="flex-none whitespace-nowrap max-[15rem]:flex-auto max-[15rem]:whitespace-normal">
              <RelativeTime at={post.$createdAt} />
              <EditedMark at={post.editedAt} />
            </span>
            {hasPlace(post.location) && (
              <>
                <span
                  aria-hidden
                  className="size-[3px] flex-none rounded-full bg-current opacity-70 forced-colors:bg-[CanvasText]"
                />
                <PlaceLink place={post.location} className="-mb-1.5 truncate pb-1.5" />
              </>
            )}
          </p>
        </PostAuthor>
        {creator.$id !== me.$id && !post.blocked && <PersonMenuButton person={creator} post={post} />}
        {post.can.edit && (
          <IconLink to={screenPaths.updatePost(post.$id)} label={en('Edit post', 'Editar publicación')}>
            <Pencil aria-hidden size={20} strokeWidth={2} />
          </IconLink>
        )}
      </header>
      <Photos post={post} first={first} to={to} />
      <PostActionButtons post={post} className="pt-2.5 pb-0.5" />
      <div className="px-2 pt-0.5">
        <ExpandableText
          text={
            post.mentions || post.caption.includes('#') ? (
              <LazyTextWithLinks text={post.caption} mentions={post.mentions} fallback={post.caption} />
            ) : (
              post.caption
            )
          }
          cut="line-clamp-4"
          className="text-body leading-[1.4375rem]"
        />
      </div>
      <PostTags tags={post.tags} className="px-2 pt-1.5" />
    </article>
  )
}

/** The carousel appears over the cover, which is not rendered again. */
function Photos({ post, first, to }: Props & { to: string }) {
  const cover = (
    <Link to={to} className={`block overflow-hidden focus-visible:rounded-photo ${pictureCorners}`}>
      <PostPicture image={post.image} alt={coverAltTextOf(post)} sizes={sizes} crop="feed" first={first} />
    </Link>
  )
  if (post.photos.length > 1) {
    return (
      <Carousel
        post={post}
        framing="feed"
        sizes={sizes}
        first={first}
        to={to}
        className={pictureCorners}
        fallback={cover}
      />
    )
  }
  if (!isCropped(post.image, 'feed')) return cover
  return (
    <div className="relative">
      {cover}
      <WholePhoto post={post} at={0} />
    </div>
  )
}
