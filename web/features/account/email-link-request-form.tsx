import { useState } from 'react'
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
import { useEmailLinkAction } from './email-link-parts.tsx'
import { EmailSent } from './email-sent.tsx'

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
      ? es(
          'Has pedido demasiados enlaces. Prueba dentro de una hora.',
          'You’ve requested too many links. Try again in an hour.',
        )
      : failure
  if (sentTo === undefined)
    return <AskForm title={title} lead={lead} busy={busy} failure={reason} onSend={send} />
  return (
    <EmailSent
      title={es('Revisa tu correo', 'Check your email')}
      lead={
        <>
          {es('Si hay una cuenta con ', 'If there is an account with ')}
          <b className="font-[650] text-text wrap-anywhere">{sentTo}</b>
          {es(
            ', el enlace ya va de camino. Vale una hora y una sola vez.',
            ', the link is on its way. It works for one hour and only once.',
          )}
        </>
      }
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
      <PageTitle title={title} display />
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

function NoMail({ title, contact }: { title: string; contact: string | null }) {
  return (
    <>
      <PageTitle title={title} display />
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
