import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import type { Person } from '#contract/people/people.ts'
import { LazyChatButton } from '#web/features/chat/lazy-chat-button.tsx'
import { screenPaths } from '#web/paths.ts'
import { AvatarWithName } from '#web/ui/avatar-with-name.tsx'
import { FollowButton } from './follow-button.tsx'

export function PersonRow({ person, actions }: { person: Person; actions?: ReactNode }) {
  const nameId = useId()
  return (
    <li className="flex items-center gap-2.5 rounded-photo p-2 hover:bg-sunken">
      <Link to={screenPaths.profile(person.$id)} className="flex min-w-0 flex-1 items-center gap-3">
        <AvatarWithName person={person} nameId={nameId} />
      </Link>
      <LazyChatButton person={person} place="icon" />
      <FollowButton person={person} describedBy={nameId} />
      {actions}
    </li>
  )
}
