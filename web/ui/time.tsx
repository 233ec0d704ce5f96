import { useSyncExternalStore } from 'react'
import { fullDate, relativeTime } from '#web/format.ts'

const tick = 30_000
const listeners = new Set<() => void>()
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

function advance() {
  now = Date.now()
  for (const listener of listeners) listener()
}

/** One clock for the page, running only while a time is on it. */
function subscribe(listener: () => void) {
  listeners.add(listener)
  if (listeners.size === 1) {
    advance()
    timer = setInterval(advance, tick)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearInterval(timer)
  }
}

/** A relative time that stays true while the page is open; the full date is its title. */
export function Time({ at }: { at: string }) {
  const shown = useSyncExternalStore(
    subscribe,
    () => now,
    () => now,
  )
  const time = new Date(at)
  return (
    <time dateTime={at} title={fullDate(time)} className="tabular-nums">
      {relativeTime(time, new Date(shown))}
    </time>
  )
}
