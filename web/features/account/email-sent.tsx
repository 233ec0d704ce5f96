import { MailOpen, ShieldQuestionMark } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { es } from '#contract/language.ts'
import { Button } from '#web/ui/button.tsx'
import { AuthFormError } from './auth-form-parts.tsx'
import { EmailLinkStatus } from './email-link-parts.tsx'

/** The wait in seconds before another email can be requested. */
const pauseSeconds = 60

type Props = {
  title: string
  lead: ReactNode
  /** Whether the visitor can read the email at `/dev/outbox`. */
  hasOutbox: boolean
  busy: boolean
  failure: string | undefined
  onAgain: () => void
  onOther: () => void
  children?: ReactNode
}

/** Shown after an email was sent: another one can be requested after a pause, or sent to another address. */
export function EmailSent({ title, lead, hasOutbox, busy, failure, onAgain, onOther, children }: Props) {
  const [left, setLeft] = useState(pauseSeconds)
  const waiting = left > 0
  useEffect(() => {
    if (!waiting) return
    const timer = setInterval(() => setLeft((seconds) => seconds - 1), 1000)
    return () => clearInterval(timer)
  }, [waiting])

  return (
    <EmailLinkStatus icon={MailOpen} color="brand" title={title} lead={lead}>
      <div className="mb-[22px] flex items-center gap-3.5 rounded-photo bg-sunken px-4.5 py-4">
        <ShieldQuestionMark aria-hidden size={22} strokeWidth={1.9} className="flex-none" />
        <p>
          <b className="block font-[650]">{es('¿No llega?', 'Didn’t get it?')}</b>
          <span className="block text-label text-text-2">
            {es('Revisa el correo no deseado. ', 'Check your spam folder. ')}
            {waiting
              ? es(`Puedes pedir otro en ${left} s.`, `You can ask for another in ${left} s.`)
              : es('Puedes pedir otro.', 'You can ask for another.')}
          </span>
        </p>
      </div>
      {hasOutbox && (
        <p className="mb-[22px] text-label text-text-2">
          <a href="/dev/outbox" className="inline-block py-3 underline underline-offset-4">
            {es(
              'No hay servidor de correo: el mensaje está en /dev/outbox',
              'No email server is set up: the email is at /dev/outbox',
            )}
          </a>
        </p>
      )}
      <div className="flex flex-col gap-4.5">
        <AuthFormError text={failure} />
        <Button
          size="lg"
          block
          disabled={waiting}
          busy={busy}
          busyLabel={es('Enviando...', 'Sending...')}
          onClick={() => {
            setLeft(pauseSeconds)
            onAgain()
          }}
        >
          {waiting
            ? es(`Enviar otro (${left} s)`, `Send another (${left} s)`)
            : es('Enviar otro', 'Send another')}
        </Button>
      </div>
      <p className="mt-2.5 text-center">
        <button
          type="button"
          onClick={onOther}
          className="px-1 py-3 font-[680] text-brand-text underline decoration-[1.5px] underline-offset-4"
        >
          {es('Usar otro correo', 'Use another email')}
        </button>
      </p>
      {children}
    </EmailLinkStatus>
  )
}
