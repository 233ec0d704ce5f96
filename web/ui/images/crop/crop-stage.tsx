/** No other module uses the cropping library. */

import {
  type KeyboardEvent,
  type PointerEvent,
  type Ref,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import Cropper, { type Area, type MediaSize, type Point } from 'react-easy-crop'
import { en } from '#contract/language.ts'
import 'react-easy-crop/react-easy-crop.css'
import { aspectRatioOf, type FrameArea, frameZoomOf, type Size } from './crop-frame.ts'

export type StageControls = { setZoom: (zoom: number) => void }

type Props = {
  controls: Ref<StageControls>
  url: string
  size: Size
  start: FrameArea
  free: boolean
  round: boolean
  zoom: number
  maxZoom: number
  onZoom: (zoom: number) => void
  onMove: (area: FrameArea) => void
}

/** CSS pixels. */
const [moveStep, resizeStep, smallestSide] = [10, 16, 56]
const corners = [
  en('top left', 'arriba a la izquierda'),
  en('top right', 'arriba a la derecha'),
  en('bottom left', 'abajo a la izquierda'),
  en('bottom right', 'abajo a la derecha'),
]

export function CropStage({ controls, url, size, start, free, round, zoom, maxZoom, onZoom, onMove }: Props) {
  const stage = useRef<HTMLDivElement>(null)
  const [crop, setCrop] = useState<Point>({ x: 0, y: 0 })
  const [media, setMedia] = useState<MediaSize>()
  const [shown, setShown] = useState<Size>()
  const [chosen, setChosen] = useState<Size>()
  const setClampedZoom = (next: number) => onZoom(Math.min(maxZoom, Math.max(1, next)))
  const getFrame = () => stage.current?.querySelector<HTMLElement>('.crop-frame')
  const isShown = shown !== undefined
  useEffect(() => {
    if (isShown) stage.current?.querySelector<HTMLElement>('.crop-frame')?.focus({ preventScroll: true })
  }, [isShown])
  useImperativeHandle(controls, () => ({ setZoom: setClampedZoom }))

  const fitting = ({ width, height }: Size): Size => ({
    width: Math.max(smallestSide, Math.min(width, media?.width ?? width)),
    height: Math.max(smallestSide, Math.min(height, media?.height ?? height)),
  })

  /** Moves opposite sides together, so the frame stays centred. */
  function moveCorner(event: PointerEvent) {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    const box = getFrame()?.getBoundingClientRect()
    if (!box) return
    setChosen(
      fitting({
        width: 2 * Math.abs(event.clientX - (box.left + box.width / 2)),
        height: 2 * Math.abs(event.clientY - (box.top + box.height / 2)),
      }),
    )
  }

  function resizeByKey(event: KeyboardEvent) {
    const by = resizeSteps[event.key]
    if (!free || !event.shiftKey || !by || !shown || event.target !== getFrame()) return
    event.preventDefault()
    // The library would also handle the key: it uses Shift for smaller steps.
    event.stopPropagation()
    setChosen(fitting({ width: shown.width + by.width, height: shown.height + by.height }))
  }

  const current = chosen && fitting(chosen)
  return (
    <div ref={stage} className="crop-stage" data-round={round || undefined} onKeyDownCapture={resizeByKey}>
      <Cropper
        image={url}
        crop={crop}
        zoom={zoom}
        maxZoom={maxZoom}
        aspect={aspectRatioOf(start, size)}
        {...(current && { cropSize: current })}
        initialCroppedAreaPercentages={inPercent(start)}
        cropShape={round ? 'round' : 'rect'}
        showGrid={!round}
        keyboardStep={moveStep}
        disableAutomaticStylesInjection
        mediaProps={{ alt: '', draggable: false }}
        cropperProps={{
          role: 'application',
          'aria-label': free
            ? en(
                'Frame. Arrow keys move the photo, plus and minus zoom, Shift and arrow keys change the frame',
                'Marco. Las flechas mueven la foto, más y menos la acercan o alejan, Mayúsculas y las flechas cambian el marco',
              )
            : en(
                'Frame. Arrow keys move the photo, plus and minus zoom',
                'Marco. Las flechas mueven la foto, más y menos la acercan o alejan',
              ),
        }}
        classes={{ containerClassName: 'crop-area', cropAreaClassName: 'crop-frame' }}
        onCropChange={setCrop}
        onZoomChange={setClampedZoom}
        onCropAreaChange={(area) => onMove(inShares(area))}
        onCropComplete={(area) => onMove(inShares(area))}
        onCropSizeChange={setShown}
        setMediaSize={setMedia}
      />
      {free && shown && (
        <div aria-hidden className="crop-corners" style={shown}>
          {corners.map((corner) => (
            <span
              key={corner}
              data-corner={corner}
              onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
              onPointerMove={moveCorner}
            />
          ))}
        </div>
      )}
    </div>
  )
}

const resizeSteps: Record<string, Size> = {
  ArrowRight: { width: resizeStep, height: 0 },
  ArrowLeft: { width: -resizeStep, height: 0 },
  ArrowUp: { width: 0, height: resizeStep },
  ArrowDown: { width: 0, height: -resizeStep },
}

/** A stored frame may have a larger zoom than the usual maximum. */
export const maxZoomFor = (area: FrameArea): number => Math.max(4, frameZoomOf(area))

const inPercent = ({ x, y, width, height }: FrameArea): Area => ({
  x: 100 * x,
  y: 100 * y,
  width: 100 * width,
  height: 100 * height,
})

const inShares = ({ x, y, width, height }: Area): FrameArea => ({
  x: x / 100,
  y: y / 100,
  width: width / 100,
  height: height / 100,
})
