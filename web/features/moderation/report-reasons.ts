/** The words for what can be wrong, in the order they are offered. */
import type { ReportReason } from '#contract/moderation/reports.ts'

export const reasonLabels: Record<ReportReason, string> = {
  harassment: 'It insults or harasses me or somebody',
  threat: 'It threatens',
  intimate: 'An intimate picture or its description, without consent',
  hate: 'Hate against who somebody is',
  minor: 'A girl or boy is in danger',
  'self-harm': 'Somebody may hurt herself',
  impersonation: 'Somebody pretends to be another',
  spam: 'Spam or fraud',
  'off-topic': 'It doesn’t belong in this group',
  other: 'Something else',
}

export const reasonExplanations: Partial<Record<ReportReason, string>> = {
  threat: 'With violence, with finding somebody, with publishing something',
}
