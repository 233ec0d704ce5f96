import { MapPin } from 'lucide-react'
import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { en } from '#contract/language.ts'
import type { PersonSummary } from '#contract/people/people.ts'
import { hasPlace } from '#contract/posts/no-place.ts'
import type { Post } from '#contract/posts/posts.ts'
import { isOwnedBySignedInMember, useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { LazyCommentComposer, LazyComments } from '#web/features/comments/lazy-comments.ts'
import { TextWithMentionsAndHashtags } from '#web/features/comments/text-with-mentions-and-hashtags.tsx'
import { LeftGroupPostButtons } from '#web/features/groups/leaving/left-group-post-buttons.tsx'
import { HiddenPostNotice } from '#web/features/moderation/hidden-post-notice.tsx'
import { PersonMenuButton } from '#web/features/people/person-menu-button.tsx'
import { hasPhotoTagInfo, LazyPhotoTags } from '#web/features/photo-tags/lazy-photo-tags.ts'
import { PlaceLink } from '#web/features/posts/topics/place-link.tsx'
import { getListDialogLink } from '#web/navigation/use-list-dialog-state.ts'
import { PageTitle } from '#web/ui/page-title.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useMediaQuery } from '#web/ui/use-media-query.ts'
import { PostAudienceReceipt } from './audience/post-audience-receipt.tsx'
import { EarlierVersionsButton } from './edits/earlier-versions-button.tsx'
import { EditedMark } from './edits/edited-mark.tsx'
import { GroupLabel } from './group-label.tsx'
import { getFrameAspectRatio } from './photos/photo-framing.ts'
import { PostPhotos } from './photos/post-photos.tsx'
import { PostActionButtons } from './post-action-buttons.tsx'
import { PostAuthor } from './post-author.tsx'
import { PostTags } from './post-tags.tsx'

const sizes = '(min-width:900px) min(680px, 60vw), 100vw'

/** Leaves the text a readable width. */
const frame =
  'overflow-hidden [--tallest:min(760px,max(460px,100dvh-132px))] max-md:overflow-visible md:card two:grid ' +
  'two:grid-cols-[minmax(0,min(470px,var(--tallest)*var(--ratio)))_minmax(22.5rem,1fr)] ' +
  'three:grid-cols-[minmax(0,min(680px,var(--tallest)*var(--ratio)))_minmax(22.5rem,1fr)]'
const beside = 'flex min-w-0 flex-col px-1 pt-3.5 md:px-7 md:pt-[22px] md:pb-3.5'

const picture = 'overflow-hidden bg-sunken max-md:rounded-tile two:content-center'

/** Narrower screens show text and comments below the image. */
const besideMedia = '(min-width: 56.25rem)'

const withRatio = (ratio: number) => ({ '--ratio': ratio }) as CSSProperties

/** Text beside the image scrolls, so the image keeps its size. */
export function PostDetails({ post }: { post: Post }) {
  const { creator } = post
  const isBeside = useMediaQuery(besideMedia)
  return (
    <article className={frame} style={withRatio(getFrameAspectRatio(post, 'whole'))}>
      <PageTitle
        title={
          creator
            ? en(`Post by ${creator.name}`, `Publicación de ${creator.name}`)
            : en('Post', 'Publicación')
        }
        hidden
      />
      <div className={picture}>
        <PostPhotos post={post} sizes={sizes} />
      </div>
      <div className={`${beside} two:h-0 two:min-h-[max(100%,min(720px,80dvh))]`}>
        {creator && <Author creator={creator} post={post} />}
        <Words post={post} />
        <PostActionButtons
          post={post}
          className="mt-3.5 border-t border-border pt-2 md:-mx-7 md:mt-[18px] md:px-4.5 md:pt-2.5"
        >
          {post.likeCount > 0 && (
            <Link
              to={getListDialogLink('likers')}
              className="flex min-h-11 min-w-0 items-center rounded-full px-3 hover:bg-sunken hover:text-text max-md:px-1.5 max-md:text-label"
            >
              <span className="truncate">{en('Who likes this', 'A quién le gusta')}</span>
            </Link>
          )}
        </PostActionButtons>
        {!isBeside && <LazyComments post={post} />}
        <LazyCommentComposer post={post} />
      </div>
    </article>
  )
}

function Words({ post }: { post: Post }) {
  const words = useRef<HTMLDivElement>(null)
  const [long, setLong] = useState(false)
  const isBeside = useMediaQuery(besideMedia)
  /** If all photos are withheld, only the author sees the post. */
  const isWithheld = post.photos.every(({ withheld }) => withheld)

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
      {post.hidden && <HiddenPostNotice hidden={post.hidden} />}
      <GroupLabel group={post.group} className="mb-3.5" />
      {post.groupId && post.can.takeAlong && <LeftGroupPostButtons post={post} groupId={post.groupId} />}
      {hasPlace(post.location) && (
        <p className="mb-3.5 flex items-start gap-[7px] text-label text-text-2 [overflow-wrap:anywhere]">
          <MapPin aria-hidden size={18} strokeWidth={2} className="mt-px flex-none" />
          <PlaceLink place={post.location} className="-my-1 inline-block py-1" />
        </p>
      )}
      <p dir="auto" className="text-body-l text-pretty whitespace-pre-line [overflow-wrap:anywhere]">
        <TextWithMentionsAndHashtags text={post.caption} mentions={post.mentions} />
      </p>
      <PostTags tags={post.tags} className="pt-3.5" />
      {hasPhotoTagInfo(post) && <LazyPhotoTags post={post} />}
      {post.receipt && !isWithheld && <PostAudienceReceipt post={post} />}
      {isBeside && <LazyComments post={post} />}
    </div>
  )
}

function Author({ creator, post }: { creator: PersonSummary; post: Post }) {
  const isOwn = isOwnedBySignedInMember(useSignedInMember(), creator.$id)
  return (
    <header className="flex items-center gap-3 border-b border-border pb-3.5 md:-mx-7 md:px-7 md:pb-[18px]">
      <PostAuthor creator={creator} size={48}>
        <p className="text-meta text-text-2">
          <RelativeTime at={post.$createdAt} />
          <EditedMark at={post.editedAt} />
          {post.editedAt && isOwn && <EarlierVersionsButton post={post} />}
        </p>
      </PostAuthor>
      {!isOwn && !post.blocked && <PersonMenuButton person={creator} post={post} leavesPage />}
    </header>
  )
}

export function PostDetailsSkeleton() {
  return (
    <div className={frame} style={withRatio(0.8)}>
      <div className={picture}>
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
  )
}
