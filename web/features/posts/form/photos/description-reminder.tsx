import { Ear } from 'lucide-react'
import { en } from '#contract/language.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import type { PostDraftPhoto } from '../post-form-schema.ts'
import { useDeclineDescriptionReminder } from './use-decline-description-reminder.ts'

type Props = { photos: readonly PostDraftPhoto[]; onDescribe: (photo: PostDraftPhoto) => void }

export function DescriptionReminder({ photos, onDescribe }: Props) {
  const { altReminder } = useSignedInMember()
  const decline = useDeclineDescriptionReminder()
  const without = photos.filter(({ alt }) => !alt.trim())
  const [first] = without
  if (!first || altReminder === false) return null
  return (
    <div className="description-reminder text-label">
      <Ear aria-hidden size={20} strokeWidth={2} className="flex-none" />
      <p>
        {without.length === 1
          ? en(
              '1 photo has no description. Members who can’t see it rely on one.',
              '1 foto no tiene descripción. Quienes no pueden verla la necesitan.',
            )
          : en(
              `${without.length} photos have no description. Members who can’t see them rely on one.`,
              `${without.length} fotos no tienen descripción. Quienes no pueden verlas la necesitan.`,
            )}
      </p>
      <button type="button" onClick={() => onDescribe(first)}>
        {without.length === 1 ? en('Describe it', 'Descríbela') : en('Describe them', 'Describirlas')}
      </button>
      <button type="button" onClick={() => decline.mutate()}>
        {en('Don’t remind me', 'No recordármelo')}
      </button>
    </div>
  )
}
