import { ChevronLeft, ChevronRight, X, ZoomIn, ZoomOut } from 'lucide-react'
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { en } from '#contract/language.ts'
import { imageVariantUrl } from '#contract/posts/feed-photo.ts'
import { IconButton } from '../button.tsx'
import { PhotoDescription } from './photo-description.tsx'
import './photo-viewer.css'
import type { ViewerPhoto } from './progressive-photo.tsx'
import { maxZoom, type StageControls, ZoomableStage } from './zoomable-stage.tsx'

type Props = {
  photos: readonly ViewerPhoto[]
  start: number
  onTurn?: (at: number) => void
  onClose: () => void
}

/** The stage handles these keys wherever the focus is. `=` is `+` without Shift. */
const stageKeys: Record<string, string> = { '=': '+', '+': '+', '-': '-', '0': '0' }
const turnKeys = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']

/** The native dialog traps the focus and returns it to the photo that opened the viewer. */
export function PhotoViewer({ photos, start, onTurn, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const close = useRef<HTMLButtonElement>(null)
  const stage = useRef<StageControls>(null)
  const [at, setAt] = useState(start)
  const [zoom, setZoom] = useState(1)
  const photo = photos[at]

  function turnTo(next: number) {
    setAt(next)
    onTurn?.(next)
  }

  // A dialog returns the focus only while in the document, so it closes before React removes it.
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    close.current?.focus()
    return () => shown?.close()
  }, [])

  function onKeyDown(event: KeyboardEvent) {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const isText = event.target instanceof Element && event.target.closest('[data-description]')
    const key = stageKeys[event.key] ?? (turnKeys.includes(event.key) && !isText ? event.key : undefined)
    if (key && stage.current?.press(key, event.target)) event.preventDefault()
  }

  return (
    <dialog
      ref={dialog}
      aria-modal
      aria-label={
        photos.length > 1
          ? en(`Photo ${at + 1} of ${photos.length}`, `Foto ${at + 1} de ${photos.length}`)
          : en('Photo', 'Foto')
      }
      className="photo-viewer"
      onKeyDown={onKeyDown}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <header>
        <p aria-hidden className="text-body tabular-nums">
          {photos.length > 1 && `${at + 1} / ${photos.length}`}
        </p>
        <IconButton
          label={en('Zoom out', 'Alejar')}
          aria-disabled={zoom <= 1}
          className="max-md:hidden"
          onClick={() => stage.current?.press('-')}
        >
          <ZoomOut aria-hidden size={22} strokeWidth={1.9} />
        </IconButton>
        <IconButton
          label={en('Zoom in', 'Acercar')}
          aria-disabled={zoom >= maxZoom}
          className="max-md:hidden"
          onClick={() => stage.current?.press('+')}
        >
          <ZoomIn aria-hidden size={22} strokeWidth={1.9} />
        </IconButton>
        <IconButton ref={close} label={en('Close', 'Cerrar')} onClick={onClose}>
          <X aria-hidden size={22} strokeWidth={1.9} />
        </IconButton>
      </header>
      <div className="stage">
        <ZoomableStage
          controls={stage}
          photos={photos}
          at={at}
          onTurn={turnTo}
          onZoom={setZoom}
          onClose={onClose}
        />
        {photos.length > 1 && (
          <>
            <TurnButton
              label={en('Previous photo', 'Foto anterior')}
              disabled={at === 0}
              onPress={() => stage.current?.turn('prev')}
            />
            <TurnButton
              label={en('Next photo', 'Foto siguiente')}
              disabled={at === photos.length - 1}
              onPress={() => stage.current?.turn('next')}
            />
          </>
        )}
      </div>
      <footer>
        {photo?.description && <PhotoDescription key={photo.id} text={photo.description} />}
        {photos.length > 1 && <Thumbnails photos={photos} at={at} onChoose={turnTo} />}
      </footer>
    </dialog>
  )
}

function TurnButton({ label, disabled, onPress }: { label: string; disabled: boolean; onPress: () => void }) {
  const isNext = label === en('Next photo', 'Foto siguiente')
  const Icon = isNext ? ChevronRight : ChevronLeft
  return (
    <button
      type="button"
      aria-label={label}
      aria-disabled={disabled}
      onClick={onPress}
      data-turn={isNext ? 'next' : 'previous'}
    >
      <Icon aria-hidden size={24} strokeWidth={2} />
    </button>
  )
}

type ThumbnailsProps = { photos: readonly ViewerPhoto[]; at: number; onChoose: (at: number) => void }

function Thumbnails({ photos, at, onChoose }: ThumbnailsProps) {
  const list = useRef<HTMLUListElement>(null)
  useLayoutEffect(() => {
    const shown = list.current
    const chosen = shown?.children[at]
    if (!shown || !(chosen instanceof HTMLElement)) return
    shown.scrollLeft = chosen.offsetLeft - (shown.clientWidth - chosen.offsetWidth) / 2
  }, [at])
  return (
    <ul ref={list}>
      {photos.map(({ id }, n) => (
        <li key={id}>
          <button
            type="button"
            aria-label={en(`Show photo ${n + 1}`, `Mostrar la foto ${n + 1}`)}
            aria-current={n === at ? 'true' : undefined}
            onClick={() => onChoose(n)}
          >
            <img src={imageVariantUrl(id, 128)} alt="" draggable={false} className="thumbnail" />
          </button>
        </li>
      ))}
    </ul>
  )
}
