import { CloudAlert, RotateCw } from 'lucide-react'
import { en } from '#contract/language.ts'
import { Button } from './button.tsx'

type Props = { text?: string; action?: string; onRetry: () => void }

export function ErrorState({
  text = en('We couldn’t load this.', 'No pudimos cargarlo.'),
  action = en('Try again', 'Volver a intentar'),
  onRetry,
}: Props) {
  return (
    <div className="flex flex-col items-center px-6 py-14 text-center">
      <CloudAlert size={48} strokeWidth={1.7} className="text-danger" />
      <p role="alert" className="heading mt-4.5 mb-4 text-h2">
        {text}
      </p>
      <Button kind="outline" onClick={() => onRetry()}>
        <RotateCw size={18} strokeWidth={2} />
        {action}
      </Button>
    </div>
  )
}

export function ErrorCard(props: Props) {
  return (
    <div className="card">
      <ErrorState {...props} />
    </div>
  )
}
