import { CloudAlert, RotateCw } from 'lucide-react'
import { Button } from './button.tsx'

type Props = { text?: string; onRetry: () => void }

/** Says that a part could not be loaded, and offers to try again. */
export function ErrorState({ text = 'We couldn’t load this.', onRetry }: Props) {
  return (
    <div className="flex flex-col items-center px-6 py-14 text-center">
      <CloudAlert size={48} strokeWidth={1.7} className="text-danger" />
      <p role="alert" className="heading mt-4.5 mb-4 text-h2">
        {text}
      </p>
      <Button kind="outline" onClick={() => onRetry()}>
        <RotateCw size={18} strokeWidth={2} />
        Try again
      </Button>
    </div>
  )
}

/** The same as a card of its own. */
export function ErrorCard(props: Props) {
  return (
    <div className="card">
      <ErrorState {...props} />
    </div>
  )
}
