/** The words for cases, their reasons and decisions. */
import type { ModerationCase, ModerationCaseSummary } from '#contract/moderation/cases.ts'
import type { ReportReason } from '#contract/moderation/reports.ts'

export const shortReasons: Record<ReportReason, string> = {
  harassment: 'Harassment',
  threat: 'Threat',
  intimate: 'Intimate picture',
  hate: 'Hate',
  minor: 'Child in danger',
  'self-harm': 'Self-harm',
  impersonation: 'Impersonation',
  spam: 'Spam',
  'off-topic': 'Off topic',
  other: 'Something else',
}

/** What was done, as it stands in lists and in the log. */
const actWords: Record<string, string> = {
  claim: 'claimed the case',
  release: 'gave the case back',
  dismiss: 'Dismissed',
  hide: 'Hidden',
  warn: 'Warned',
  suspend: 'Suspended',
  'take-out': 'Taken out of the group',
  'remove-member': 'Removed from the group',
  'pass-on': 'passed it on to the moderators',
  'review.ask': 'asked for a review',
  'review.upheld': 'decided the review: it stays',
  'review.overturned': 'decided the review: overturned',
}

export const actText = (act: string): string => actWords[act] ?? act

/** Says who did it. Only whom a case is about asks for a review, and only a group's admin passes a case on; what nobody did, time did. */
export function actorText({ act, by }: ModerationCase['log'][number]): string {
  if (act === 'review.ask') return 'She'
  if (by === null) return 'Juntas'
  if (by === 'me') return 'You'
  return act === 'pass-on' ? 'The group’s admin' : 'Another moderator'
}

export function titleOf({ kind, about, excerpt }: ModerationCaseSummary): string {
  const name = about?.name ?? 'a closed account'
  return {
    post: `Post by ${name}`,
    member: about ? `Member @${about.username}` : 'A closed account',
    message: `Message from ${name}`,
    group: `Group “${excerpt ?? ''}”`,
  }[kind]
}

export function subtitleOf({
  kind,
  excerpt,
  group,
  furtherMessages,
  deletedAt,
}: ModerationCaseSummary): string {
  const gone = deletedAt ? ' · deleted by its author' : ''
  if (kind === 'post') return `${group ? `Posted in ${group}` : 'Post outside groups'}${gone}`
  if (kind === 'message')
    return `“${excerpt ?? ''}”${furtherMessages > 0 ? ` and ${furtherMessages} more chosen` : ''}`
  return kind === 'member' ? 'Name, photo and bio' : 'Name and description'
}

/** Says how many minutes are left until a time, at least one; rounded, because the time that a page shares is up to half a minute old. */
export function minutesLeftText(until: string, now: number): string {
  const minutes = Math.max(1, Math.round((Date.parse(until) - now) / 60_000))
  return minutes === 1 ? '1 minute' : `${minutes} minutes`
}
