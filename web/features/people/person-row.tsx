import { useId } from 'react'
import { Link } from 'react-router'
import type { Person } from '#contract/people.ts'
import { ChatButtonLater } from '#web/features/chat/chat-button-later.tsx'
import { paths } from '#web/paths.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { FollowButton } from './follow-button.tsx'

/** A member in a list: picture and name lead to her profile. */
export function PersonRow({ person }: { person: Person }) {
  const nameId = useId()
  return (
    <li className="flex items-center gap-2.5 rounded-photo p-2 hover:bg-sunken">
      <Link to={paths.profile(person.$id)} className="flex min-w-0 flex-1 items-center gap-3">
        <Avatar person={person} size={44} />
        <span className="min-w-0">
          <span id={nameId} className="block truncate text-label leading-[18px] font-[640]">
            {person.name}
          </span>
          <span className="block truncate text-meta leading-[17px] text-text-2">@{person.username}</span>
        </span>
      </Link>
      <ChatButtonLater person={person} place="icon" />
      <FollowButton person={person} describedBy={nameId} />
    </li>
  )
}

/** The same as a narrow card, for a row that scrolls sideways. */
export function PersonCard({ person }: { person: Person }) {
  const nameId = useId()
  return (
    <li className="card flex w-[136px] flex-none snap-start flex-col items-center rounded-card-small px-2.5 pt-3.5 pb-3 text-center">
      <Link to={paths.profile(person.$id)} className="flex w-full min-w-0 flex-col items-center">
        <Avatar person={person} size={56} />
        <span id={nameId} className="mt-[9px] block max-w-full truncate text-label leading-[18px] font-[640]">
          {person.name}
        </span>
        <span className="block max-w-full truncate text-micro leading-[17px] text-text-2">
          @{person.username}
        </span>
      </Link>
      <div className="mt-2.5 flex w-full items-center gap-1.5 [&>button:first-child]:px-1.5">
        <FollowButton person={person} describedBy={nameId} block />
        <ChatButtonLater person={person} place="icon" />
      </div>
    </li>
  )
}
