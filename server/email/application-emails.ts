import { escapeHtml } from '../http/escape-html.ts'
import type { EmailTemplate } from './message-templates.ts'
import type { LocalizedCopy } from './message-text-types.ts'

export type ApplicationOutcome = 'approved' | 'declined'

type Copy = LocalizedCopy & { subject: string; says: string }

const texts: Record<ApplicationOutcome, readonly [Copy, Copy]> = {
  approved: [
    {
      lang: 'es',
      subject: 'Aceptaron tu solicitud',
      before: 'Aceptaron tu solicitud en {community}. Entra con el correo y la contraseña que elegiste:',
      says: 'Su mensaje:',
      button: 'Entrar',
      after:
        'Si otra ya tenía el nombre de usuaria que elegiste, el tuyo es parecido. Lo ves en tu perfil y lo cambias en los ajustes.',
    },
    {
      lang: 'en',
      subject: 'Your application was approved',
      before:
        'Your application to {community} was approved. Sign in with the email and the password you chose:',
      says: 'Their message:',
      button: 'Sign in',
      after:
        'If the username you chose was taken, yours is similar. You can see it in your profile and change it in the settings.',
    },
  ],
  declined: [
    {
      lang: 'es',
      subject: 'Tu solicitud',
      before: 'No aceptaron tu solicitud en {community}.',
      says: 'Su mensaje:',
      after: 'Lo que escribiste se borra en 30 días.',
    },
    {
      lang: 'en',
      subject: 'Your application',
      before: 'Your application to {community} was declined.',
      says: 'Their message:',
      after: 'What you wrote will be deleted in 30 days.',
    },
  ],
}

/**
 * @param more.language null for both languages
 * @param more.sentence the operator's text; may be empty
 */
export function renderApplicationEmail(
  decision: ApplicationOutcome,
  publicUrl: string,
  { language, sentence }: { language: 'es' | 'en' | null; sentence: string },
): EmailTemplate {
  const chosen = texts[decision].filter(({ lang }) => language === null || lang === language)
  const link = decision === 'approved' ? `${publicUrl}/sign-in` : null
  const parts = chosen.map(({ lang, before, says, button = '', after }) => {
    const said = sentence === '' ? [] : [`${says} ${sentence}`]
    const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`
    const anchor = link === null ? '' : `<p><a href="${escapeHtml(link)}">${escapeHtml(button)}</a></p>`
    return {
      text: `${[before, ...(link === null ? [] : [link]), ...said, after].join('\n\n')}\n`,
      html: `<div lang="${lang}">${paragraph(before)}${anchor}${said.map(paragraph).join('')}${paragraph(after)}</div>`,
    }
  })
  return {
    kind: `application-${decision}`,
    subject: chosen.map(({ subject }) => subject).join(' · '),
    text: parts.map(({ text }) => text).join('\n--\n\n'),
    html: `<!doctype html><html lang="${chosen[0]?.lang}"><head><meta charset="utf-8"><title>{community}</title></head><body>${parts.map(({ html }) => html).join('<hr>')}</body></html>`,
  }
}
