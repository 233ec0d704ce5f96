import { Check, Hourglass } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { es } from '#contract/language.ts'
import { getAuthErrorMessage } from '#web/features/account/auth-error-message.tsx'
import { AuthFormSwitchLink } from '#web/features/account/auth-form-parts.tsx'
import { EmailLinkStatus } from '#web/features/account/email-link-parts.tsx'
import { screenPaths } from '#web/paths.ts'
import { WithdrawApplication } from './withdraw-application.tsx'

export function ApplicationSent({
  email,
  password,
  mail = false,
}: {
  email: string
  password: string
  mail?: boolean
}) {
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
      lead={
        mail
          ? es(
              `Te escribiremos a ${email} cuando haya una respuesta.`,
              `We’ll email ${email} when there is an answer.`,
            )
          : es(
              'Entra con tu email y tu contraseña para saber la respuesta.',
              'Sign in with your email and your password to see the answer.',
            )
      }
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
