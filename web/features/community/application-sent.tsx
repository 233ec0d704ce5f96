import { Check, Hourglass } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { unconfirmedApplicationDays } from '#contract/community/community-limits.ts'
import { es } from '#contract/language.ts'
import { getAuthErrorMessage } from '#web/features/account/auth-error-message.tsx'
import { AuthFormSwitchLink } from '#web/features/account/auth-form-parts.tsx'
import { EmailLinkStatus, useEmailLinkAction } from '#web/features/account/email-link-parts.tsx'
import { EmailSent } from '#web/features/account/email-sent.tsx'
import { screenPaths } from '#web/paths.ts'
import type { Community } from './use-community.ts'
import { WithdrawApplication } from './withdraw-application.tsx'

type Props = {
  email: string
  password: string
  community: Pick<Community, 'mail' | 'outbox'>
  /** Sends the same application again, and with it another email. */
  onAgain: () => Promise<void>
  /** Shows the form again, to correct the address. */
  onOther: () => void
}

export function ApplicationSent({ community, ...application }: Props) {
  return community.mail ? (
    <ToConfirm {...application} hasOutbox={community.outbox} />
  ) : (
    <Waiting {...application} />
  )
}

/** Shows the same text whether or not the address is taken, because only its owner may learn it. */
function ToConfirm({
  email,
  hasOutbox,
  onAgain,
  onOther,
}: Omit<Props, 'password' | 'community'> & { hasOutbox: boolean }) {
  const { busy, run, failure } = useEmailLinkAction()
  return (
    <EmailSent
      title={es('Confirma tu correo', 'Confirm your email')}
      lead={
        <>
          {es('Enviamos un enlace a ', 'We sent a link to ')}
          <b className="font-[650] text-text wrap-anywhere">{email}</b>
          {es(
            `. Ábrelo y escribe tu contraseña: hasta entonces nadie lee tu solicitud. Si no lo haces, se borra en ${unconfirmedApplicationDays} días.`,
            `. Open it and enter your password: nobody reads your application before that. If you don’t, it is deleted in ${unconfirmedApplicationDays} days.`,
          )}
        </>
      }
      hasOutbox={hasOutbox}
      busy={busy}
      failure={failure}
      onAgain={() => run(onAgain)}
      onOther={onOther}
    />
  )
}

function Waiting({ email, password }: Pick<Props, 'email' | 'password'>) {
  const [withdrawn, setWithdrawn] = useState(false)
  if (withdrawn)
    return (
      <EmailLinkStatus
        key="withdrawn"
        icon={Check}
        color="success"
        title={es('Retiraste tu solicitud', 'You withdrew your application')}
        lead={es('Lo que escribiste se borró.', 'What you wrote was deleted.')}
      />
    )
  return (
    <EmailLinkStatus
      icon={Hourglass}
      color="brand"
      title={es('Tu solicitud está en espera', 'Your application is waiting')}
      lead={es(
        'Entra con tu email y tu contraseña para saber la respuesta. Esta comunidad no envía correos.',
        'Sign in with your email and your password to see the answer. This community sends no email.',
      )}
    >
      <WithdrawApplication
        credentials={() => ({ email, password })}
        describeFailure={getAuthErrorMessage}
        block
        onWithdrawn={() => setWithdrawn(true)}
      />
      <AuthFormSwitchLink question={es('¿Ya te respondieron?', 'Got an answer?')}>
        <Link to={screenPaths.signIn()}>{es('Entra', 'Sign in')}</Link>
      </AuthFormSwitchLink>
    </EmailLinkStatus>
  )
}
