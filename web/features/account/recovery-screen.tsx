import { EmailLinkRequestForm } from './email-link-request-form.tsx'

/** Asks for the link by which a new password is chosen. */
export function RecoveryScreen() {
  return (
    <EmailLinkRequestForm
      title="Elige otra contraseña"
      lead="Escribe tu correo. Si hay una cuenta con él, te llega un enlace que vale una hora."
      operation="requestPasswordResetOperation"
    />
  )
}
