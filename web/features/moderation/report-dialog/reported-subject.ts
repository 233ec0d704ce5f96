import type { ReportSubjectKind } from '#contract/moderation/reports.ts'

export type ReportedSubject = {
  kind: ReportSubjectKind
  id: string
  inGroup?: boolean
  /** The person that can be blocked afterwards. */
  person?: { $id: string; name: string }
  /** Messages around and including the reported one, oldest first. */
  messages?: readonly { $id: string; content: string; at: string; mine: boolean }[]
}
