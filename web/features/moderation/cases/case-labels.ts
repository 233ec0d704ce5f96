import { en } from '#contract/language.ts'
import type { ModerationCase, ModerationCaseSummary } from '#contract/moderation/cases.ts'
import type { ReportReason } from '#contract/moderation/reports.ts'
import { getCommunityName } from '#web/navigation/community-identity.ts'

export const shortReasonLabels: Record<ReportReason, string> = {
  harassment: en('Harassment', 'Acoso'),
  threat: en('Threat', 'Amenaza'),
  intimate: en('Intimate picture', 'Imagen íntima'),
  hate: en('Hate', 'Odio'),
  minor: en('Child in danger', 'Menor en peligro'),
  'self-harm': en('Self-harm', 'Autolesión'),
  impersonation: en('Impersonation', 'Se hace pasar por otra persona'),
  spam: en('Spam', 'Spam'),
  'off-topic': en('Off topic', 'Fuera de lugar'),
  other: en('Something else', 'Otra cosa'),
}

const actWords: Record<string, string> = {
  claim: en('claimed the case', 'tomó el caso'),
  release: en('gave the case back', 'devolvió el caso'),
  dismiss: en('Dismissed', 'Archivado'),
  hide: en('Hidden', 'Oculto'),
  warn: en('Warned', 'Advertida'),
  suspend: en('Suspended', 'Suspendida'),
  'suspend.propose': en('proposed to suspend her', 'propuso suspenderla'),
  'suspend.decline': en('declined the suspension', 'rechazó la suspensión'),
  'take-out': en('Removed from the group', 'Sacada del grupo'),
  'remove-member': en('Member removed from the group', 'Integrante sacada del grupo'),
  'pass-on': en('passed it on to the moderators', 'lo pasó a las moderadoras'),
  'review.ask': en('asked for a review', 'pidió una revisión'),
  'review.upheld': en('decided the review: it stays', 'decidió la revisión: se mantiene'),
  'review.overturned': en('decided the review: overturned', 'decidió la revisión: anulada'),
}

export const caseActionText = (act: string): string => actWords[act] ?? act

/**
 * Only the affected member appeals, and only a group's admin passes a case on. An action without a person is an
 * expiry, attributed to the community.
 */
export function caseActorText({ act, by }: ModerationCase['log'][number]): string {
  if (act === 'review.ask') return en('She', 'Ella')
  if (by === null) return getCommunityName()
  if (by === 'me') return en('You', 'Tú')
  return act === 'pass-on'
    ? en('The group’s admin', 'La administradora del grupo')
    : en('Another moderator', 'Otra moderadora')
}

export function caseTitleOf({ kind, about, excerpt }: ModerationCaseSummary): string {
  const name = about?.name ?? en('a closed account', 'una cuenta cerrada')
  return {
    post: en(`Post by ${name}`, `Publicación de ${name}`),
    member: about
      ? en(`Member @${about.username}`, `Integrante @${about.username}`)
      : en('A closed account', 'Una cuenta cerrada'),
    message: en(`Message from ${name}`, `Mensaje de ${name}`),
    group: en(`Group “${excerpt ?? ''}”`, `Grupo «${excerpt ?? ''}»`),
    comment: en(`Comment by ${name}`, `Comentario de ${name}`),
  }[kind]
}

export function caseSubtitleOf({
  kind,
  excerpt,
  group,
  furtherMessages,
  deletedAt,
}: ModerationCaseSummary): string {
  const gone = deletedAt ? en(' · deleted by its author', ' · borrada por su autora') : ''
  if (kind === 'post')
    return `${group ? en(`Posted in ${group}`, `Publicada en ${group}`) : en('Post outside groups', 'Publicación fuera de grupos')}${gone}`
  if (kind === 'comment')
    return `“${excerpt ?? ''}”${group ? en(` in ${group}`, ` en ${group}`) : ''}${deletedAt ? en(' · removed since', ' · retirado después') : ''}`
  if (kind === 'message')
    return `“${excerpt ?? ''}”${furtherMessages > 0 ? en(` and ${furtherMessages} more chosen`, ` y ${furtherMessages} más elegidos`) : ''}`
  return kind === 'member'
    ? en('Name, photo and bio', 'Nombre, foto y biografía')
    : en('Name and description', 'Nombre y descripción')
}

/** Returns at least one. Rounds, because the shared clock may be half a minute late. */
export function formatMinutesLeft(until: string, now: number): string {
  const minutes = Math.max(1, Math.round((Date.parse(until) - now) / 60_000))
  return minutes === 1 ? en('1 minute', '1 minuto') : en(`${minutes} minutes`, `${minutes} minutos`)
}
