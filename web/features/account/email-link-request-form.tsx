import { MailOpen, ShieldQuestionMark } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { es } from '#contract/language.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { useCommunity } from '#web/features/community/use-community.ts'
import { TextInput } from '#web/forms/labelled-form-field.tsx'
import { useLightweightForm } from '#web/forms/use-lightweight-form.ts'
import { screenPaths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { AuthField, AuthFormError, AuthFormIntro, AuthFormSwitchLink } from './auth-form-parts.tsx'
import { EmailLinkStatus, useEmailLinkAction } from './email-link-parts.tsx'

const loadContract = () => import('#contract/account/email-links.ts')

type RequestProps = {
  title: string
  lead: string
  /** Both operations answer the same whether or not an account has the address. */
  operation: 'requestPasswordResetOperation' | 'requestSignInLinkOperation'
}

export function EmailLinkRequestForm({ title, lead, operation }: RequestProps) {
  const [community] = useCommunity()
  const [sentTo, setSentTo] = useState<string>()
  const { busy, run, error, failure } = useEmailLinkAction()

  const send = (email: string) =>
    run(async () => {
      await callApiOperation((await loadContract())[operation], { email })
      setSentTo(email)
    })

  const hasNoMail = community?.mail === false || (error instanceof ApiError && error.code === 503)
  if (hasNoMail) return <NoMail title={title} contact={community?.contact ?? null} />
  const reason =
    error instanceof ApiError && error.code === 429
      ? es('Has pedido muchos. Prueba dentro de una hora.', 'You asked for many. Try again in an hour.')
      : failure
  if (sentTo === undefined)
    return <AskForm title={title} lead={lead} busy={busy} failure={reason} onSend={send} />
  return (
    <Sent
      email={sentTo}
      hasOutbox={community?.outbox === true}
      busy={busy}
      failure={reason}
      onAgain={() => send(sentTo)}
      onOther={() => setSentTo(undefined)}
    />
  )
}

type AskProps = {
  title: string
  lead: string
  busy: boolean
  failure: string | undefined
  onSend: (email: string) => void
}

function AskForm({ title, lead, busy, failure, onSend }: AskProps) {
  const { errors, form } = useLightweightForm(
    async () => (await loadContract()).requestPasswordResetOperation.input,
    ({ email }) => onSend(email),
  )
  return (
    <>
      <PageTitle title={`${title} · Juntas`} heading={title} display />
      <AuthFormIntro>{lead}</AuthFormIntro>
      <form {...form} className="flex flex-col gap-4.5">
        <AuthField label={es('Email', 'Email')} error={errors.email}>
          {(control) => <TextInput {...control} name="email" type="email" autoComplete="email" />}
        </AuthField>
        <AuthFormError text={failure} />
        <Button
          type="submit"
          size="lg"
          block
          busy={busy}
          busyLabel={es('Enviando...', 'Sending...')}
          className="mt-2"
        >
          {es('Enviar enlace', 'Send link')}
        </Button>
      </form>
      <AuthFormSwitchLink>
        <Link to={screenPaths.signIn()}>{es('Volver a entrar', 'Back to sign in')}</Link>
      </AuthFormSwitchLink>
    </>
  )
}

const pauseSeconds = 60

type SentProps = {
  email: string
  hasOutbox: boolean
  busy: boolean
  failure: string | undefined
  onAgain: () => void
  onOther: () => void
}

function Sent({ email, hasOutbox, busy, failure, onAgain, onOther }: SentProps) {
  const [left, setLeft] = useState(pauseSeconds)
  const waiting = left > 0
  useEffect(() => {
    if (!waiting) return
    const timer = setInterval(() => setLeft((seconds) => seconds - 1), 1000)
    return () => clearInterval(timer)
  }, [waiting])

  return (
    <EmailLinkStatus
      icon={MailOpen}
      color="brand"
      title={es('Mira tu correo', 'Check your mail')}
      lead={
        <>
          {es('Si hay una cuenta con ', 'If there is an account with ')}
          <b className="font-[650] text-text wrap-anywhere">{email}</b>
          {es(
            ', el enlace ya va de camino. Vale una hora y una sola vez.',
            ', the link is on its way. It works for one hour and only once.',
          )}
        </>
      }
    >
      <div className="mb-[22px] flex items-center gap-3.5 rounded-photo bg-sunken px-4.5 py-4">
        <ShieldQuestionMark aria-hidden size={22} strokeWidth={1.9} className="flex-none" />
        <p>
          <b className="block font-[650]">{es('¿No llega?', 'Nothing there?')}</b>
          <span className="block text-label text-text-2">
            {es('Mira en correo no deseado. ', 'Look in your spam folder. ')}
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
    </EmailLinkStatus>
  )
}

function NoMail({ title, contact }: { title: string; contact: string | null }) {
  return (
    <>
      <PageTitle title={`${title} · Juntas`} heading={title} display />
      <AuthFormIntro>
        {contact === null
          ? es('Esta comunidad no envía correos.', 'This community sends no email.')
          : es(
              `Esta comunidad no envía correos. Escribe a ${contact}.`,
              `This community sends no email. Write to ${contact}.`,
            )}
      </AuthFormIntro>
      <AuthFormSwitchLink>
        <Link to={screenPaths.signIn()}>{es('Volver a entrar', 'Back to sign in')}</Link>
      </AuthFormSwitchLink>
    </>
  )
}
