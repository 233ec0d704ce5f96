import { escapeHtml } from '../http/escape-html.ts'
import type { MailTemplate } from './message-templates.ts'

/** The placeholder for the community's name in texts of emails and text messages. */
const placeholder = '{community}'

export const fillCommunityName = (text: string, name: string): string => text.replaceAll(placeholder, name)

/** Fills in the name before the email is queued, because a node with an earlier version may send it. */
export const fillCommunityNameInEmail = (email: MailTemplate, name: string): MailTemplate => ({
  ...email,
  subject: fillCommunityName(email.subject, name),
  text: fillCommunityName(email.text, name),
  html: fillCommunityName(email.html, escapeHtml(name)),
})
