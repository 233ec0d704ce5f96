/** Lists pending, shown and hidden tags. Only the member sees this screen. */

import { useInfiniteQuery } from '@tanstack/react-query'
import { EyeOff, ImageOff, Settings2 } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Link } from 'react-router'
import { en } from '#contract/language.ts'
import type { PhotoOfMe } from '#contract/photo-tags/photo-tags.ts'
import { imageVariantUrl } from '#contract/posts/feed-photo.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { getCommunityName } from '#web/navigation/community-identity.ts'
import { screenPaths } from '#web/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Avatar } from '#web/ui/images/avatar.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { HidePhotoFromOthersButton } from './hide-photo-from-others-button.tsx'
import { useAnswerPhotoTag, useWithholdPhoto } from './mutations.ts'
import { PhotoTagQuestion } from './photo-tag-question.tsx'
import { PhotoWithTagMarker } from './photo-with-tag-marker.tsx'
import { photosOfMeQuery } from './queries.ts'

export function PhotosOfYouScreen() {
  const query = useInfiniteQuery(photosOfMeQuery)
  const list = useRef<HTMLDivElement>(null)
  const focusList = () => list.current?.focus()
  return (
    <div className="mx-auto max-w-[920px]">
      <div className="mx-1 mt-1 mb-3.5 flex min-h-11 flex-wrap items-center justify-between gap-2 md:mx-0 md:mt-0 md:mb-[22px]">
        <PageTitle title={en('Photos of you', 'Fotos de ti')} />
        <ButtonLink to={screenPaths.settingsPage('privacy')} kind="outline" size="sm">
          <Settings2 aria-hidden size={18} strokeWidth={1.9} />
          {en('Who can tag me', 'Quién puede etiquetarme')}
        </ButtonLink>
      </div>
      <section
        ref={list}
        tabIndex={-1}
        aria-label={en('Photos of you', 'Fotos de ti')}
        className="outline-none"
      >
        <QueryView
          query={query}
          skeleton={<RowsSkeleton />}
          noticeClassName="mb-3.5"
          isEmpty={({ pages }) =>
            pages.every(({ documents }) => documents.length === 0) && !query.hasNextPage
          }
          empty={
            <div className="card">
              <EmptyState
                title={en('Nobody has tagged you.', 'Nadie te ha etiquetado.')}
                text={en(
                  'Anyone who wants to show your name in a photo has to ask you first. The question will be here.',
                  'Quien quiera mostrar tu nombre en una foto te pregunta antes. Lo verás aquí.',
                )}
              />
            </div>
          }
        >
          {({ pages }) => {
            const photos = pages.flatMap(({ documents }) => documents)
            const waiting = photos.filter(({ state }) => state === 'waiting')
            const decided = photos.filter(({ state }) => state !== 'waiting')
            return (
              <>
                {waiting.map((photo) => (
                  <WaitingPhoto key={photo.$id} photo={photo} onAnswered={focusList} />
                ))}
                {decided.length > 0 && (
                  <>
                    {waiting.length > 0 && (
                      <h2 className="heading mx-1 mt-8 mb-3 text-name">{en('Earlier', 'Antes')}</h2>
                    )}
                    <ul className="grid gap-3.5 md:grid-cols-2 md:gap-5">
                      {decided.map((photo) => (
                        <DecidedPhoto key={photo.$id} photo={photo} onChanged={focusList} />
                      ))}
                    </ul>
                  </>
                )}
                <LoadMore query={query} what={en('photos', 'fotos')} />
              </>
            )
          }}
        </QueryView>
      </section>
    </div>
  )
}

function describeAudience({ group, audience, creator }: NonNullable<PhotoOfMe['post']>): ReactNode {
  if (audience.kind === 'everyone') {
    const community = getCommunityName()
    return en(
      `Everyone on ${community} could see your name on this photo.`,
      `Todas en ${community} podrían ver tu nombre en esta foto.`,
    )
  }
  if (audience.kind === 'followers')
    return en(
      `Followers of ${creator.name} could see your name on this photo.`,
      `Quienes siguen a ${creator.name} podrían ver tu nombre en esta foto.`,
    )
  const count = audience.count ?? 0
  return en(
    `The post is in ${group?.name ?? 'a group'}: ${count} ${count === 1 ? 'member' : 'members'} could see your name on this photo.`,
    `La publicación está en ${group?.name ?? 'un grupo'}: ${count} ${count === 1 ? 'integrante podría' : 'integrantes podrían'} ver tu nombre en esta foto.`,
  )
}

function WaitingPhoto({ photo, onAnswered }: { photo: PhotoOfMe; onAnswered: () => void }) {
  const me = useSignedInMember()
  const { post, at } = photo
  return (
    <article
      aria-label={
        post
          ? en(`${post.creator.name} tagged you`, `${post.creator.name} te etiquetó`)
          : en('Someone tagged you', 'Alguien te etiquetó')
      }
      className="card mb-5 overflow-hidden md:grid md:grid-cols-[300px_minmax(0,1fr)]"
    >
      <div className="grid max-h-[420px] content-center overflow-hidden bg-sunken">
        {post?.photo ? (
          <Link to={screenPaths.post(photo.postId)} className="block">
            <PhotoWithTagMarker
              {...photo}
              photo={post.photo}
              name={me.name}
              sizes="(min-width:768px) 300px, 100vw"
            />
          </Link>
        ) : (
          <NoPicture />
        )}
      </div>
      <div className="p-4 md:p-7">
        {post ? (
          <>
            <header className="mb-3.5 flex items-center gap-3">
              <Avatar person={post.creator} size={48} />
              <div className="min-w-0">
                <p className="truncate text-name font-[680]">
                  <Link to={screenPaths.profile(post.creator.$id)}>{post.creator.name}</Link>
                </p>
                <p className="truncate text-meta text-text-2">
                  <RelativeTime at={at} />
                  {post.group && ` · ${post.group.name}`}
                </p>
              </div>
            </header>
            <PhotoTagQuestion
              photoTag={photo}
              authorName={post.creator.name}
              audience={String(describeAudience(post))}
              onAnswered={onAnswered}
            />
          </>
        ) : (
          <>
            <p className="mb-4 text-pretty text-text-2">
              {en(
                'Someone tagged you in a photo that you can no longer see.',
                'Alguien te etiquetó en una foto que ya no ves.',
              )}
            </p>
            <HidePhotoFromOthersButton photo={photo} authorName={undefined} />
          </>
        )}
      </div>
    </article>
  )
}

function DecidedPhoto({ photo, onChanged }: { photo: PhotoOfMe; onChanged: () => void }) {
  const { post, state, imageId, at } = photo
  const takeOff = useAnswerPhotoTag(photo, onChanged)
  const show = useWithholdPhoto(photo, onChanged)
  return (
    <li className="card flex items-center gap-4 p-3.5">
      {post?.photo && state === 'shown' ? (
        <Link to={screenPaths.post(photo.postId)} className="flex-none">
          <img
            src={imageVariantUrl(imageId, 320)}
            alt={post.photo.alt || en(`Photo by ${post.creator.name}`, `Foto de ${post.creator.name}`)}
            width={92}
            height={92}
            loading="lazy"
            className="size-23 rounded-photo bg-sunken object-cover"
          />
        </Link>
      ) : (
        <span className="grid size-23 flex-none place-items-center rounded-photo bg-sunken text-text-2">
          <EyeOff aria-hidden size={22} strokeWidth={1.9} />
        </span>
      )}
      <div className="min-w-0">
        <p className="truncate font-[650]">{post?.creator.name ?? en('Someone', 'Alguien')}</p>
        <p className="mb-2 text-meta text-text-2">
          {state === 'shown'
            ? en('Your name is shown', 'Se ve tu nombre')
            : en('Hidden because you asked', 'Oculta porque lo pediste')}{' '}
          · <RelativeTime at={at} />
        </p>
        {state === 'shown' ? (
          <Button
            kind="outline"
            size="sm"
            busy={takeOff.isPending}
            onClick={() => takeOff.mutate('take-off')}
          >
            {en('Remove my name', 'Quitar mi nombre')}
          </Button>
        ) : (
          <Button kind="outline" size="sm" busy={show.isPending} onClick={() => show.mutate(false)}>
            {en('Show it again', 'Volver a mostrarla')}
          </Button>
        )}
      </div>
    </li>
  )
}

const NoPicture = () => (
  <span className="grid aspect-square place-items-center text-text-2">
    <ImageOff aria-hidden size={28} strokeWidth={1.9} />
  </span>
)

function RowsSkeleton() {
  return (
    <div className="space-y-3.5">
      {['a', 'b', 'c', 'd'].map((row) => (
        <Skeleton key={row} className="h-30 rounded-card" />
      ))}
    </div>
  )
}
