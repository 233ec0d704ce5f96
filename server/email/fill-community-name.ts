import { escapeHtml } from '../http/escape-html.ts'
import type { MailTemplate } from './message-templates.ts'

/** Stands for the community's name in texts of emails and text messages. */
const placeholder = '{community}'

export const fillCommunityName = (text: string, name: string): string => text.replaceAll(placeholder, name)

/** Fills the name in before the email is queued, because a node of an earlier version may send it. */
export const fillCommunityNameInEmail = (email: MailTemplate, name: string): MailTemplate => ({
  ...email,
  subject: fillCommunityName(email.subject, name),
  text: fillCommunityName(email.text, name),
  html: fillCommunityName(email.html, escapeHtml(name)),
})
