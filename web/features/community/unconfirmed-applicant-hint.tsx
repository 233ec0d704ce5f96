import { es } from '#contract/language.ts'
import { useCommunity } from './use-community.ts'

/**
 * Reminds an applicant who cannot sign in to confirm their address. The server does not tell a stranger whether somebody
 * applied, so everybody sees it.
 */
export function UnconfirmedApplicantHint() {
  const [community] = useCommunity()
  if (community?.registration !== 'approval' || !community.mail) return null
  return (
    <p className="-mt-2 text-pretty text-label text-text-2">
      {es(
        '¿Enviaste una solicitud? Confírmala antes con el enlace de nuestro correo.',
        'Did you apply to join? First confirm it with the link in our email.',
      )}
    </p>
  )
}
