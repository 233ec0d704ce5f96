import { en } from '#contract/language.ts'
import { cx } from '../cx.ts'

type Props = {
  phase: 'sending' | 'broken'
  percent: number
  onResume: () => void
  onCancel: () => void
}

export function UploadProgress({ phase, percent, onResume, onCancel }: Props) {
  const isUnknown = phase === 'sending' && percent === 0
  const action = 'min-h-11 px-2 font-[650] underline underline-offset-4'
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: stops clicks before they reach the picker, which would open the file dialog
    <div
      onClick={(event) => event.stopPropagation()}
      className="cursor-auto rounded-photo bg-overlay px-4 pt-1 pb-3.5 text-left text-label text-on-overlay"
    >
      <div className="flex items-center gap-2">
        <p className="flex-1 tabular-nums">
          {phase === 'broken'
            ? en(`Stopped at ${percent}%`, `Parada en el ${percent}%`)
            : percent === 0
              ? en('Uploading…', 'Subiendo…')
              : percent < 100
                ? en(`Uploading… ${percent}%`, `Subiendo… ${percent}%`)
                : en('Preparing your photo…', 'Preparando tu foto…')}
        </p>
        {phase === 'broken' && (
          <button type="button" onClick={onResume} className={action}>
            {en('Resume', 'Reanudar')}
          </button>
        )}
        <button type="button" onClick={onCancel} className={action}>
          {en('Cancel', 'Cancelar')}
        </button>
      </div>
      <div
        role="progressbar"
        aria-label={en('Photo upload', 'Subida de la foto')}
        aria-valuenow={isUnknown ? undefined : percent}
        aria-busy={isUnknown || undefined}
        className="h-1.5 overflow-hidden rounded-full bg-on-overlay/30"
      >
        <div
          className={cx('h-full origin-left bg-on-overlay', isUnknown && '-translate-x-full animate-sweep')}
          style={isUnknown ? undefined : { transform: `scaleX(${percent / 100})` }}
        />
      </div>
    </div>
  )
}
