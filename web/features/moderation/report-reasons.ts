/** The words for what can be wrong, in the order they are offered. */
import { en } from '#contract/language.ts'
import type { ReportReason } from '#contract/moderation/reports.ts'

export const reasonLabels: Record<ReportReason, string> = {
  harassment: en('It insults or harasses me or somebody', 'Me insulta o acosa, a mí o a alguien'),
  threat: en('It threatens', 'Amenaza'),
  intimate: en(
    'An intimate picture or its description, without consent',
    'Una imagen íntima o su descripción, sin permiso',
  ),
  hate: en('Hate against who somebody is', 'Odio contra quien alguien es'),
  minor: en('A girl or boy is in danger', 'Una niña o un niño está en peligro'),
  'self-harm': en('Somebody may hurt herself', 'Alguien puede hacerse daño'),
  impersonation: en('Somebody pretends to be another', 'Alguien se hace pasar por otra'),
  spam: en('Spam or fraud', 'Spam o fraude'),
  'off-topic': en('It doesn’t belong in this group', 'No encaja en este grupo'),
  other: en('Something else', 'Otra cosa'),
}

export const reasonExplanations: Partial<Record<ReportReason, string>> = {
  threat: en(
    'With violence, with finding somebody, with publishing something',
    'Con violencia, con encontrar a alguien, con publicar algo',
  ),
}
