import { en } from '#contract/language.ts'
import type { ReportReason } from '#contract/moderation/reports.ts'

export const reportReasonLabels: Record<ReportReason, string> = {
  harassment: en('Insults or harassment', 'Insultos o acoso'),
  threat: en('Threats', 'Amenazas'),
  intimate: en(
    'An intimate picture or its description, without consent',
    'Una imagen íntima o su descripción, sin permiso',
  ),
  hate: en('Hate speech', 'Discurso de odio'),
  minor: en('A child is in danger', 'Hay menores en peligro'),
  'self-harm': en('Someone may hurt herself', 'Alguien puede hacerse daño'),
  impersonation: en('Impersonation', 'Suplantación de identidad'),
  spam: en('Spam or fraud', 'Spam o fraude'),
  'off-topic': en('It doesn’t belong in this group', 'No encaja en este grupo'),
  other: en('Something else', 'Otra cosa'),
}

export const reasonExplanations: Partial<Record<ReportReason, string>> = {
  threat: en(
    'With violence, with finding someone, with publishing something',
    'Con violencia, con encontrar a alguien, con publicar algo',
  ),
}
