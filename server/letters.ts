/**
 * The words of our mails and text messages, in Spanish and English each: an account has no language. Nothing a member
 * wrote stands in them, because anybody can sign up with a stranger's address and a name that is a message
 * (security reference S10).
 */

export type LetterKind =
  | 'recovery'
  | 'verification'
  | 'magic-url'
  | 'code'
  | 'email-undo'
  | 'phone-code'
  | 'phone-verification'

/** A mail without its address. */
export type Letter = { kind: LetterKind; subject: string; text: string; html: string }

/** One language's part: a sentence before the link or code and one after. */
type Part = { lang: 'es' | 'en'; before: string; after: string; button?: string }

type Subject = { kind: LetterKind; subject: string; parts: readonly [Part, Part] }

const linkLetters = {
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
} as const satisfies Record<string, Subject>

const codeSubject: Subject = {
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
 * A letter around a link.
 * @param phrase words that the asking screen shows too, so that she sees that the letter answers her own asking
 */
export const linkLetter = (about: keyof typeof linkLetters, link: string, phrase = ''): Letter =>
  written(linkLetters[about], {
    text: withPhrase(link, phrase),
    html: ({ button = link }) =>
      `<a href="${escapeHtml(link)}">${escapeHtml(withPhrase(button, phrase))}</a>`,
  })

/** A letter around a six-digit code. */
export const codeLetter = (code: string, phrase = ''): Letter =>
  written(codeSubject, {
    text: withPhrase(code, phrase),
    html: () => `<strong>${escapeHtml(withPhrase(code, phrase))}</strong>`,
  })

const withPhrase = (text: string, phrase: string) => (phrase === '' ? text : `${text} (${phrase})`)

/** A text message; short enough for one. */
export const codeMessage = (kind: 'phone-code' | 'phone-verification', code: string) => ({
  kind,
  text: `${code} es tu código de Juntas. No se lo digas a nadie. / ${code} is your Juntas code. Tell it to nobody.`,
})

function written(
  { kind, subject, parts }: Subject,
  middle: { text: string; html: (part: Part) => string },
): Letter {
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

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as it stands in HTML, in an element or an attribute in quotes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (char) => entities[char] as string)
