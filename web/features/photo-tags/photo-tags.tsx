import { UserRoundPlus, X } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { en } from '#contract/language.ts'
import type { PhotoTag } from '#contract/photo-tags/photo-tag-schema.ts'
import type { Post } from '#contract/posts/posts.ts'
import { screenPaths } from '#web/paths.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Avatar } from '#web/ui/images/avatar.tsx'
import { HidePhotoFromOthersButton } from './hide-photo-from-others-button.tsx'
import { useAnswerPhotoTag, useWithholdPhoto } from './mutations.ts'
import { PhotoTagQuestion } from './photo-tag-question.tsx'
import { TagSomeoneDialog } from './tag-someone-dialog.tsx'
import { WithheldPhotoNotice } from './withheld-photo-notice.tsx'

export function PhotoTags({ post }: { post: Post }) {
  const [tagging, setTagging] = useState(false)
  const people = post.people ?? []
  const isHidden = (imageId: string) => post.photos.some(({ id, withheld }) => id === imageId && withheld)
  // Pending tags below a hidden photo would suggest that the people named had hidden it.
  const others = people.filter(({ me, state, imageId }) => !me && !(state === 'waiting' && isHidden(imageId)))
  const mine = people.filter(({ me }) => me)
  const shownTags = [...others, ...mine.filter(({ state }) => state === 'shown')]
  return (
    <section aria-label={en('People in this post', 'Personas en esta publicación')} className="pt-4">
      {post.can.name &&
        post.photos.map(
          (photo, at) =>
            photo.withheld && <WithheldPhotoNotice key={photo.id} post={post} photo={photo} at={at} />,
        )}
      {mine.map((photoTag) => (
        <OwnPhotoTag key={photoTag.$id} post={post} photoTag={photoTag} />
      ))}
      {shownTags.length > 0 && (
        <ul className="flex flex-wrap gap-2">
          {shownTags.map((photoTag) => (
            <PhotoTagChip key={photoTag.$id} post={post} photoTag={photoTag} />
          ))}
        </ul>
      )}
      {post.can.name && (
        <Button kind="quiet" size="sm" className="mt-2.5" onClick={() => setTagging(true)}>
          <UserRoundPlus aria-hidden size={17} strokeWidth={2} />
          {en('Tag someone', 'Etiquetar a alguien')}
        </Button>
      )}
      {tagging && <TagSomeoneDialog post={post} onClose={() => setTagging(false)} />}
    </section>
  )
}

function PhotoTagChip({ post, photoTag }: { post: Post; photoTag: PhotoTag }) {
  const { person, state } = photoTag
  const takeOff = useAnswerPhotoTag({ $id: photoTag.$id, postId: post.$id })
  const at = post.photos.findIndex(({ id }) => id === photoTag.imageId)
  return (
    <li className="flex max-w-full items-center gap-2 rounded-full bg-sunken py-1 pr-2 pl-1 text-label">
      <Avatar person={person} size={28} />
      <span className="min-w-0 truncate">
        {state === 'waiting' ? (
          <span className="text-text-2">
            {en('Waiting for ', 'Esperando a ')}
            <Link to={screenPaths.profile(person.$id)}>{person.name}</Link>
          </span>
        ) : (
          <Link to={screenPaths.profile(person.$id)} className="font-[620]">
            {person.name}
          </Link>
        )}
        {post.photos.length > 1 && at >= 0 && (
          <span className="text-text-2">
            {en(' · photo ', ' · foto ')}
            {at + 1}
          </span>
        )}
      </span>
      {post.can.name && (
        <IconButton
          label={en(`Remove ${person.name}`, `Quitar a ${person.name}`)}
          className="-my-2 -mr-2"
          onClick={() => takeOff.mutate('take-off')}
        >
          <X aria-hidden size={16} strokeWidth={2} />
        </IconButton>
      )}
    </li>
  )
}

function OwnPhotoTag({ post, photoTag }: { post: Post; photoTag: PhotoTag }) {
  const photo = { postId: post.$id, imageId: photoTag.imageId }
  const takeOff = useAnswerPhotoTag({ $id: photoTag.$id, postId: post.$id })
  const show = useWithholdPhoto(photo)
  const author = post.creator?.name
  if (photoTag.hidden)
    return (
      <Box>
        <p className="mb-2.5 font-[620]">
          {en('You asked to hide this photo. Only ', 'Pediste ocultar esta foto. Solo ')}
          {author ?? en('its author', 'su autora')}
          {en(' and you see it.', ' y tú la ven.')}
        </p>
        <Button kind="outline" size="sm" busy={show.isPending} onClick={() => show.mutate(false)}>
          {en('Show it again', 'Volver a mostrarla')}
        </Button>
      </Box>
    )
  if (photoTag.state === 'waiting')
    return (
      <Box>
        <PhotoTagQuestion
          photoTag={{ ...photo, $id: photoTag.$id }}
          authorName={author}
          onAnswered={() => {}}
        />
      </Box>
    )
  return (
    <Box>
      {photoTag.state === 'shown' && (
        <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
          <p className="font-[620]">{en('Your name is shown here.', 'Aquí se ve tu nombre.')}</p>
          <Button
            kind="outline"
            size="sm"
            busy={takeOff.isPending}
            onClick={() => takeOff.mutate('take-off')}
          >
            {en('Remove my name', 'Quitar mi nombre')}
          </Button>
        </div>
      )}
      <HidePhotoFromOthersButton photo={photo} authorName={author} />
    </Box>
  )
}

const Box = ({ children }: { children: React.ReactNode }) => (
  <div className="mb-3.5 rounded-photo p-4 inset-ring inset-ring-border">{children}</div>
)
