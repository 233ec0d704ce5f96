import type { ReportSubjectKind } from '#contract/moderation/reports.ts'

export type ReportedSubject = {
  kind: ReportSubjectKind
  id: string
  inGroup?: boolean
  /** The person whom the reporter can block afterwards. */
  person?: { $id: string; name: string }
  /** The reported message and the messages around it, oldest first. */
  messages?: readonly { $id: string; content: string; at: string; mine: boolean }[]
}
