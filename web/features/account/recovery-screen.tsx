import { es } from '#contract/language.ts'
import { EmailLinkRequestForm } from './email-link-request-form.tsx'

export function RecoveryScreen() {
  return (
    <EmailLinkRequestForm
      title={es('Elige otra contraseña', 'Choose another password')}
      lead={es(
        'Escribe tu correo. Si hay una cuenta con él, te llega un enlace que vale una hora.',
        'Enter your email. If there is an account with it, you get a link that works for one hour.',
      )}
      operation="requestPasswordResetOperation"
    />
  )
}
