import { MapPinOff } from 'lucide-react'
import { en } from '#contract/language.ts'
import { detectExactLocation } from '#contract/posts/detect-exact-location.ts'
import { Button } from '#web/ui/button.tsx'
import { useDebounced } from '#web/ui/use-debounced.ts'

type Props = {
  location: string
  onReplace: (broader: string) => void
}

/** Milliseconds. Screen readers must not announce the warning on every keystroke. */
const restMs = 500

export function LocationWarning({ location, onReplace }: Props) {
  const found = detectExactLocation(useDebounced(location, restMs))
  // The warning appears after a delay but disappears at once.
  const shown = found && detectExactLocation(location) ? found : null
  const broader = shown?.broader
  return (
    <div
      className={
        shown
          ? 'mt-2.5 flex gap-3 rounded-card-small bg-warning-soft px-3.5 py-[13px] text-label leading-[1.25rem]'
          : ''
      }
    >
      {shown && <MapPinOff aria-hidden size={20} strokeWidth={2} className="mt-px flex-none text-warning" />}
      <div className="min-w-0">
        <div role="status">
          {shown && (
            <>
              <p className="font-[660] text-warning">
                {en('This looks like an exact address', 'Esto parece una dirección exacta')}
              </p>
              <p>
                {en(
                  'Everyone who sees the post will see it too.',
                  'Todas las que vean la publicación la verán también.',
                )}
              </p>
            </>
          )}
        </div>
        {broader && (
          <Button
            kind="outline"
            size="sm"
            className="mt-2.5 max-w-full bg-surface [overflow-wrap:anywhere]"
            onClick={() => onReplace(broader)}
          >
            {en(`Use only “${broader}”`, `Usar solo «${broader}»`)}
          </Button>
        )}
      </div>
    </div>
  )
}
