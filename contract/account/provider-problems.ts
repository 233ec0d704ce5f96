import { es } from '../language.ts'

/** The provider's callback reports these problems. */
export const providerProblems = {
  user_invite_required: es('Aquí se entra con invitación.', 'You need an invitation to join.'),
  application_required: es('Para unirte, envía una solicitud.', 'To join, send an application.'),
  registration_closed: es('Este lugar no admite cuentas nuevas.', 'Closed to new members.'),
  invitation_over: es('Esta invitación ya no vale.', 'This invitation is no longer valid.'),
  user_oauth2_denied: es('No diste permiso al proveedor.', 'You did not give the provider permission.'),
  user_oauth2_bad_request: es(
    'Esta entrada no empezó en este navegador, o tardó más de diez minutos. Empieza de nuevo.',
    'This sign-in did not start in this browser, or it took longer than ten minutes. Start again.',
  ),
  user_oauth2_unauthorized: es(
    'El proveedor no confirmó quién eres.',
    'The provider did not confirm who you are.',
  ),
  user_oauth2_email_missing: es(
    'El proveedor no confirmó ninguna dirección de correo tuya. Confírmala allí y vuelve a intentarlo.',
    'The provider has no verified email address for you. Verify one there and try again.',
  ),
  user_oauth2_provider_error: es(
    'No pudimos conectar con el proveedor. Inténtalo de nuevo.',
    'The provider could not be reached. Try again.',
  ),
  project_provider_disabled: es('Ese proveedor está desactivado.', 'The chosen provider is disabled.'),
  user_email_already_exists: es(
    'Ya hay una cuenta con tu correo, pero sin confirmarlo. Entra con un enlace por correo y conecta el proveedor en los ajustes.',
    'An account already has your email address, but has not confirmed it. Sign in with an email link, then connect the provider in your settings.',
  ),
  user_identity_taken: es(
    'Esa cuenta del proveedor ya está conectada a otra cuenta de Juntas.',
    'That provider account is already connected to another Juntas account.',
  ),
  user_blocked: es(
    'Esta cuenta está cerrada o suspendida. Entra con tu contraseña o con un enlace para saber por qué.',
    'This account is closed or suspended. Sign in with your password or a link to read why.',
  ),
  general_rate_limit_exceeded: es(
    'Demasiados intentos seguidos. Espera un rato y vuelve a intentarlo.',
    'Too many attempts in a row. Wait a while and try again.',
  ),
  general_unknown: es('Algo ha fallado. Vuelve a intentarlo.', 'Something went wrong. Try again.'),
} as const

export type ProviderProblem = keyof typeof providerProblems

export const isProviderProblem = (type: unknown): type is ProviderProblem =>
  typeof type === 'string' && Object.hasOwn(providerProblems, type)
