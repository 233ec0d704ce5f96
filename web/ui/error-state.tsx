import { CloudAlert, RotateCw } from 'lucide-react'
import { Button } from './button.tsx'

/** A part that could not be loaded. */
export function ErrorState({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <div className="flex flex-col items-center px-6 py-14 text-center">
      <CloudAlert size={48} strokeWidth={1.7} className="text-danger" />
      <p role="alert" className="heading mt-4.5 mb-4 text-h2">
        {text}
      </p>
      <Button kind="outline" onClick={onRetry}>
        <RotateCw size={18} strokeWidth={2} />
        Try again
      </Button>
    </div>
  )
}
