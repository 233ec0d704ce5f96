/**
 * Unlike other emails, the digest contains names of members and groups.
 * It is only sent to verified addresses of members who see those names in the app.
 */
import type { SummaryKind } from '#contract/notifications/notification-delivery.ts'
import type { Notification } from '#contract/notifications/notifications.ts'
import type { EmailTemplate } from '../../../email/message-templates.ts'
import { escapeHtml } from '../../../http/escape-html.ts'

type Language = 'es' | 'en'

const words = {
  es: {
    intro: 'Esto pasó en {community} y aún no lo has visto:',
    open: 'Ver en {community}',
    end: 'Darme de baja',
    and: 'y',
    others: (count: number) => `${count} más`,
  },
  en: {
    intro: 'This happened in {community}, and you have not seen it yet:',
    open: 'See it in {community}',
    end: 'Unsubscribe',
    and: 'and',
    others: (count: number) => `${count} ${count === 1 ? 'other' : 'others'}`,
  },
}

const lines: Record<SummaryKind, Record<Language, string>> = {
  like: { es: 'Me gusta en tu publicación', en: 'Likes on your post' },
  comment: { es: 'Comentarios en tu publicación', en: 'Comments on your post' },
  reply: { es: 'Respuestas a tu comentario', en: 'Replies to your comment' },
  follow: { es: 'Te siguen', en: 'New followers' },
  'follow-request': { es: 'Piden seguirte', en: 'Asked to follow you' },
  'follow-accepted': { es: 'Aceptaron tu solicitud de seguimiento', en: 'Accepted your follow request' },
  'join-request': { es: 'Piden entrar en {group}', en: 'Asked to join {group}' },
  'join-approved': { es: 'Ya estás en {group}', en: 'You are now in {group}' },
  'group-handover': { es: 'Ahora llevas el grupo {group}', en: 'You now run {group}' },
  'group-post': { es: 'Publicaciones nuevas en {group}', en: 'New posts in {group}' },
  mention: { es: 'Te mencionaron', en: 'Mentioned you' },
  'photo-tag': { es: 'Quieren etiquetarte en una foto', en: 'Ask to tag you in a photo' },
  'guest-joined': { es: 'Se unieron con tu invitación', en: 'Joined with your invitation' },
  report: { es: 'Hay denuncias en espera', en: 'Reports are waiting' },
  application: { es: 'Hay solicitudes para unirse', en: 'Applications to join are waiting' },
  'vouch-request': { es: 'Alguien dice que te conoce', en: 'Somebody says that you know her' },
  'report-decided': { es: 'Ya hay una decisión sobre tu denuncia', en: 'There is a decision on your report' },
}

/** Renders, for example, `Likes on your post: Bea, Cora and 3 others`. */
function sentenceOf({ kind, people, count, group }: Notification, language: Language): string {
  const { and, others } = words[language]
  const line = (lines[kind as SummaryKind]?.[language] ?? kind).replace('{group}', () => group?.name ?? '–')
  const names = people.map(({ name }) => name)
  if (names.length === 0) return line
  const named = [...names, ...(count > names.length ? [others(count - names.length)] : [])]
  const last = named.at(-1)
  return `${line}: ${named.length === 1 ? last : `${named.slice(0, -1).join(', ')} ${and} ${last}`}`
}

/** @param links.oneClick the URL to which mail programs send a POST request (RFC 8058) */
export function renderSummaryEmail(
  unseen: readonly Notification[],
  links: { notifications: string; unsubscribe: string; oneClick: string },
): EmailTemplate {
  const parts = (['es', 'en'] as const).map((language) => {
    const { intro, open, end } = words[language]
    const sentences = unseen.map((notification) => sentenceOf(notification, language))
    const items = sentences.map((sentence) => `<li>${escapeHtml(sentence)}</li>`).join('')
    const link = (href: string, text: string) => `<p><a href="${escapeHtml(href)}">${text}</a></p>`
    return {
      text: `${intro}\n\n${sentences.map((sentence) => `- ${sentence}`).join('\n')}\n\n${open}: ${links.notifications}\n\n${end}: ${links.unsubscribe}\n`,
      html: `<div lang="${language}"><p>${intro}</p><ul>${items}</ul>${link(links.notifications, open)}${link(links.unsubscribe, end)}</div>`,
    }
  })
  return {
    kind: 'summary',
    subject: 'Lo que no has visto en {community} · What you have not seen in {community}',
    text: parts.map(({ text }) => text).join('\n--\n\n'),
    html: `<!doctype html><html lang="es"><head><meta charset="utf-8"><title>{community}</title></head><body>${parts.map(({ html }) => html).join('<hr>')}</body></html>`,
    headers: {
      'List-Unsubscribe': `<${links.oneClick}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  }
}
