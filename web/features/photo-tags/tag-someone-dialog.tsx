import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type MouseEvent, useId, useState } from 'react'
import { en } from '#contract/language.ts'
import type { PersonSummary } from '#contract/people/people.ts'
import { maxTagsInPhoto } from '#contract/photo-tags/photo-tags.ts'
import { imageVariantUrl } from '#contract/posts/feed-photo.ts'
import type { Post } from '#contract/posts/posts.ts'
import { ApiError } from '#web/api/client.ts'
import { AvatarWithName, PersonSkeleton } from '#web/ui/avatar-with-name.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { Modal } from '#web/ui/modal.tsx'
import { SearchBox } from '#web/ui/search-box.tsx'
import { useDebounced } from '#web/ui/use-debounced.ts'
import { useTagPerson } from './mutations.ts'
import { taggablePeopleQuery } from './queries.ts'
import { TagPositionMarker } from './tag-position-marker.tsx'

type Place = { x: number; y: number }
const middle: Place = { x: 0.5, y: 0.5 }

export function TagSomeoneDialog({ post, onClose }: { post: Post; onClose: () => void }) {
  const id = useId()
  const [imageId, setImageId] = useState(post.photos[0]?.id ?? '')
  const [place, setPlace] = useState<Place>()
  const [chosen, setChosen] = useState<PersonSummary>()
  const [term, setTerm] = useState('')
  const tag = useTagPerson(onClose)
  const photo = post.photos.find((one) => one.id === imageId) ?? post.photos[0]
  if (!photo) return null

  function point(event: MouseEvent<HTMLElement>) {
    const box = event.currentTarget.getBoundingClientRect()
    setPlace({ x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height })
  }

  function ask() {
    if (!chosen) return
    tag.mutate({ postId: post.$id, imageId: photo?.id ?? '', personId: chosen.$id, ...(place ?? middle) })
  }

  return (
    <Modal
      open
      role="dialog"
      labelledBy={`${id}-title`}
      describedBy={`${id}-text`}
      onClose={onClose}
      className="w-[min(560px,calc(100%-32px))]"
    >
      <header className="flex items-center justify-between gap-3 pt-5 pr-4 pl-7">
        <h2 id={`${id}-title`} className="heading text-[1.375rem] leading-[1.75rem]">
          {en('Tag someone', 'Etiquetar a alguien')}
        </h2>
        <IconButton label={en('Close', 'Cerrar')} onClick={onClose}>
          <X aria-hidden size={20} strokeWidth={2} />
        </IconButton>
      </header>
      <div className="max-h-[min(78dvh,760px)] overflow-y-auto px-7 pb-7">
        <p id={`${id}-text`} className="mt-1 mb-3 text-pretty text-text-2">
          {en(
            'Press where she is. We ask her first: until she agrees, only the two of you see the tag.',
            'Pulsa donde está. Primero le preguntamos: hasta que acepte, solo ella y tú ven la etiqueta.',
          )}
        </p>
        {post.photos.length > 1 && (
          <PhotoChoice
            post={post}
            chosen={photo.id}
            onChoose={(next) => {
              setImageId(next)
              setPlace(undefined)
            }}
          />
        )}
        {/* Only pointers can choose a position. The list works without a position. */}
        <div className="mb-3.5 grid place-items-center overflow-hidden rounded-photo bg-sunken">
          {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: keyboard users can tag people with the list below */}
          <div className="relative w-fit cursor-crosshair" onClick={point} data-photo-place>
            <img
              src={imageVariantUrl(photo.id, 640)}
              alt={photo.alt || en('Your photo', 'Tu foto')}
              width={photo.width}
              height={photo.height}
              className="block h-auto max-h-[38dvh] w-auto max-w-full"
            />
            {place && <TagPositionMarker {...place} {...(chosen && { name: chosen.name })} />}
          </div>
        </div>
        <SearchBox label={en('Search people', 'Buscar personas')} value={term} onChange={setTerm} />
        <People
          photo={{ postId: post.$id, imageId: photo.id }}
          term={term.trim()}
          chosen={chosen?.$id}
          onChoose={setChosen}
        />
        {tag.error && (
          <p role="alert" className="mt-3 text-label font-[620] text-danger">
            {describeFailure(tag.error)}
          </p>
        )}
        <div className="mt-4 flex justify-end gap-2.5">
          <Button kind="ghost" onClick={onClose}>
            {en('Cancel', 'Cancelar')}
          </Button>
          <Button busy={tag.isPending} disabled={!chosen} onClick={ask}>
            {en('Ask her', 'Preguntarle')}
          </Button>
        </div>
      </div>
    </Modal>
  )
}

function describeFailure(error: unknown): string {
  if (error instanceof ApiError && error.type === 'person_not_named')
    return en('She can’t be tagged in this photo.', 'No se la puede etiquetar en esta foto.')
  if (error instanceof ApiError && error.type === 'named_people_full')
    return en(
      `At most ${maxTagsInPhoto} people can be tagged in a photo.`,
      `Se pueden etiquetar ${maxTagsInPhoto} personas en una foto, como mucho.`,
    )
  if (error instanceof ApiError && error.type === 'general_rate_limit_exceeded')
    return en(
      'You’ve reached today’s limit. Try again tomorrow.',
      'Llegaste al límite de hoy. Prueba mañana.',
    )
  return en('We couldn’t ask her. Try again.', 'No pudimos preguntarle. Inténtalo de nuevo.')
}

type PhotoChoiceProps = { post: Post; chosen: string; onChoose: (imageId: string) => void }

function PhotoChoice({ post, chosen, onChoose }: PhotoChoiceProps) {
  return (
    <div role="radiogroup" aria-label={en('Photo', 'Foto')} className="mb-3 flex gap-2 overflow-x-auto p-0.5">
      {post.photos.map(({ id }, at) => (
        <label key={id} className="relative flex-none">
          <input
            type="radio"
            name="tagged-photo"
            checked={id === chosen}
            aria-label={en(`Photo ${at + 1}`, `Foto ${at + 1}`)}
            onChange={() => onChoose(id)}
            className="peer absolute inset-0 appearance-none rounded-input"
          />
          <img
            src={imageVariantUrl(id, 128)}
            alt=""
            width={52}
            height={52}
            className="size-13 rounded-input bg-sunken object-cover opacity-60 peer-checked:opacity-100 peer-checked:outline-2 peer-checked:outline-brand"
          />
        </label>
      ))}
    </div>
  )
}

type PeopleProps = {
  photo: { postId: string; imageId: string }
  term: string
  chosen: string | undefined
  onChoose: (person: PersonSummary) => void
}

/** Suggests followers; other members need a search. */
function People({ photo, term, chosen, onChoose }: PeopleProps) {
  const query = useQuery(taggablePeopleQuery(photo, useDebounced(term, 250)))
  const people = query.data?.documents
  if (query.isError)
    return (
      <p role="alert" className="py-4 text-center text-text-2">
        {en('We couldn’t load people.', 'No pudimos cargar a las personas.')}{' '}
        <Button kind="soft" size="sm" onClick={() => void query.refetch()}>
          {en('Try again', 'Volver a intentar')}
        </Button>
      </p>
    )
  if (!people)
    return (
      <div className="pt-2">
        {['a', 'b', 'c'].map((row) => (
          <PersonSkeleton key={row} className="py-2" />
        ))}
      </div>
    )
  if (people.length === 0)
    return (
      <p className="py-4 text-center text-pretty text-text-2">
        {term
          ? en(
              'Nobody by that name can be tagged here. Each member chooses who can tag her: everyone, people she follows, or nobody.',
              'No se puede etiquetar aquí a nadie con ese nombre. Cada integrante elige quién puede etiquetarla: todo el mundo, las personas a las que sigue o nadie.',
            )
          : en(
              'Nobody can be tagged here yet. Search for a name.',
              'Todavía no se puede etiquetar a nadie aquí. Busca un nombre.',
            )}
      </p>
    )
  return (
    <div role="radiogroup" aria-label={en('People', 'Personas')} className="pt-2">
      {people.map((person) => (
        <label
          key={person.$id}
          className={cx(
            'relative flex cursor-pointer items-center gap-3 rounded-input px-2 py-2 hover:bg-sunken has-focus-visible:outline-2 has-focus-visible:outline-focus',
            person.$id === chosen && 'bg-brand-soft',
          )}
        >
          <input
            type="radio"
            name="tagged-person"
            checked={person.$id === chosen}
            onChange={() => onChoose(person)}
            aria-label={person.name}
            className="absolute inset-0 cursor-pointer appearance-none rounded-input outline-none"
          />
          <AvatarWithName person={person} />
        </label>
      ))}
    </div>
  )
}
