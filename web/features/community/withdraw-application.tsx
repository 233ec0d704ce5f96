import { useState } from 'react'
import { withdrawApplicationEndpoint } from '#contract/generated-endpoints.ts'
import { es } from '#contract/language.ts'
import { callApiOperation } from '#web/api/client.ts'
import { Button } from '#web/ui/button.tsx'
import { useConfirm } from '#web/ui/use-confirm.tsx'

type Props = {
  credentials: (button: HTMLButtonElement) => { email: string; password: string }
  describeFailure: (error: unknown) => string
  /** For a declined application, the texts say "delete" instead of "withdraw". */
  declined?: boolean
  block?: boolean
  onWithdrawn?: () => void
}

const focusOnMount = (element: HTMLElement | null) => element?.focus()

export function WithdrawApplication({
  credentials,
  describeFailure,
  declined = false,
  block = false,
  onWithdrawn,
}: Props) {
  const [state, setState] = useState<'waiting' | 'sending' | 'withdrawn'>('waiting')
  const [failure, setFailure] = useState<string>()
  const { dialog, ask } = useConfirm({
    title: declined
      ? es('¿Borrar tu solicitud?', 'Delete your application?')
      : es('¿Retirar tu solicitud?', 'Withdraw your application?'),
    text: es('Se borra todo lo que escribiste.', 'Everything you wrote will be deleted.'),
    confirm: declined ? es('Borrar', 'Delete') : es('Retirar', 'Withdraw'),
    cancel: es('Cancelar', 'Cancel'),
  })

  async function withdraw(button: HTMLButtonElement) {
    const given = credentials(button)
    if (!(await ask())) return
    setState('sending')
    setFailure(undefined)
    try {
      await callApiOperation(withdrawApplicationEndpoint, given)
      setState('withdrawn')
      onWithdrawn?.()
    } catch (error) {
      setState('waiting')
      setFailure(describeFailure(error))
    }
  }

  if (state === 'withdrawn')
    return (
      <p ref={focusOnMount} tabIndex={-1} role="status">
        {es('Hecho. Lo que escribiste se borró.', 'Done. What you wrote was deleted.')}
      </p>
    )
  return (
    <>
      {failure && (
        <p role="alert" className="text-label font-[550] text-danger">
          {failure}
        </p>
      )}
      <Button
        kind="outline"
        size={block ? 'md' : 'sm'}
        block={block}
        busy={state === 'sending'}
        onClick={({ currentTarget }) => void withdraw(currentTarget)}
      >
        {declined
          ? es('Borrar mi solicitud', 'Delete my application')
          : es('Retirar mi solicitud', 'Withdraw my application')}
      </Button>
      {dialog}
    </>
  )
}
