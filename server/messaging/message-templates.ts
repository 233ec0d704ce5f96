/**
 * Renders e-mails and text messages, each in Spanish and English because an account has no language. They hold no text of
 * members: anybody could sign up with a stranger's address and put a message to them into a name.
 */
import { escapeHtml } from '../escape-html.ts'

export type EmailOrSmsKind =
  | 'recovery'
  | 'verification'
  | 'magic-url'
  | 'code'
  | 'email-change'
  | 'email-taken'
  | 'email-undo'
  | 'operator-recovery'
  | AccountNoticeKind
  | 'phone-code'
  | 'phone-verification'

/** Tells what opens the account from now on, or that somebody tried to. */
export type AccountNoticeKind =
  | 'phone-added'
  | 'identity-added'
  | 'two-steps-on'
  | 'two-steps-off'
  | 'password-known'

/** An e-mail without its recipient. */
export type MailTemplate = { kind: EmailOrSmsKind; subject: string; text: string; html: string }

/** One language: the sentences before and after the link or code. */
type LocalizedCopy = { lang: 'es' | 'en'; before: string; after: string; button?: string }

type EmailCopy = { kind: EmailOrSmsKind; subject: string; parts: readonly [LocalizedCopy, LocalizedCopy] }

const linkCopy = {
  recovery: {
    kind: 'recovery',
    subject: 'Elige una contraseña nueva · Choose a new password',
    parts: [
      {
        lang: 'es',
        before:
          'Alguien pidió cambiar la contraseña de tu cuenta de Juntas. Si fuiste tú, elige una nueva aquí:',
        button: 'Elegir contraseña',
        after:
          'El enlace vale una hora y una sola vez. Si no fuiste tú, no hagas nada: tu contraseña sigue igual.',
      },
      {
        lang: 'en',
        before:
          'Someone asked to change the password of your Juntas account. If it was you, choose a new one here:',
        button: 'Choose password',
        after:
          'The link works for one hour and only once. If it was not you, do nothing: your password stays the same.',
      },
    ],
  },
  verification: {
    kind: 'verification',
    subject: 'Confirma tu correo · Confirm your e-mail',
    parts: [
      {
        lang: 'es',
        before: 'Confirma que este correo es tuyo:',
        button: 'Confirmar mi correo',
        after: 'El enlace vale una hora. Si no tienes una cuenta en Juntas, ignora este mensaje.',
      },
      {
        lang: 'en',
        before: 'Confirm that this address is yours:',
        button: 'Confirm my e-mail',
        after: 'The link works for one hour. If you have no account at Juntas, ignore this message.',
      },
    ],
  },
  'magic-url': {
    kind: 'magic-url',
    subject: 'Entra en Juntas · Sign in to Juntas',
    parts: [
      {
        lang: 'es',
        before: 'Entra en Juntas con este enlace:',
        button: 'Entrar',
        after: 'Vale una hora y una sola vez. No se lo pases a nadie. Si no lo pediste, ignora este mensaje.',
      },
      {
        lang: 'en',
        before: 'Sign in to Juntas with this link:',
        button: 'Sign in',
        after:
          'It works for one hour and only once. Do not pass it on. If you did not ask for it, ignore this message.',
      },
    ],
  },
  'email-change': {
    kind: 'email-change',
    subject: 'Confirma tu correo nuevo · Confirm your new e-mail',
    parts: [
      {
        lang: 'es',
        before: 'Tu cuenta de Juntas quiere usar este correo. Confírmalo donde has entrado en ella:',
        button: 'Usar este correo',
        after:
          'El enlace vale una hora. Si no fuiste tú o no tienes una cuenta en Juntas, ignora este mensaje: nada cambia.',
      },
      {
        lang: 'en',
        before: 'Your Juntas account would like to use this address. Confirm it where you are signed in:',
        button: 'Use this address',
        after:
          'The link works for one hour. If it was not you, or you have no account at Juntas, ignore this message: nothing changes.',
      },
    ],
  },
  'email-taken': {
    kind: 'email-taken',
    subject: 'Ya tienes una cuenta · You already have an account',
    parts: [
      {
        lang: 'es',
        before:
          'Ya tienes una cuenta con este correo. Alguien quiso usarlo en otra cuenta de Juntas. Si fuiste tú, entra aquí:',
        button: 'Entrar',
        after: 'Si no fuiste tú, no hagas nada: nada cambia.',
      },
      {
        lang: 'en',
        before:
          'You already have an account with this address. Someone wanted to use it in another account of Juntas. If it was you, sign in here:',
        button: 'Sign in',
        after: 'If it was not you, do nothing: nothing changes.',
      },
    ],
  },
  'phone-added': {
    kind: 'phone-added',
    subject: 'Un teléfono nuevo en tu cuenta · A new phone in your account',
    parts: [
      {
        lang: 'es',
        before: 'Se añadió un teléfono a tu cuenta de Juntas, con tu contraseña:',
        button: 'Ir a Juntas',
        after:
          'Si no fuiste tú, elige una contraseña nueva: eso quita el teléfono y cierra las demás sesiones.',
      },
      {
        lang: 'en',
        before: 'A phone was added to your Juntas account, with your password:',
        button: 'Go to Juntas',
        after:
          'If it was not you, choose a new password: that removes the phone and ends all other sessions.',
      },
    ],
  },
  'identity-added': {
    kind: 'identity-added',
    subject: 'Otra forma de entrar en tu cuenta · Another way into your account',
    parts: [
      {
        lang: 'es',
        before:
          'Desde ahora se entra en tu cuenta de Juntas también con un proveedor que conoce este correo:',
        button: 'Ir a Juntas',
        after: 'Si no fuiste tú, elige una contraseña nueva: eso lo quita y cierra las demás sesiones.',
      },
      {
        lang: 'en',
        before: 'From now on a provider that knows this address opens your Juntas account too:',
        button: 'Go to Juntas',
        after: 'If it was not you, choose a new password: that removes it and ends all other sessions.',
      },
    ],
  },
  'two-steps-on': {
    kind: 'two-steps-on',
    subject: 'La verificación en dos pasos está activada · Two steps are on',
    parts: [
      {
        lang: 'es',
        before: 'Desde ahora tu cuenta de Juntas pide también un código de una aplicación:',
        button: 'Ir a Juntas',
        after: 'Si no fuiste tú, escribe ahora a quien lleva este lugar: puede devolverte tu cuenta.',
      },
      {
        lang: 'en',
        before: 'From now on your Juntas account asks for a code of an app too:',
        button: 'Go to Juntas',
        after:
          'If it was not you, write to whoever runs this place now: they can give your account back to you.',
      },
    ],
  },
  'two-steps-off': {
    kind: 'two-steps-off',
    subject: 'La verificación en dos pasos se quitó · Two steps are off',
    parts: [
      {
        lang: 'es',
        before: 'La verificación en dos pasos se quitó. Desde ahora tu cuenta de Juntas se abre sin código:',
        button: 'Ir a Juntas',
        after: 'Si no fuiste tú, elige una contraseña nueva: eso cierra las demás sesiones.',
      },
      {
        lang: 'en',
        before: 'Two steps were turned off. From now on your Juntas account opens without a code:',
        button: 'Go to Juntas',
        after: 'If it was not you, choose a new password: that ends all other sessions.',
      },
    ],
  },
  'password-known': {
    kind: 'password-known',
    subject: 'Alguien sabe tu contraseña · Somebody knows your password',
    parts: [
      {
        lang: 'es',
        before:
          'Alguien sabe tu contraseña. La escribió bien en un navegador que no conocemos y no supo el segundo paso. Tu cuenta sigue cerrada para esa persona. Si no fuiste tú, elige otra contraseña:',
        button: 'Ir a Juntas',
        after: 'Si fuiste tú, no hagas nada.',
      },
      {
        lang: 'en',
        before:
          'Somebody knows your password. It was right in a browser we do not know, and the second step was not. Your account stays closed to them. If it was not you, choose another password:',
        button: 'Go to Juntas',
        after: 'If it was you, do nothing.',
      },
    ],
  },
  'operator-recovery': {
    kind: 'operator-recovery',
    subject: 'Un enlace para tu cuenta · A link for your account',
    parts: [
      {
        lang: 'es',
        before:
          'Quien lleva este lugar hizo un enlace con el que se elige una contraseña nueva para tu cuenta de Juntas. Aquí ves qué ha pasado en ella:',
        button: 'Ver mi cuenta',
        after: 'Si no lo pediste, escribe a quien lleva este lugar. El enlace vale una hora y una sola vez.',
      },
      {
        lang: 'en',
        before:
          'Whoever runs this place made a link by which a new password is chosen for your Juntas account. Here you see what happened in it:',
        button: 'See my account',
        after:
          'If you did not ask for it, write to whoever runs this place. The link works for one hour and only once.',
      },
    ],
  },
  'email-undo': {
    kind: 'email-undo',
    subject: 'Tu correo en Juntas cambió · Your e-mail at Juntas changed',
    parts: [
      {
        lang: 'es',
        before:
          'Tu cuenta de Juntas ya no usa este correo. Si fuiste tú, todo está bien. Si no, recupera tu cuenta aquí:',
        button: 'Recuperar mi cuenta',
        after:
          'El enlace vale siete días. Devuelve este correo a tu cuenta, cierra todas sus sesiones y te pide una contraseña nueva.',
      },
      {
        lang: 'en',
        before:
          'Your Juntas account no longer uses this address. If that was you, all is well. If not, take your account back here:',
        button: 'Take my account back',
        after:
          'The link works for seven days. It gives this address back to your account, ends all its sessions and asks you for a new password.',
      },
    ],
  },
} as const satisfies Record<string, EmailCopy>

const codeCopy: EmailCopy = {
  kind: 'code',
  subject: 'Tu código de Juntas · Your Juntas code',
  parts: [
    {
      lang: 'es',
      before: 'Tu código para entrar en Juntas es:',
      after: 'Vale quince minutos. No se lo digas a nadie. Si no lo pediste, ignora este mensaje.',
    },
    {
      lang: 'en',
      before: 'Your code to sign in to Juntas is:',
      after:
        'It works for fifteen minutes. Tell it to nobody. If you did not ask for it, ignore this message.',
    },
  ],
}

/**
 * Renders an e-mail around a link.
 * @param phrase words that the requesting page shows too, by which the recipient recognises the request
 */
export const renderLinkEmail = (about: keyof typeof linkCopy, link: string, phrase = ''): MailTemplate =>
  renderEmail(linkCopy[about], {
    text: appendPhrase(link, phrase),
    html: ({ button = link }) =>
      `<a href="${escapeHtml(link)}">${escapeHtml(appendPhrase(button, phrase))}</a>`,
  })

/** Renders an e-mail around a six-digit code. */
export const renderCodeEmail = (code: string, phrase = ''): MailTemplate =>
  renderEmail(codeCopy, {
    text: appendPhrase(code, phrase),
    html: () => `<strong>${escapeHtml(appendPhrase(code, phrase))}</strong>`,
  })

const appendPhrase = (text: string, phrase: string) => (phrase === '' ? text : `${text} (${phrase})`)

/** Renders a text message with a six-digit code. */
export const renderCodeSms = (kind: 'phone-code' | 'phone-verification', code: string) => ({
  kind,
  text: `${code} es tu código de Juntas. No se lo digas a nadie. / ${code} is your Juntas code. Tell it to nobody.`,
})

function renderEmail(
  { kind, subject, parts }: EmailCopy,
  middle: { text: string; html: (part: LocalizedCopy) => string },
): MailTemplate {
  const text = parts.map(({ before, after }) => `${before}\n\n${middle.text}\n\n${after}\n`).join('\n--\n\n')
  const html = parts.map(
    (part) =>
      `<div lang="${part.lang}"><p>${escapeHtml(part.before)}</p><p>${middle.html(part)}</p><p>${escapeHtml(part.after)}</p></div>`,
  )
  return {
    kind,
    subject,
    text,
    html: `<!doctype html><html lang="es"><head><meta charset="utf-8"><title>Juntas</title></head><body>${html.join('<hr>')}</body></html>`,
  }
}
