import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'react-router'
import type { Message } from '#contract/chat/messages.ts'
import { en } from '#contract/language.ts'
import { imageVariantUrl } from '#contract/posts/feed-photo.ts'
import { ApiError } from '#web/api/client.ts'
import { groupQuery } from '#web/features/groups/queries.ts'
import { profileQuery } from '#web/features/people/queries.ts'
import { postQuery } from '#web/features/posts/queries.ts'
import { screenPaths } from '#web/paths.ts'
import { Avatar } from '#web/ui/images/avatar.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { findLinkedContent, type LinkedContent } from './find-linked-content.ts'

export function LinkedCards({ text }: { text: string }) {
  const things = useMemo(() => findLinkedContent(text, location.origin), [text])
  return things.map((thing) => {
    const Card = cards[thing.kind]
    return <Card key={`${thing.kind} ${thing.id}`} id={thing.id} />
  })
}

const cards = { post: PostCard, group: GroupCard, profile: ProfileCard } as const satisfies Record<
  LinkedContent['kind'],
  unknown
>

function PostCard({ id }: { id: string }) {
  const query = useQuery({ ...postQuery(id), retry: false })
  return (
    <Card what="post" query={query} to={screenPaths.post(id)}>
      {query.data && (
        <>
          {query.data.photos[0] && <Picture imageId={query.data.photos[0].id} />}
          <Words title={query.data.creator?.name ?? en('Post', 'Publicación')} text={query.data.caption} />
        </>
      )}
    </Card>
  )
}

function GroupCard({ id }: { id: string }) {
  const query = useQuery({ ...groupQuery(id), retry: false })
  return (
    <Card what="group" query={query} to={screenPaths.group(id)}>
      {query.data && (
        <>
          {query.data.imageId && <Picture imageId={query.data.imageId} />}
          <Words title={query.data.name} text={query.data.description} />
        </>
      )}
    </Card>
  )
}

function ProfileCard({ id }: { id: string }) {
  const query = useQuery({ ...profileQuery(id), retry: false })
  return (
    <Card what="profile" query={query} to={screenPaths.profile(id)}>
      {query.data && (
        <>
          <Avatar person={query.data} size={44} />
          <Words title={query.data.name} text={`@${query.data.username}`} />
        </>
      )}
    </Card>
  )
}

type SharedProps = { shared: NonNullable<Message['shared']>; hidden: boolean }

/** `hidden` is set until the reader accepts the sender's message request. */
export function SharedPostCard({ shared, hidden }: SharedProps) {
  if (hidden)
    return (
      <span className={`${box} mb-1.5 text-text-2`}>{en('Shared a post', 'Compartió una publicación')}</span>
    )
  if ('unavailable' in shared)
    return <span className={`${box} mb-1.5 text-text-2`}>{unavailable('post')}</span>
  return (
    <span className="mb-1.5 block">
      <PostCard id={shared.postId} />
    </span>
  )
}

const unavailableWords: Record<LinkedContent['kind'], string> = {
  post: en('This post isn’t available to you.', 'Esta publicación no está disponible para ti.'),
  group: en('This group isn’t available to you.', 'Este grupo no está disponible para ti.'),
  profile: en('This profile isn’t available to you.', 'Este perfil no está disponible para ti.'),
}

const unavailable = (what: LinkedContent['kind']) => unavailableWords[what]

type CardProps = {
  what: LinkedContent['kind']
  query: { isPending: boolean; isError: boolean; error: unknown; data: unknown; refetch: () => unknown }
  to: string
  children: React.ReactNode
}

/** The fixed height keeps the messages in place while a card loads. */
const box =
  'mt-1.5 -mx-1.5 flex h-16 w-[min(17rem,62vw)] items-center gap-3 overflow-hidden rounded-input bg-surface px-2.5 text-label text-text forced-colors:border'

function Card({ what, query, to, children }: CardProps) {
  if (query.data !== undefined && !query.isError)
    return (
      <Link to={to} className={`${box} hover:bg-sunken`}>
        {children}
      </Link>
    )
  if (query.isPending)
    return (
      <span aria-hidden className={box}>
        <Skeleton className="size-11 flex-none rounded-input" />
        <Skeleton className="h-3.5 w-1/2" />
      </span>
    )
  // For privacy, deleted and hidden posts look the same.
  const isRefused = query.error instanceof ApiError && query.error.code >= 400 && query.error.code < 500
  return (
    <span className={`${box} text-text-2`}>
      {isRefused && query.error instanceof ApiError && query.error.code !== 429 ? (
        unavailable(what)
      ) : (
        <>
          {en('We couldn’t load this.', 'No pudimos cargarlo.')}
          <button
            type="button"
            onClick={() => query.refetch()}
            className="min-h-11 font-[680] underline underline-offset-3"
          >
            {en('Try again', 'Volver a intentar')}
          </button>
        </>
      )}
    </span>
  )
}

const Picture = ({ imageId }: { imageId: string }) => (
  <img
    src={imageVariantUrl(imageId, 128)}
    alt=""
    width={44}
    height={44}
    className="size-11 flex-none rounded-input bg-sunken object-cover"
  />
)

const Words = ({ title, text }: { title: string; text: string }) => (
  <span className="min-w-0">
    <span className="block truncate font-[640]">{title}</span>
    <span dir="auto" className="block truncate text-meta text-text-2">
      {text}
    </span>
  </span>
)
