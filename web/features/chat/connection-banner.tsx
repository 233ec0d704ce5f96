import { RotateCw, WifiOff } from 'lucide-react'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { en } from '#contract/language.ts'
import { useLiveConnectionState } from '#web/realtime/live-connection.ts'

const bannerDelayMs = 3000

export function ConnectionBanner() {
  const online = useSyncExternalStore(onNetworkChange, () => navigator.onLine)
  const state = useLiveConnectionState()
  const lostForLong = useHolding(state === 'lost', bannerDelayMs)
  return <div role="status">{sentence(online, state === 'stopped', lostForLong)}</div>
}

function sentence(online: boolean, stopped: boolean, lost: boolean) {
  if (!online) {
    return (
      <Bar>
        <WifiOff aria-hidden size={18} strokeWidth={2} className="flex-none" />
        {en('Waiting for connection…', 'Esperando la conexión…')}
      </Bar>
    )
  }
  if (stopped) {
    return (
      <Bar>
        {en('Live updates stopped.', 'La página dejó de actualizarse.')}
        <button
          type="button"
          onClick={() => location.reload()}
          className="inline-flex min-h-11 items-center gap-1.5 font-[680] underline underline-offset-4"
        >
          <RotateCw aria-hidden size={16} strokeWidth={2.1} />
          {en('Reload the page', 'Volver a cargar la página')}
        </button>
      </Bar>
    )
  }
  return lost && <Bar>{en('Reconnecting…', 'Volviendo a conectar…')}</Bar>
}

function Bar({ children }: { children: ReactNode }) {
  return (
    <p className="flex min-h-11 items-center justify-center gap-2.5 bg-warning-soft px-4 text-label font-[620] text-warning">
      {children}
    </p>
  )
}

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
