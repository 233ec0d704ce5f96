import type { ReportSubjectKind } from '#contract/moderation/reports.ts'

export type ReportedSubject = {
  kind: ReportSubjectKind
  id: string
  inGroup?: boolean
  /** The reporter can block this person afterwards. */
  person?: { $id: string; name: string }
  /** Also the messages around it, oldest first. */
  messages?: readonly { $id: string; content: string; at: string; mine: boolean }[]
}
