/** Emails have both languages, because an account may have no language. `{community}` is filled in later. */

import { escapeHtml } from '../http/escape-html.ts'
import { accountNoticeTexts } from './account-notice-texts.ts'
import { codeEmailTexts, linkEmailTexts, testEmailTexts } from './email-texts.ts'
import type { EmailCopy, EmailOrSmsKind, LocalizedCopy } from './message-text-types.ts'

const textsAroundLinks = { ...linkEmailTexts, ...accountNoticeTexts }

export type EmailTemplate = {
  kind: EmailOrSmsKind
  subject: string
  text: string
  html: string
  headers?: Record<string, string>
}

/** @param phrase words that the requesting page also shows */
export const renderLinkEmail = (
  about: keyof typeof textsAroundLinks,
  link: string,
  phrase = '',
): EmailTemplate =>
  renderEmail(textsAroundLinks[about], {
    text: appendPhrase(link, phrase),
    html: ({ button = link }) =>
      `<a href="${escapeHtml(link)}">${escapeHtml(appendPhrase(button, phrase))}</a>`,
  })

export const renderCodeEmail = (code: string, phrase = ''): EmailTemplate =>
  renderEmail(codeEmailTexts, {
    text: appendPhrase(code, phrase),
    html: () => `<strong>${escapeHtml(appendPhrase(code, phrase))}</strong>`,
  })

export function renderDatedLinkEmail(
  about: keyof typeof textsAroundLinks,
  link: string,
  day: Date,
): EmailTemplate {
  return renderFilledLinkEmail(about, link, 'day', formatDay(day))
}

const formatDay = (day: Date) =>
  ['es', 'en'].map((lang) =>
    new Intl.DateTimeFormat(lang, { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(day),
  ) as [string, string]

const browsersInEmails = [
  'Chrome',
  'Firefox',
  'Safari',
  'Edge',
  'Opera',
  'Brave',
  'Vivaldi',
  'DuckDuckGo',
  'Samsung Internet',
]
const systemsInEmails = ['Windows', 'Mac', 'Linux', 'Ubuntu', 'Android', 'iPhone', 'iPad', 'ChromeOS']

/** Names only known browsers, because a client could otherwise send any text to a stranger. */
export function renderNewDeviceEmail(
  link: string,
  { browser, system, country }: { browser: string | null; system: string | null; country: string | null },
): EmailTemplate {
  const named = browsersInEmails.find((name) => name === browser)
  const on = systemsInEmails.find((name) => name === system)
  return renderFilledLinkEmail('new-device', link, 'device', [
    `${named ?? 'un navegador'}${on ? ` en ${on}` : ''}${country ? `, ${nameCountry(country, 'es')}` : ''}`,
    `${named ?? 'a browser'}${on ? ` on ${on}` : ''}${country ? `, ${nameCountry(country, 'en')}` : ''}`,
  ])
}

const nameCountry = (code: string, language: 'es' | 'en') =>
  new Intl.DisplayNames([language], { type: 'region' }).of(code) ?? code

function renderFilledLinkEmail(
  about: keyof typeof textsAroundLinks,
  link: string,
  name: 'day' | 'device',
  [es, en]: [string, string],
): EmailTemplate {
  const place = `{${name}}`
  const { subject, parts, ...copy }: EmailCopy = textsAroundLinks[about]
  const [spanish, english] = parts
  return renderEmail(
    {
      ...copy,
      subject: subject.replace(place, es).replace(place, en),
      parts: [
        { ...spanish, before: spanish.before.replace(place, es) },
        { ...english, before: english.before.replace(place, en) },
      ],
    },
    { text: link, html: ({ button = link }) => `<a href="${escapeHtml(link)}">${escapeHtml(button)}</a>` },
  )
}

const appendPhrase = (text: string, phrase: string) => (phrase === '' ? text : `${text} (${phrase})`)

export const renderTestEmail = (): EmailTemplate =>
  renderEmail(testEmailTexts, { text: '✓', html: () => '✓' })

export const renderCodeSms = (kind: 'phone-code' | 'phone-verification', code: string) => ({
  kind,
  text: `${code} es tu código de {community}. No se lo digas a nadie. / ${code} is your {community} code. Do not share it.`,
})

/**
 * Renders the text message for a member without a reachable email address. @param link restores the account
 */
export function renderDeletionSms(link: string, day: Date) {
  const [es, en] = formatDay(day)
  return {
    kind: 'deletion-asked',
    text: `Tu cuenta de {community} se borra el ${es}. Your {community} account is deleted on ${en}. No quiero · I do not want that: ${link}`,
  }
}

function renderEmail(
  { kind, subject, parts }: EmailCopy,
  middle: { text: string; html: (part: LocalizedCopy) => string },
): EmailTemplate {
  const text = parts.map(({ before, after }) => `${before}\n\n${middle.text}\n\n${after}\n`).join('\n--\n\n')
  const html = parts.map(
    (part) =>
      `<div lang="${part.lang}"><p>${escapeHtml(part.before)}</p><p>${middle.html(part)}</p><p>${escapeHtml(part.after)}</p></div>`,
  )
  return {
    kind,
    subject,
    text,
    html: `<!doctype html><html lang="es"><head><meta charset="utf-8"><title>{community}</title></head><body>${html.join('<hr>')}</body></html>`,
  }
}
