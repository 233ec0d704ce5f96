import type { ReportSubjectKind } from '#contract/moderation/reports.ts'

export type ReportedSubject = {
  kind: ReportSubjectKind
  id: string
  inGroup?: boolean
  /** Set if the reporter can block this person afterwards. */
  person?: { $id: string; name: string }
  /** The reported message and those around it, oldest first. */
  messages?: readonly { $id: string; content: string; at: string; mine: boolean }[]
}
