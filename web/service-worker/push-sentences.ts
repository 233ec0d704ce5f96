/** Texts are in the browser's language. Names appear only if the member allows them. */
import type { PushMessage } from '#contract/notifications/push.ts'

/** `earlier-farewell` announces the end of a session other than this device's current one. */
type Kind = PushMessage['kind'] | 'earlier-farewell'
type ShownPush = Omit<PushMessage, 'kind'> & { kind: Kind }
/** In `named`, the name replaces `{who}`. */
type Sentences = Record<Kind, readonly [named: string, unnamed: string]>

const english: Sentences = {
  message: ['{who} wrote to you', 'You have a new message'],
  news: ['There is news for you', 'There is news for you'],
  digest: ['There is news for you', 'There is news for you'],
  test: ['Notifications work on this device', 'Notifications work on this device'],
  farewell: ['You were logged out on this device', 'You were logged out on this device'],
  'earlier-farewell': [
    'An earlier session on this device was ended',
    'An earlier session on this device was ended',
  ],
  like: ['{who} liked your post', 'Someone liked your post'],
  comment: ['{who} commented on your post', 'There is a new comment on your post'],
  reply: ['{who} replied to your comment', 'There is a reply to your comment'],
  follow: ['{who} follows you', 'You have a new follower'],
  'follow-request': ['{who} asks to follow you', 'Someone asks to follow you'],
  'follow-accepted': ['{who} accepted your follow request', 'Your follow request was accepted'],
  'join-request': ['{who} asks to join your group', 'Someone asks to join your group'],
  'join-approved': ['You’re now a member of a group', 'You’re now a member of a group'],
  'group-handover': ['You now run a group', 'You now run a group'],
  'group-post': ['{who} posted in a group of yours', 'New posts in your groups'],
  mention: ['{who} mentioned you', 'You were mentioned'],
  'message-request': ['{who} would like to write to you', 'Someone would like to write to you'],
  'photo-tag': ['{who} asks to tag you in a photo', 'Someone asks to tag you in a photo'],
  'guest-joined': ['{who} joined with your invitation', 'Someone joined with your invitation'],
  report: ['A report is waiting', 'A report is waiting'],
  'report-decided': ['There is a decision on your report', 'There is a decision on your report'],
  application: ['Applications to join are waiting', 'Applications to join are waiting'],
  'vouch-request': [
    'Someone who wants to join says that you know her',
    'Someone who wants to join says that you know her',
  ],
  'new-device': [
    'Someone signed in to your account. Was it you?',
    'Someone signed in to your account. Was it you?',
  ],
  'two-steps-off': ['Two-step verification was turned off', 'Two-step verification was turned off'],
  'export-ready': ['Your data is ready', 'Your data is ready'],
}

const spanish: Sentences = {
  message: ['{who} te escribió', 'Tienes un mensaje nuevo'],
  news: ['Hay novedades para ti', 'Hay novedades para ti'],
  digest: ['Hay novedades para ti', 'Hay novedades para ti'],
  test: ['Los avisos funcionan en este dispositivo', 'Los avisos funcionan en este dispositivo'],
  farewell: ['Se cerró tu sesión en este dispositivo', 'Se cerró tu sesión en este dispositivo'],
  'earlier-farewell': [
    'Se cerró una sesión anterior en este dispositivo',
    'Se cerró una sesión anterior en este dispositivo',
  ],
  like: ['A {who} le gustó tu publicación', 'Le gustó tu publicación a alguien'],
  comment: ['{who} comentó tu publicación', 'Hay un comentario nuevo en tu publicación'],
  reply: ['{who} respondió a tu comentario', 'Alguien respondió a tu comentario'],
  follow: ['{who} te sigue', 'Alguien más te sigue'],
  'follow-request': ['{who} quiere seguirte', 'Alguien quiere seguirte'],
  'follow-accepted': ['{who} aceptó tu solicitud de seguimiento', 'Aceptaron tu solicitud de seguimiento'],
  'join-request': ['{who} quiere entrar en tu grupo', 'Alguien quiere entrar en tu grupo'],
  'join-approved': ['Ya estás en un grupo nuevo', 'Ya estás en un grupo nuevo'],
  'group-handover': ['Ahora llevas un grupo', 'Ahora llevas un grupo'],
  'group-post': ['{who} publicó en un grupo tuyo', 'Hay publicaciones nuevas en tus grupos'],
  mention: ['{who} te mencionó', 'Te mencionaron'],
  'message-request': ['{who} quiere escribirte', 'Alguien quiere escribirte'],
  'photo-tag': ['{who} quiere etiquetarte en una foto', 'Alguien quiere etiquetarte en una foto'],
  'guest-joined': ['{who} se unió con tu invitación', 'Alguien se unió con tu invitación'],
  report: ['Hay una denuncia en espera', 'Hay una denuncia en espera'],
  'report-decided': ['Ya hay una decisión sobre tu denuncia', 'Ya hay una decisión sobre tu denuncia'],
  application: ['Hay solicitudes para unirse', 'Hay solicitudes para unirse'],
  'vouch-request': [
    'Alguien que quiere unirse dice que la conoces',
    'Alguien que quiere unirse dice que la conoces',
  ],
  'new-device': ['Alguien entró en tu cuenta. ¿Fuiste tú?', 'Alguien entró en tu cuenta. ¿Fuiste tú?'],
  'two-steps-off': ['Se quitó la verificación en dos pasos', 'Se quitó la verificación en dos pasos'],
  'export-ready': ['Tus datos están listos', 'Tus datos están listos'],
}

/** @param language a BCP 47 tag */
export function pushSentenceOf({ kind, name, others = 0 }: ShownPush, language: string): string {
  const isSpanish = language.toLowerCase().startsWith('es')
  const all = isSpanish ? spanish : english
  // A newer server may send kinds that this worker does not know.
  const [named, unnamed] = all[kind] ?? all.news
  if (name === undefined) return unnamed
  const more = isSpanish ? ` y ${others} más` : ` and ${others} more`
  return named.replace('{who}', () => (others > 0 ? name + more : name))
}
