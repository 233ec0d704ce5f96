import { Lock } from 'lucide-react'
import { en } from '#contract/language.ts'
import { WaitingPostsNotice } from '#web/features/posts/outbox/waiting-posts.tsx'
import { keptHomeState } from './kept-home-state.ts'

/** Says above Home what waits to be sent, and what is not kept of it, on a page that was opened without a connection. */
export const NoticesAboveHome = () => (
  <>
    <WaitingPostsNotice />
    {keptHomeState.leavesOutGroups && <GroupsNotKept />}
  </>
)

const GroupsNotKept = () => (
  <p className="mb-3 flex items-center gap-3 rounded-tile bg-sunken px-5 py-4 text-text-2 md:mb-5">
    <Lock aria-hidden size={20} strokeWidth={1.9} className="flex-none" />
    {en(
      'Posts of your groups are not kept on this device.',
      'Las publicaciones de tus grupos no se guardan en este dispositivo.',
    )}
  </p>
)
