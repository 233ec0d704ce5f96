import { RotateCcwSquare, RotateCwSquare, ShieldCheck, X, ZoomIn, ZoomOut } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { en } from '#contract/language.ts'
import { SegmentedRadio } from '#web/forms/segmented-radio.tsx'
import { useBackToClose } from '#web/navigation/use-back-to-close.ts'
import { Button, IconButton } from '../../button.tsx'
import { Modal } from '../../modal.tsx'
import { Spinner } from '../../spinner.tsx'
import './crop-dialog.css'
import {
  type CropAspectRatio,
  type CropFrame,
  cropAspectRatioOptions,
  isSameCrop,
  sizeAfterTurn,
  turnBy,
  wholeFrame,
  withAspectRatio,
} from './crop-frame.ts'
import { CropStage, maxZoomFor, type StageControls } from './crop-stage.tsx'
import { encodeTurnedPreview, loadPhotoPreview, type PhotoPreview } from './photo-preview.ts'
import { renderCrop } from './render-crop.ts'

/** `cropped` is missing if the whole photo is used. */
export type CropResult = { source: File; cropped?: { file: File; frame: CropFrame } }

type Props = {
  title: string
  load: () => Promise<File>
  frame: CropFrame | undefined
  /** Shows the square frame as a circle, for profile photos. */
  round?: boolean
  note: string
  /** Undefined if the member changed nothing. */
  onDone: (result?: CropResult) => void
  onCancel: () => void
}

type Loaded = {
  source: File
  preview: PhotoPreview
  /** The frame before any change by the member. */
  untouched: CropFrame
}

export function CropDialog({
  title,
  load,
  frame: kept = wholeFrame,
  round = false,
  note,
  onDone,
  onCancel,
}: Props) {
  const titleId = useId()
  const close = useRef<HTMLButtonElement>(null)
  const [loaded, setLoaded] = useState<Loaded>()
  const [failed, setFailed] = useState<'load' | 'render'>()
  const [attempt, setAttempt] = useState(0)
  const [saving, setSaving] = useState(false)
  const frame = useRef(kept)
  useBackToClose(onCancel)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `attempt` loads the photo again
  useEffect(() => {
    let left = false
    setFailed(undefined)
    load()
      .then(async (source) => ({ source, preview: await loadPhotoPreview(source) }))
      .then(({ source, preview }) => {
        if (left) return
        const untouched = round ? withAspectRatio(wholeFrame, '1:1', preview.size) : wholeFrame
        if (kept === wholeFrame) frame.current = untouched
        setLoaded({ source, preview, untouched })
      })
      .catch(() => left || setFailed('load'))
    return () => {
      left = true
    }
  }, [load, attempt])

  async function save() {
    if (!loaded || saving) return
    const { source } = loaded
    if (isSameCrop(frame.current, kept)) return onDone()
    if (isSameCrop(frame.current, wholeFrame)) return onDone({ source })
    setSaving(true)
    setFailed(undefined)
    try {
      onDone({ source, cropped: { file: await renderCrop(source, frame.current), frame: frame.current } })
    } catch {
      setSaving(false)
      setFailed('render')
    }
  }

  return (
    <Modal
      open
      role="dialog"
      labelledBy={titleId}
      firstFocus={close}
      onClose={onCancel}
      className="crop-dialog"
    >
      <div className="flex h-full flex-col">
        <header className="flex items-center justify-between gap-3 py-4 pr-4 pl-7 max-md:pl-5">
          <h2 id={titleId} className="heading text-[1.375rem] leading-[1.75rem]">
            {title}
          </h2>
          <IconButton ref={close} label={en('Close', 'Cerrar')} onClick={onCancel}>
            <X aria-hidden size={20} strokeWidth={2} />
          </IconButton>
        </header>
        {loaded ? (
          <CropTools
            preview={loaded.preview}
            start={frame.current}
            untouched={loaded.untouched}
            round={round}
            onChange={(next) => {
              frame.current = next
            }}
            note={note}
            actions={
              <>
                <Button kind="outline" onClick={onCancel}>
                  {en('Cancel', 'Cancelar')}
                </Button>
                <Button busy={saving} busyLabel={en('Saving...', 'Guardando...')} onClick={() => void save()}>
                  {en('Done', 'Listo')}
                </Button>
              </>
            }
            failed={failed === 'render'}
          />
        ) : (
          <>
            <div className="crop-view grid place-items-center">
              {failed ? (
                <p role="alert" className="p-6 text-center">
                  {en('This photo can’t be shown here.', 'Esta foto no se puede mostrar aquí.')}{' '}
                  <button
                    type="button"
                    className="min-h-11 font-[650] underline underline-offset-4"
                    onClick={() => setAttempt((before) => before + 1)}
                  >
                    {en('Try again', 'Volver a intentar')}
                  </button>
                </p>
              ) : (
                <CropSpinner />
              )}
            </div>
            <footer>
              <Button kind="outline" onClick={onCancel}>
                {en('Cancel', 'Cancelar')}
              </Button>
            </footer>
          </>
        )}
      </div>
    </Modal>
  )
}

const CropSpinner = () => (
  <span role="status" aria-label={en('Loading photo', 'Cargando la foto')}>
    <Spinner className="size-8 border-on-overlay/35 border-t-on-overlay" />
  </span>
)

type ToolsProps = {
  preview: PhotoPreview
  start: CropFrame
  untouched: CropFrame
  round: boolean
  onChange: (frame: CropFrame) => void
  note: string
  actions: React.ReactNode
  failed: boolean
}

const zoomKeys: Record<string, number> = { '+': 1.1, '=': 1.1, '-': 1 / 1.1 }

function CropTools({ preview, start, untouched, round, onChange, note, actions, failed }: ToolsProps) {
  const stage = useRef<StageControls>(null)
  /** The stage starts again after each change of rotation or aspect ratio. */
  const [begun, setBegun] = useState({ frame: start, round: 0 })
  const current = useRef(start)
  const [zoom, setZoom] = useState(1)
  const [said, setSaid] = useState('')
  const url = useTurnedUrl(preview, begun.frame)
  const { turn, aspectRatio } = begun.frame
  const maxZoom = maxZoomFor(begun.frame)

  function begin(frame: CropFrame, words: string) {
    current.current = frame
    onChange(frame)
    setSaid(words)
    setBegun(({ round }) => ({ frame, round: round + 1 }))
  }

  const turnTo = (quarter: 90 | -90) =>
    begin(
      turnBy(current.current, quarter, preview.size),
      quarter === 90 ? en('Turned right', 'Girada a la derecha') : en('Turned left', 'Girada a la izquierda'),
    )

  function zoomByKey(event: KeyboardEvent) {
    const by = zoomKeys[event.key]
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    stage.current?.setZoom(zoom * by)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: receives the key events of the controls inside
    <div className="contents" onKeyDown={zoomByKey}>
      <div className="crop-view grid place-items-center">
        {url ? (
          <CropStage
            key={`${url} ${begun.round}`}
            controls={stage}
            url={url}
            size={sizeAfterTurn(preview.size, turn)}
            start={begun.frame}
            free={aspectRatio === 'free'}
            round={round}
            zoom={zoom}
            maxZoom={maxZoom}
            onZoom={setZoom}
            onMove={(area) => {
              current.current = { ...area, turn, aspectRatio }
              onChange(current.current)
            }}
          />
        ) : (
          <CropSpinner />
        )}
      </div>
      <div className="crop-controls">
        {!round && (
          <fieldset className="aspect-ratios">
            <legend className="sr-only">{en('Shape', 'Forma')}</legend>
            <SegmentedRadio<CropAspectRatio>
              options={cropAspectRatioOptions}
              chosen={aspectRatio}
              onChoose={(next) => begin(withAspectRatio(current.current, next, preview.size), '')}
            />
          </fieldset>
        )}
        <div className="zoom">
          <ZoomOut aria-hidden size={20} strokeWidth={1.9} />
          <input
            type="range"
            aria-label={en('Zoom', 'Zoom')}
            min={1}
            max={maxZoom}
            step={0.01}
            value={zoom}
            aria-valuetext={`${Math.round(zoom * 100)} %`}
            onChange={({ target }) => stage.current?.setZoom(Number(target.value))}
          />
          <ZoomIn aria-hidden size={20} strokeWidth={1.9} />
          <IconButton label={en('Turn left', 'Girar a la izquierda')} onClick={() => turnTo(-90)}>
            <RotateCcwSquare aria-hidden size={22} strokeWidth={1.9} />
          </IconButton>
          <IconButton label={en('Turn right', 'Girar a la derecha')} onClick={() => turnTo(90)}>
            <RotateCwSquare aria-hidden size={22} strokeWidth={1.9} />
          </IconButton>
        </div>
      </div>
      <p className="note text-meta text-text-2">
        <ShieldCheck aria-hidden size={18} strokeWidth={2} className="flex-none" />
        {note}
      </p>
      <p role="alert" className="note text-label font-[620] text-danger empty:hidden">
        {failed && en('We couldn’t crop that. Try again.', 'No pudimos recortarla. Inténtalo de nuevo.')}
      </p>
      <p role="status" className="sr-only">
        {said}
      </p>
      <footer>
        <Button kind="ghost" className="reset" onClick={() => begin(untouched, en('Reset', 'Restablecer'))}>
          {en('Reset', 'Restablecer')}
        </Button>
        {actions}
      </footer>
    </div>
  )
}

function useTurnedUrl(preview: PhotoPreview, { turn }: CropFrame): string | undefined {
  const [made, setMade] = useState<{ url: string; turn: number }>()
  useEffect(() => {
    let url: string | undefined
    let left = false
    void encodeTurnedPreview(preview, turn).then((blob) => {
      if (left) return
      url = URL.createObjectURL(blob)
      setMade({ url, turn })
    })
    return () => {
      left = true
      if (url) URL.revokeObjectURL(url)
    }
  }, [preview, turn])
  return made?.turn === turn ? made.url : undefined
}
