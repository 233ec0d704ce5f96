import {
  type Announcements,
  closestCenter,
  DndContext,
  KeyboardSensor,
  MouseSensor,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import {
  arrayMove,
  rectSortingStrategy,
  SortableContext,
  sortableKeyboardCoordinates,
} from '@dnd-kit/sortable'
import { ArrowLeft, ArrowLeftToLine, ArrowRight, CircleAlert, Crop, ImagePlus, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { en } from '#contract/language.ts'
import { maxPostPhotos } from '#contract/limits.ts'
import type { ImageUploads } from '#web/forms/use-image-uploads.ts'
import { useImageDrop } from '#web/ui/images/accept-images.ts'
import { Menu } from '#web/ui/menu.tsx'
import type { PostDraftPhoto } from '../post-form-schema.ts'
import { isNotUploaded, PhotoTile } from './photo-tile.tsx'
import './photos.css'

type Props = {
  photos: readonly PostDraftPhoto[]
  chosen: PostDraftPhoto
  uploads: ImageUploads
  disabled: boolean
  onChoose: (photo: PostDraftPhoto) => void
  onOrder: (photos: PostDraftPhoto[]) => void
  onCrop: (photo: PostDraftPhoto) => void
  onRemove: (photo: PostDraftPhoto) => void
  onTryAgain: (file: File) => void
  onAdd: (file: File) => void
  onRefuse: (reason: string) => void
}

const instructions = en(
  'Press Space to pick the photo up, the arrows to move it, Space to put it down, Escape to put it back.',
  'Pulsa Espacio para levantar la foto, las flechas para moverla, Espacio para dejarla y Escape para devolverla.',
)

/** The library's announcements are assertive; the strip has a polite live region. */
const silent: Announcements = {
  onDragStart: () => undefined,
  onDragOver: () => undefined,
  onDragEnd: () => undefined,
  onDragCancel: () => undefined,
}

export function PhotoStrip(props: Props) {
  const { photos, chosen, uploads, disabled } = props
  const { onChoose, onOrder, onCrop, onRemove, onTryAgain, onAdd, onRefuse } = props
  const room = maxPostPhotos - photos.length
  const [menu, setMenu] = useState<{ photo: PostDraftPhoto; button: HTMLElement }>()
  const [said, setSaid] = useState('')
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 200, tolerance: 8 } }),
    useSensor(KeyboardSensor, {
      coordinateGetter: sortableKeyboardCoordinates,
      // Enter opens the photo, like a click, so it must not start a move.
      keyboardCodes: { start: ['Space'], cancel: ['Escape'], end: ['Space', 'Enter', 'Tab'] },
    }),
  )
  const { getRootProps, getInputProps, isDragActive, open } = useImageDrop({
    room,
    disabled,
    noClick: true,
    convertible: true,
    onChoose: onAdd,
    onRefuse,
  })
  const indexOfKey = (id: unknown) => photos.findIndex(({ key }) => key === id)
  const place = useRef<number>(undefined)

  function say(at: number, how = '') {
    place.current = at
    setSaid(en(`${how}Photo ${at + 1} of ${photos.length}`, `${how}Foto ${at + 1} de ${photos.length}`))
  }

  function moveTo(from: number, to: number) {
    onOrder(arrayMove([...photos], from, to))
    say(to)
  }

  return (
    <div {...getRootProps({ role: 'group', 'aria-label': en('Photo order', 'Orden de las fotos') })}>
      <input {...getInputProps({ 'aria-label': en('Files to add', 'Archivos por añadir') })} />
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        accessibility={{ announcements: silent, screenReaderInstructions: { draggable: instructions } }}
        onDragStart={({ active }) => say(indexOfKey(active.id), en('Picked up. ', 'Levantada. '))}
        onDragOver={({ over }) => over && indexOfKey(over.id) !== place.current && say(indexOfKey(over.id))}
        onDragCancel={({ active }) => say(indexOfKey(active.id), en('Put back. ', 'Devuelta. '))}
        onDragEnd={({ active, over }) => {
          const [from, to] = [indexOfKey(active.id), indexOfKey(over?.id ?? active.id)]
          if (from !== to) onOrder(arrayMove([...photos], from, to))
          say(to, en('Put down. ', 'Puesta. '))
        }}
      >
        <SortableContext items={photos.map(({ key }) => key)} strategy={rectSortingStrategy}>
          <ul className="photo-strip" data-dropping={isDragActive || undefined}>
            {photos.map((photo, at) => (
              <PhotoTile
                key={photo.key}
                photo={photo}
                at={at}
                state={uploads.stateOf(photo.file)}
                ready={uploads.readyOf(photo.file)}
                chosen={photo.key === chosen.key}
                disabled={disabled}
                onChoose={() => onChoose(photo)}
                onMenu={(button) => setMenu({ photo, button })}
              />
            ))}
            {room > 0 && (
              <li>
                <button type="button" disabled={disabled} onClick={open} className="add hover:bg-brand-soft">
                  <ImagePlus aria-hidden size={20} strokeWidth={2} />
                  {en('Add photos', 'Añadir fotos')}
                </button>
              </li>
            )}
          </ul>
        </SortableContext>
      </DndContext>
      {room === 0 && (
        <p className="mt-2 text-meta text-text-2">
          {en('You’ve added ten photos, the maximum.', 'Ya tienes diez fotos, el máximo.')}
        </p>
      )}
      <p aria-live="polite" className="sr-only">
        {said}
      </p>
      <div role="status">
        {photos.map((photo, at) => {
          const { file } = photo
          const state = uploads.stateOf(file)
          if (!file || !isNotUploaded(state)) return null
          const isRefused = state.phase === 'refused'
          return (
            <p key={photo.key} className="photo-not-uploaded text-label">
              <CircleAlert aria-hidden size={18} strokeWidth={2.1} className="flex-none" />
              <span className="font-[550]">
                {isRefused
                  ? en(`Photo ${at + 1}: ${state.reason}`, `Foto ${at + 1}: ${state.reason}`)
                  : en(`Photo ${at + 1} was not uploaded.`, `La foto ${at + 1} no se subió.`)}
              </span>
              {!isRefused && (
                <button type="button" onClick={() => onTryAgain(file)}>
                  {en('Try again', 'Volver a intentar')}
                </button>
              )}
              <button type="button" onClick={() => onRemove(photo)}>
                {en('Remove', 'Quitar')}
              </button>
            </p>
          )
        })}
      </div>
      <Menu
        button={menu?.button}
        label={
          menu ? en(`Photo ${indexOfKey(menu.photo.key) + 1}`, `Foto ${indexOfKey(menu.photo.key) + 1}`) : ''
        }
        items={menu ? menuOf(menu.photo) : []}
        onClose={() => setMenu(undefined)}
      />
    </div>
  )

  function menuOf(photo: PostDraftPhoto) {
    const at = indexOfKey(photo.key)
    return [
      ...(at > 0
        ? [
            { label: en('Move first', 'Poner la primera'), icon: ArrowLeftToLine, run: () => moveTo(at, 0) },
            {
              label: en('Move left', 'Mover a la izquierda'),
              icon: ArrowLeft,
              run: () => moveTo(at, at - 1),
            },
          ]
        : []),
      ...(at < photos.length - 1
        ? [{ label: en('Move right', 'Mover a la derecha'), icon: ArrowRight, run: () => moveTo(at, at + 1) }]
        : []),
      ...(photo.imageId || uploads.readyOf(photo.file)
        ? [{ label: en('Crop', 'Recortar'), icon: Crop, run: () => onCrop(photo) }]
        : []),
      { label: en('Remove', 'Quitar'), icon: Trash2, danger: true, run: () => onRemove(photo) },
    ]
  }
}
