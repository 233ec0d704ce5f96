type Props = {
  phase: 'sending' | 'broken'
  percent: number
  onResume: () => void
  onCancel: () => void
}

/** Shows an upload's progress, and where it broke off a way to go on. */
export function UploadProgress({ phase, percent, onResume, onCancel }: Props) {
  const action = 'min-h-11 px-2 font-[650] underline underline-offset-4'
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: keeps presses in here from the area below, which would open the file dialog
    <div
      onClick={(event) => event.stopPropagation()}
      className="cursor-auto rounded-photo bg-overlay px-4 pt-1 pb-3.5 text-left text-label text-on-overlay"
    >
      <div className="flex items-center gap-2">
        <p className="flex-1 tabular-nums">
          {phase === 'broken'
            ? `Stopped at ${percent}%`
            : percent < 100
              ? `Uploading… ${percent}%`
              : 'Preparing your photo…'}
        </p>
        {phase === 'broken' && (
          <button type="button" onClick={onResume} className={action}>
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
