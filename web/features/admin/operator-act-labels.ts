import type { OperatorAct } from '#contract/admin/operator-acts.ts'
import { en } from '#contract/language.ts'

const labels: Record<OperatorAct, string> = {
  'member.recover': en('Created a recovery link', 'Creó un enlace de recuperación'),
  'member.unlock': en(
    'Asked to turn off two-step verification, in three days',
    'Pidió desactivar la verificación en dos pasos, en tres días',
  ),
  'member.suspend': en('Suspended a member', 'Suspendió a una integrante'),
  'member.reopen': en('Ended a suspension', 'Terminó una suspensión'),
  'member.sign-out': en('Logged a member out everywhere', 'Cerró todas las sesiones de una integrante'),
  'suspension.propose': en(
    'Proposed to suspend a moderator or operator',
    'Propuso suspender a una moderadora u operadora',
  ),
  'suspension.confirm': en(
    'Confirmed the suspension of a moderator or operator',
    'Confirmó la suspensión de una moderadora u operadora',
  ),
  'suspension.decline': en(
    'Declined to suspend a moderator or operator',
    'Rechazó suspender a una moderadora u operadora',
  ),
  'member.delete': en('Deleted an account', 'Borró una cuenta'),
  'moderator.add': en('Added a moderator', 'Nombró a una moderadora'),
  'moderator.remove': en('Removed a moderator', 'Quitó a una moderadora'),
  'operator.add': en('Added an operator', 'Nombró a una operadora'),
  'operator.remove': en('Removed an operator', 'Quitó a una operadora'),
  'community.update': en('Changed the community’s settings', 'Cambió los ajustes de la comunidad'),
  'registration.update': en('Changed who can join', 'Cambió quién puede unirse'),
  'application.approve': en('Approved an application to join', 'Aceptó una solicitud para unirse'),
  'application.decline': en('Declined an application to join', 'Rechazó una solicitud para unirse'),
  'email.discard': en('Discarded an email that was not delivered', 'Descartó un correo sin entregar'),
  'instance.restore': en('Restored a backup', 'Restauró una copia de seguridad'),
  'instance.new-key': en('Replaced the server’s key', 'Cambió la clave del servidor'),
  'instance.new-host': en('Moved the server to another address', 'Mudó el servidor a otra dirección'),
}

/** Actions known only to a newer server get a general text. */
export const operatorActText = (act: string): string =>
  (labels as Record<string, string>)[act] ?? en('Did something else', 'Hizo otra cosa')
