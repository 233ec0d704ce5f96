import { WifiOff } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { offlineHomeState } from '#web/features/offline/offline-home-state.ts'

/** Tells the member that they are offline. If the page was opened offline, also tells them how old the data is. */
export function OfflineBanner({ sentence }: { sentence: string }) {
  const online = useSyncExternalStore(onConnectionChange, () => navigator.onLine)
  return (
    <div role="status">
      {!online && (
        <p className="flex min-h-11 items-center justify-center gap-2.5 bg-warning-soft px-4 text-label font-[620] text-warning">
          <WifiOff size={18} strokeWidth={2} className="flex-none" />
          {offlineHomeState.sentence ?? sentence}
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
