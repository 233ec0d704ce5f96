type Props = {
  phase: 'sending' | 'broken'
  percent: number
  onCancel: () => void
}

/** How far a picture is on its way, over its foot. "Resume" sends the form again, which goes on where it broke. */
export function UploadBar({ phase, percent, onCancel }: Props) {
  const action = 'min-h-11 px-2 font-[650] underline underline-offset-4'
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: keeps presses in here from the area below, which would open the file dialog
    <div
      onClick={(event) => event.stopPropagation()}
      className="cursor-auto rounded-photo bg-overlay px-4 pt-1 pb-3.5 text-left text-label text-on-overlay"
    >
      <div className="flex items-center gap-2">
        <p className="flex-1 tabular-nums">
          {phase === 'sending' ? `Uploading… ${percent}%` : `Stopped at ${percent}%`}
        </p>
        {phase === 'broken' && (
          <button type="submit" className={action}>
            Resume
          </button>
        )}
        <button type="button" onClick={onCancel} className={action}>
          Cancel
        </button>
      </div>
      <div
        role="progressbar"
        aria-label="Photo upload"
        aria-valuenow={percent}
        className="h-1.5 overflow-hidden rounded-full bg-on-overlay/30"
      >
        <div className="h-full origin-left bg-on-overlay" style={{ transform: `scaleX(${percent / 100})` }} />
      </div>
    </div>
  )
}
