import { escapeHtml } from '../http/escape-html.ts'
import type { EmailTemplate } from './message-templates.ts'

const placeholder = '{community}'

export const fillCommunityName = (text: string, name: string): string =>
  text.replaceAll(placeholder, () => name)

/** The name is filled in before queueing, because a node with an earlier version may send the email. */
export const fillCommunityNameInEmail = (email: EmailTemplate, name: string): EmailTemplate => ({
  ...email,
  subject: fillCommunityName(email.subject, name),
  text: fillCommunityName(email.text, name),
  html: fillCommunityName(email.html, escapeHtml(name)),
})
