import { RotateCw, WifiOff } from 'lucide-react'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { useConnection } from '#web/live.ts'

const patience = 3000

/** Why nothing new comes, where that is so (design: chat behaviour). */
export function ConnectionBar() {
  const online = useSyncExternalStore(onNetworkChange, () => navigator.onLine)
  const state = useConnection()
  const lostForLong = useHolding(state === 'lost', patience)
  return <div role="status">{sentence(online, state === 'stopped', lostForLong)}</div>
}

function sentence(online: boolean, stopped: boolean, lost: boolean) {
  if (!online) {
    return (
      <Bar>
        <WifiOff aria-hidden size={18} strokeWidth={2} className="flex-none" />
        Waiting for connection…
      </Bar>
    )
  }
  if (stopped) {
    return (
      <Bar>
        Live updates stopped.
        <button
          type="button"
          onClick={() => location.reload()}
          className="inline-flex min-h-11 items-center gap-1.5 font-[680] underline underline-offset-4"
        >
          <RotateCw aria-hidden size={16} strokeWidth={2.1} />
          Reload the page
        </button>
      </Bar>
    )
  }
  return lost && <Bar>Reconnecting…</Bar>
}

function Bar({ children }: { children: ReactNode }) {
  return (
    <p className="flex min-h-11 items-center justify-center gap-2.5 bg-warning-soft px-4 text-label font-[620] text-warning">
      {children}
    </p>
  )
}

/** Whether something has held for so long, and still does. */
function useHolding(holds: boolean, milliseconds: number): boolean {
  const [long, setLong] = useState(false)
  useEffect(() => {
    if (!holds) return
    const timer = setTimeout(() => setLong(true), milliseconds)
    return () => {
      clearTimeout(timer)
      setLong(false)
    }
  }, [holds, milliseconds])
  return long
}

function onNetworkChange(listener: () => void) {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}
