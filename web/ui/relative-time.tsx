import { useSyncExternalStore } from 'react'
import { formatDateAndTime, formatRelativeTime } from '#web/format-time.ts'

const tickMs = 30_000
const listeners = new Set<() => void>()
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

function advance() {
  now = Date.now()
  for (const listener of listeners) listener()
}

const currentTime = () => now

/** All relative times share one timer, which runs only while one is shown. */
function subscribe(listener: () => void) {
  listeners.add(listener)
  if (listeners.size === 1) {
    advance()
    timer = setInterval(advance, tickMs)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearInterval(timer)
  }
}

/** Milliseconds since 1970. The component renders again on each change. */
export const useCurrentTime = (): number => useSyncExternalStore(subscribe, currentTime, currentTime)

/**
 * Its tooltip is the full date.
 * @param props.inSentence the time follows other words
 */
export function RelativeTime({ at, inSentence }: { at: string; inSentence?: boolean }) {
  const shown = useCurrentTime()
  const time = new Date(at)
  const words = formatRelativeTime(time, new Date(shown))
  return (
    <time dateTime={at} title={formatDateAndTime(time)} className="tabular-nums">
      {inSentence ? words.replace('Just', 'just') : words}
    </time>
  )
}
