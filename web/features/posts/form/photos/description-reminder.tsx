import { Ear } from 'lucide-react'
import { useState } from 'react'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import type { DraftPhoto } from '../post-form-schema.ts'

const declinedStorageKey = (account: string) => `juntas:no-description-reminder:${account}`

type Props = { photos: readonly DraftPhoto[]; onDescribe: (photo: DraftPhoto) => void }

/** Reminds of photos without a description, in one line that holds nothing up. */
export function DescriptionReminder({ photos, onDescribe }: Props) {
  const key = declinedStorageKey(useSignedInMember().id)
  const [declined, setDeclined] = useState(() => localStorage.getItem(key) !== null)
  const without = photos.filter(({ alt }) => !alt.trim())
  const [first] = without
  if (!first || declined) return null
  return (
    <div className="description-reminder text-label">
      <Ear aria-hidden size={20} strokeWidth={2} className="flex-none" />
      <p>
        {without.length === 1 ? '1 photo has' : `${without.length} photos have`} no description. Some of us
        listen to pictures.
      </p>
      <button type="button" onClick={() => onDescribe(first)}>
        {without.length === 1 ? 'Describe it' : 'Describe them'}
      </button>
      <button
        type="button"
        onClick={() => {
          localStorage.setItem(key, '')
          setDeclined(true)
        }}
      >
        Don’t remind me
      </button>
    </div>
  )
}
