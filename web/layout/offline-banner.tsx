import { WifiOff } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { useOfflineHome } from '#web/features/offline/offline-home-state.ts'

export function OfflineBanner({ sentence }: { sentence: string }) {
  const online = useSyncExternalStore(onConnectionChange, () => navigator.onLine)
  const cached = useOfflineHome()
  const shown = online ? cached?.unanswered : (cached?.offline ?? sentence)
  return (
    <div role="status">
      {shown && (
        <p className="flex min-h-11 items-center justify-center gap-2.5 bg-warning-soft px-4 text-label font-[620] text-warning">
          <WifiOff size={18} strokeWidth={2} className="flex-none" />
          {shown}
        </p>
      )}
    </div>
  )
}

function onConnectionChange(listener: () => void) {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}
