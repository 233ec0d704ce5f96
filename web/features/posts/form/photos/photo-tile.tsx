import { useSortable } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { CircleAlert, EllipsisVertical, ImageOff } from 'lucide-react'
import { en } from '#contract/language.ts'
import { imageVariantUrl } from '#contract/posts/feed-photo.ts'
import type { PhotoUploadState } from '#web/forms/use-image-uploads.ts'
import { isPhotoMissing, missingPhotoMessage, type PostDraftPhoto } from '../post-form-schema.ts'
import { usePhotoThumbnail } from './use-photo-thumbnail.ts'

type Props = {
  photo: PostDraftPhoto
  at: number
  state: PhotoUploadState
  ready: File | null
  chosen: boolean
  disabled: boolean
  onChoose: () => void
  onMenu: (button: HTMLElement) => void
}

export const isNotUploaded = ({ phase }: PhotoUploadState): boolean =>
  phase === 'failed' || phase === 'broken' || phase === 'refused'

export function PhotoTile({ photo, at, state, ready, chosen, disabled, onChoose, onMenu }: Props) {
  const sortable = useSortable({
    id: photo.key,
    disabled,
    attributes: { roleDescription: en('sortable photo', 'foto que se puede ordenar') },
  })
  const thumbnail = usePhotoThumbnail(ready)
  const url = photo.imageId ? imageVariantUrl(photo.imageId, 320) : thumbnail
  const failed = isNotUploaded(state)
  const missing = isPhotoMissing(photo)
  const isDescribed = photo.alt.trim() !== ''
  const name = en(`Photo ${at + 1}`, `Foto ${at + 1}`)
  return (
    <li
      ref={sortable.setNodeRef}
      data-tile
      data-moving={sortable.isDragging || undefined}
      data-failed={failed || undefined}
      style={{ transform: CSS.Translate.toString(sortable.transform), transition: sortable.transition }}
    >
      <button
        ref={sortable.setActivatorNodeRef}
        type="button"
        {...sortable.attributes}
        {...sortable.listeners}
        aria-pressed={chosen}
        aria-label={[
          name,
          at === 0 && en('cover', 'portada'),
          failed && en('not uploaded', 'sin subir'),
          missing && missingPhotoMessage.toLowerCase(),
          isDescribed ? en('described', 'con descripción') : en('no description', 'sin descripción'),
        ]
          .filter(Boolean)
          .join(', ')}
        onClick={onChoose}
        className="bg-sunken"
      >
        {url ? (
          <img src={url} alt="" draggable={false} className="size-full object-cover" />
        ) : missing ? (
          <span className="block px-1 text-center text-micro font-semibold text-danger">
            {missingPhotoMessage}
          </span>
        ) : (
          <ImageOff aria-hidden size={22} strokeWidth={1.9} className="mx-auto text-text-2" />
        )}
      </button>
      <span aria-hidden className="badge place">
        {at === 0 ? en('Cover', 'Portada') : at + 1}
      </span>
      <span aria-hidden className="badge alt" data-missing={!isDescribed || undefined}>
        ALT
      </span>
      {['preparing', 'waiting', 'sending'].includes(state.phase) && (
        <Progress
          name={name}
          percent={state.phase === 'sending' && state.percent > 0 ? state.percent : undefined}
        />
      )}
      {failed && <CircleAlert aria-hidden size={26} strokeWidth={2.1} className="failed" />}
      <button
        type="button"
        disabled={disabled}
        aria-label={en(`Options for photo ${at + 1}`, `Opciones de la foto ${at + 1}`)}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => onMenu(currentTarget)}
        className="options"
      >
        <EllipsisVertical aria-hidden size={16} strokeWidth={2.2} />
      </button>
    </li>
  )
}

const radius = 18
const around = 2 * Math.PI * radius

function Progress({ name, percent }: { name: string; percent: number | undefined }) {
  const isUnknown = percent === undefined
  return (
    <span
      role="progressbar"
      aria-label={name}
      aria-valuenow={percent}
      aria-busy={isUnknown || undefined}
      data-unknown={isUnknown || undefined}
      className="progress"
    >
      <svg aria-hidden viewBox="0 0 44 44">
        <circle cx="22" cy="22" r={radius} />
        <circle
          cx="22"
          cy="22"
          r={radius}
          strokeDasharray={around}
          strokeDashoffset={around * (1 - (percent ?? 25) / 100)}
        />
      </svg>
      <span aria-hidden>{percent}</span>
    </span>
  )
}
