/** The member zooms by touch, mouse, wheel and keyboard. No other module uses the viewer library. */

import { type PointerEvent, type Ref, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react'
import {
  ACTION_CLOSE,
  type ComponentProps,
  type ControllerRef,
  createModule,
  Lightbox,
  type LightboxExternalProps,
  LightboxRoot,
  MODULE_NO_SCROLL,
  MODULE_PORTAL,
  type Plugin,
  useEvents,
  type ZoomRef,
} from 'yet-another-react-lightbox'
import Zoom from 'yet-another-react-lightbox/plugins/zoom'
import { en } from '#contract/language.ts'
import 'yet-another-react-lightbox/styles.css'
import { ProgressivePhoto, type ViewerPhoto } from './progressive-photo.tsx'

declare module 'yet-another-react-lightbox' {
  interface SlideTypes {
    photo: { type: 'photo'; key: string; photo: ViewerPhoto }
  }
}

export type StageControls = {
  turn: (direction: 'prev' | 'next') => void
  /** @returns false if the stage already received the key */
  press: (key: string, target?: EventTarget) => boolean
}

export const maxZoom = 4

type Props = {
  controls: Ref<StageControls>
  photos: readonly ViewerPhoto[]
  at: number
  onTurn: (at: number) => void
  onZoom: (zoom: number) => void
  onClose: () => void
}

export function ZoomableStage({ controls, photos, at, onTurn, onZoom, onClose }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const controller = useRef<ControllerRef>(null)
  const zoom = useRef<ZoomRef>(null)
  const slides = useMemo(
    () => photos.map((photo) => ({ type: 'photo' as const, key: photo.id, photo })),
    [photos],
  )

  useImperativeHandle(controls, () => ({
    turn: (direction) => controller.current?.[direction](),
    press(key, target) {
      if (key === '0') {
        zoom.current?.changeZoom(1)
        return true
      }
      if (target instanceof Node && place.current?.contains(target)) return false
      place.current
        ?.querySelector('.yarl__container')
        ?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
      return true
    },
  }))

  const { hasMoved, ...watched } = useLastGesture()
  return (
    <div ref={place} className="size-full" {...watched}>
      <Lightbox
        {...settings}
        index={at}
        slides={slides}
        close={onClose}
        zoom={{
          ...{ supports: ['photo'], maxZoom, scrollToZoom: true, pinchZoomV4: true, ref: zoom },
          ...(hasMoved && { doubleTapDelay: 0, doubleClickDelay: 0 }),
        }}
        controller={{ closeOnPullDown: true, closeOnEscape: false, ref: controller }}
        on={{ view: ({ index }) => onTurn(index), zoom: ({ zoom }) => onZoom(zoom) }}
      />
    </div>
  )
}

/** A press that moves by at most this many pixels counts as a tap. */
const slipPx = 10

/** The library mistakes two quick swipes over a zoomed photo for a double tap. */
function useLastGesture() {
  const [hasMoved, setMoved] = useState(false)
  const from = useRef<{ x: number; y: number; moved: boolean }>(undefined)
  return {
    hasMoved,
    onPointerDownCapture({ clientX, clientY }: PointerEvent) {
      from.current = { x: clientX, y: clientY, moved: false }
    },
    onPointerMoveCapture({ clientX, clientY }: PointerEvent) {
      const gesture = from.current
      if (!gesture || gesture.moved || Math.hypot(clientX - gesture.x, clientY - gesture.y) < slipPx) return
      gesture.moved = true
      setMoved(true)
    },
    onPointerUpCapture() {
      if (from.current?.moved === false) setMoved(false)
      from.current = undefined
    },
  }
}

/** The surrounding dialog already manages focus and inertness. */
const staysInPlace: Plugin = ({ remove, replace }) => {
  remove(MODULE_NO_SCROLL)
  replace(MODULE_PORTAL, createModule(MODULE_PORTAL, InPlace))
}

function InPlace({ children, close }: ComponentProps) {
  const { subscribe } = useEvents()
  useEffect(() => subscribe(ACTION_CLOSE, close), [subscribe, close])
  return <LightboxRoot className="relative size-full">{children}</LightboxRoot>
}

const settings = {
  open: true,
  plugins: [Zoom, staysInPlace],
  carousel: { finite: true, preload: 1, padding: 0, spacing: 24 },
  animation: { swipe: 300, navigation: 250, zoom: 250 },
  toolbar: { buttons: [] },
  labels: { 'Photo gallery': en('Photos', 'Fotos'), Slide: 'photo', Carousel: 'carousel' },
  render: {
    buttonPrev: () => null,
    buttonNext: () => null,
    buttonZoom: () => null,
    slide: ({ slide, offset, rect, zoom = 1 }) =>
      slide.type === 'photo' && (
        <ProgressivePhoto photo={slide.photo} place={rect} shown={offset === 0} zoom={zoom} />
      ),
  },
} satisfies LightboxExternalProps
