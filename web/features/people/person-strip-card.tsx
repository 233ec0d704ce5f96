import { useId } from 'react'
import { Link } from 'react-router'
import type { Person } from '#contract/people/people.ts'
import { LazyChatButton } from '#web/features/chat/lazy-chat-button.tsx'
import { screenPaths } from '#web/paths.ts'
import { Avatar } from '#web/ui/images/avatar.tsx'
import { FollowButton } from './follow-button.tsx'

export function PersonStripCard({ person }: { person: Person }) {
  const nameId = useId()
  return (
    <li className="card flex w-[136px] flex-none snap-start flex-col items-center rounded-card-small px-2.5 pt-3.5 pb-3 text-center">
      <Link to={screenPaths.profile(person.$id)} className="flex w-full min-w-0 flex-col items-center">
        <Avatar person={person} size={56} />
        <span
          id={nameId}
          className="mt-[9px] block max-w-full truncate text-label leading-[1.125rem] font-[640]"
        >
          {person.name}
        </span>
        <span className="block max-w-full truncate text-micro leading-[1.0625rem] text-text-2">
          @{person.username}
        </span>
      </Link>
      <div className="mt-2.5 flex w-full items-center gap-1.5 [&>button:first-child]:px-1.5">
        <FollowButton person={person} describedBy={nameId} block />
        <LazyChatButton person={person} place="icon" />
      </div>
    </li>
  )
}
