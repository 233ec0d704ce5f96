/** These pages have no scripts, and are in Spanish like the sign-in screen. */
import { defaultCommunityName, getCommunityLogoPath } from '#contract/community/community-name-and-logo.ts'
import { fillCommunityName } from '#server/email/fill-community-name.ts'
import type { CommunityIdentity } from '#server/http/community-identity.ts'
import { escapeHtml } from '#server/http/escape-html.ts'

/** `{community}` in these texts is the community's name. */
export type EmailLinkPage = {
  title: string
  lead: string
  problem?: string
  form?: { action: string; hidden: Record<string, string>; fields?: readonly Field[]; button: string }
  link?: { href: string; text: string }
}

type Field = {
  name: string
  label: string
  type: 'password'
  autocomplete: 'new-password' | 'current-password'
  hint?: string
  optional?: boolean
}

export function renderEmailLinkPage(
  { title, lead, problem, form, link }: EmailLinkPage,
  { name, logo }: CommunityIdentity,
): string {
  const textHtml = (text: string) => escapeHtml(fillCommunityName(text, name))
  const word = name === defaultCommunityName ? 'juntas' : name
  const icon = logo
    ? `href="${getCommunityLogoPath(logo)}" type="image/png"`
    : 'href="/favicon.svg" type="image/svg+xml"'
  return `<!doctype html>
<html lang="es">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${textHtml(title)} · ${escapeHtml(name)}</title>
<link rel="icon" ${icon}>
<link rel="stylesheet" href="/v1/auth/email-link-pages.css">
</head>
<body>
<main>
<a class="brand" href="/" aria-label="${escapeHtml(name)}">${logo ? logoHtml(logo) : mark}<span aria-hidden="true">${escapeHtml(word)}</span></a>
<h1>${textHtml(title)}</h1>
<p class="lead">${textHtml(lead)}</p>
${problem ? `<p class="problem" role="alert">${textHtml(problem)}</p>` : ''}
${form ? formHtml(form) : ''}
${link ? `<p><a class="button" href="${escapeHtml(link.href)}">${textHtml(link.text)}</a></p>` : ''}
</main>
</body>
</html>
`
}

function formHtml({ action, hidden, fields = [], button }: NonNullable<EmailLinkPage['form']>): string {
  const kept = Object.entries(hidden).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
  )
  return `<form method="post" action="${action}">
${kept.join('\n')}
${fields.map(fieldHtml).join('\n')}
<button class="button">${escapeHtml(button)}</button>
</form>`
}

const fieldHtml = ({ name, label, type, autocomplete, hint, optional = false }: Field) =>
  `<label for="${name}">${escapeHtml(label)}</label>
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" maxlength="256"${optional ? '' : ' minlength="8" required'}${hint ? ` aria-describedby="${name}-hint"` : ''}>
${hint ? `<p class="hint" id="${name}-hint">${escapeHtml(hint)}</p>` : ''}`

const logoHtml = (version: string) =>
  `<img src="${getCommunityLogoPath(version)}" width="34" height="34" alt="">`

const mark = `<svg viewBox="0 0 48 48" width="34" height="34" aria-hidden="true">
<rect class="ground" width="48" height="48" rx="14.4"/>
<g fill="none" stroke-width="7" stroke-linecap="round"><path class="right-line" d="M32.4 23.4v2.6A10.4 10.4 0 0 1 22 36.4"/><path class="left-line" d="M15.6 23.4v2.6A10.4 10.4 0 0 0 26 36.4"/></g>
<circle class="left-head" cx="15.6" cy="13.8" r="4.5"/><circle class="right-head" cx="32.4" cy="13.8" r="4.5"/>
</svg>`
