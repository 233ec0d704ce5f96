import type { SecurityEventKind } from '#contract/account-settings.ts'
import { en } from '#contract/language.ts'

/** What each event of the log is called. */
export const securityEventSentences: Record<SecurityEventKind, string> = {
  'user.create': en('Your account was opened', 'Se abrió tu cuenta'),
  'user.update': en('Your account was changed', 'Tu cuenta cambió'),
  'username.update': en('Username changed', 'Cambió el nombre de usuaria'),
  'password.update': en('Password changed', 'Cambió la contraseña'),
  'password.delete': en('Password removed', 'Se quitó la contraseña'),
  'email.request': en('Asked to change your e-mail', 'Se pidió cambiar tu correo'),
  'email.update': en('E-mail changed', 'Cambió el correo'),
  'email.undo': en('Change of e-mail undone', 'Se deshizo el cambio de correo'),
  'session.create': en('Signed in', 'Entraste'),
  'session.update': en('Session prolonged', 'Sesión prolongada'),
  'session.delete': en('Signed out', 'Cerraste sesión'),
  'recovery.create': en(
    'Somebody asked for a link to choose a password',
    'Alguien pidió un enlace para elegir contraseña',
  ),
  'recovery.operator': en(
    'The operator made a link to choose a password',
    'Quien opera este lugar hizo un enlace para elegir contraseña',
  ),
  'recovery.update': en('Password chosen by a link', 'Contraseña elegida con un enlace'),
  'verification.create': en('Asked for a link to confirm', 'Se pidió un enlace para confirmar'),
  'verification.update': en('Confirmed by a link or code', 'Confirmado con un enlace o código'),
  'mfa.create': en('Code from an app turned on', 'Se activó el código de una aplicación'),
  'mfa.delete': en('Two steps turned off', 'Se apagaron los dos pasos'),
  'mfa.codes': en('New recovery codes made', 'Códigos de recuperación nuevos'),
  'mfa.recovery': en('Recovery code used', 'Se usó un código de recuperación'),
  'mfa.unlock': en(
    'The operator was asked to turn two steps off, in three days',
    'Se pidió a quien opera este lugar apagar los dos pasos, en tres días',
  ),
  'mfa.unlock-stop': en(
    'Turning two steps off was stopped by the letter',
    'La carta paró que se apagaran los dos pasos',
  ),
  'passkey.create': en('Passkey added', 'Llave de acceso añadida'),
  'passkey.delete': en('Passkey removed', 'Llave de acceso quitada'),
  'passkey.refused': en(
    'A passkey was refused: there may be a copy of it',
    'Se rechazó una llave: puede haber una copia de ella',
  ),
  'session.refused': en(
    'Right password, but no second step',
    'Contraseña correcta, pero sin el segundo paso',
  ),
  'export.create': en('Asked for a copy of everything', 'Se pidió una copia de todo'),
  'export.open': en('Opened the download of your copy', 'Se abrió la descarga de tu copia'),
  'export.delete': en('Copy discarded', 'Copia descartada'),
  'deletion.create': en('Asked to delete the account', 'Se pidió borrar la cuenta'),
  'deletion.delete': en('Account kept', 'La cuenta se conserva'),
  'identity.delete': en('Connected account removed', 'Cuenta conectada quitada'),
  'group.create': en('Created a group', 'Creaste un grupo'),
  'group.handover': en('Handed a group over', 'Cediste un grupo'),
  'group.delete': en('Deleted a group', 'Borraste un grupo'),
  'member.leave': en('Left a group', 'Saliste de un grupo'),
  'member.remove': en('Removed a member from a group', 'Sacaste a una integrante de un grupo'),
  'request.accept': en('Approved a request to join', 'Aceptaste una solicitud para unirse'),
  'request.reject': en('Rejected a request to join', 'Rechazaste una solicitud para unirse'),
}
