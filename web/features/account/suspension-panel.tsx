import { useId, useState } from 'react'
import { es } from '#contract/language.ts'
import { maxAppealLength } from '#contract/limits.ts'
import { ApiError } from '#web/api/client.ts'
import { TextArea } from '#web/forms/text-area.tsx'
import { Button } from '#web/ui/button.tsx'

type Props = {
  message: string
  /** @param form the surrounding form */
  ask: (text: string, form: HTMLFormElement | null) => Promise<unknown>
  /** Used for errors without a server message. */
  describeFailure: (error: unknown) => string
}

/** Focuses the element that replaces a pressed button. */
const focusOnMount = (element: HTMLElement | null) => element?.focus()

type State = 'told' | 'asking' | 'sending' | 'sent'

export function SuspensionPanel({ message, ask, describeFailure }: Props) {
  const id = useId()
  const [state, setState] = useState<State>('told')
  const [text, setText] = useState('')
  const [failure, setFailure] = useState<string>()

  async function send(form: HTMLFormElement | null) {
    setState('sending')
    setFailure(undefined)
    try {
      await ask(text, form)
      setState('sent')
    } catch (error) {
      setState('asking')
      setFailure(error instanceof ApiError && error.code === 409 ? error.message : describeFailure(error))
    }
  }

  return (
    <section
      aria-label={es('Cuenta suspendida', 'Suspended account')}
      className="space-y-3 rounded-photo bg-warning-soft p-4 text-label font-[550] text-warning"
    >
      <p role="alert" className="wrap-anywhere whitespace-pre-line">
        {message}
      </p>
      {state === 'told' && (
        <Button kind="outline" size="sm" onClick={() => setState('asking')}>
          {es('Pedir una revisión', 'Ask for a review')}
        </Button>
      )}
      {(state === 'asking' || state === 'sending') && (
        <>
          <label htmlFor={id} className="block font-[620]">
            {es('¿Qué deberían saber?', 'What should they know?')}
          </label>
          <TextArea
            ref={focusOnMount}
            id={id}
            rows={4}
            maxLength={maxAppealLength}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
          {failure && <p role="alert">{failure}</p>}
          <Button
            size="sm"
            disabled={text.trim() === ''}
            busy={state === 'sending'}
            onClick={({ currentTarget }) => void send(currentTarget.form)}
          >
            {es('Enviar', 'Send')}
          </Button>
        </>
      )}
      {state === 'sent' && (
        <p ref={focusOnMount} tabIndex={-1}>
          {es('Enviado. Lo volveremos a mirar.', 'Sent. We’ll look at it again.')}
        </p>
      )}
    </section>
  )
}
