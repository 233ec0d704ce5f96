import type { ReportSubjectKind } from '#contract/moderation/reports.ts'

export type ReportedSubject = {
  kind: ReportSubjectKind
  id: string
  /** Whether it is a post of a group. */
  inGroup?: boolean
  /** Who could be blocked afterwards. */
  person?: { $id: string; name: string }
  /** Of a reported message the messages around it, oldest first, itself among them. */
  messages?: readonly { $id: string; content: string; at: string; mine: boolean }[]
}
