import { WifiOff } from 'lucide-react'
import { useSyncExternalStore } from 'react'

const sentences = {
  en: 'You’re offline. We’ll refresh when you’re back.',
  es: 'Estás sin conexión. Lo intentamos en cuanto vuelva.',
}

/** Says that the browser is offline; what was loaded stays readable. */
export function OfflineBanner({ lang }: { lang: keyof typeof sentences }) {
  const online = useSyncExternalStore(onConnectionChange, () => navigator.onLine)
  return (
    <div role="status">
      {!online && (
        <p className="flex min-h-11 items-center justify-center gap-2.5 bg-warning-soft px-4 text-label font-[620] text-warning">
          <WifiOff size={18} strokeWidth={2} className="flex-none" />
          {sentences[lang]}
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
