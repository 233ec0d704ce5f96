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
  impersonation: en('Impersonation', 'Se hace pasar por otra persona'),
  spam: en('Spam or fraud', 'Spam o fraude'),
  'off-topic': en('It doesn’t belong in this group', 'No encaja en este grupo'),
  other: en('Something else', 'Otra cosa'),
}

export const reasonExplanations: Partial<Record<ReportReason, string>> = {
  threat: en(
    'To hurt someone, to track her down or to publish something about her',
    'De hacerle daño a alguien, de localizarla o de publicar algo suyo',
  ),
}
