import { en } from '#contract/language.ts'

export function StaleNotice({ onRetry }: { onRetry: () => void }) {
  return (
    <p
      role="status"
      className="flex flex-wrap items-center justify-center gap-x-1.5 rounded-input bg-warning-soft px-4 text-label text-warning"
    >
      {en('We couldn’t load this.', 'No pudimos cargarlo.')}
      <button type="button" onClick={onRetry} className="min-h-11 font-[650] underline underline-offset-4">
        {en('Try again', 'Volver a intentar')}
      </button>
    </p>
  )
}
