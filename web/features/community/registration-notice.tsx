import { DoorClosed, Ticket } from 'lucide-react'
import { Link } from 'react-router'
import { es } from '#contract/language.ts'
import { AuthFormSwitchLink } from '#web/features/account/auth-form-parts.tsx'
import { EmailLinkStatus } from '#web/features/account/email-link-parts.tsx'
import { screenPaths } from '#web/paths.ts'
import type { Community } from './use-community.ts'

export function RegistrationNotice({ community }: { community: Community }) {
  const { registration, name, contact } = community
  const reach = contact === null ? undefined : es(`Escribe a ${contact}.`, `Write to ${contact}.`)
  return (
    <>
      {registration === 'invite' ? (
        <EmailLinkStatus
          icon={Ticket}
          color="brand"
          title={es('Aquí se entra con invitación.', 'You need an invitation to join.')}
          lead={es(
            `Pídesela a alguien de ${name} y abre el enlace que te mande.`,
            `Ask a member of ${name} for one and open the link she sends you.`,
          )}
        />
      ) : (
        <EmailLinkStatus
          icon={DoorClosed}
          color="warning"
          title={es('Este lugar no admite cuentas nuevas.', 'Closed to new members.')}
          lead={reach}
        />
      )}
      <AuthFormSwitchLink question={es('¿Ya eres de las nuestras?', 'Already one of us?')}>
        <Link to={screenPaths.signIn()}>{es('Entra', 'Sign in')}</Link>
      </AuthFormSwitchLink>
    </>
  )
}
