import { Lock } from 'lucide-react'
import { en } from '#contract/language.ts'

export const GroupsOfflineNotice = () => (
  <p className="mb-3 flex items-center gap-3 rounded-tile bg-sunken px-5 py-4 text-text-2 md:mb-5">
    <Lock aria-hidden size={20} strokeWidth={1.9} className="flex-none" />
    {en(
      'Posts of your groups are not kept on this device.',
      'Las publicaciones de tus grupos no se guardan en este dispositivo.',
    )}
  </p>
)
