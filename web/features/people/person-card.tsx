import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import { en } from '#contract/language.ts'
import type { Person } from '#contract/people/people.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { screenPaths } from '#web/paths.ts'
import { Avatar } from '#web/ui/images/avatar.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { FollowButton } from './follow-button.tsx'

export function PersonCard({ person, actions }: { person: Person; actions?: ReactNode }) {
  const nameId = useId()
  const isMine = useSignedInMember().$id === person.$id
  return (
    <li className="card flex min-w-0 flex-col items-center rounded-card-small px-3 pt-5 pb-4 text-center md:rounded-card md:px-4">
      <Link to={screenPaths.profile(person.$id)} className="flex w-full min-w-0 flex-col items-center">
        <Avatar person={person} size={64} />
        <span className="mt-2.5 flex max-w-full items-center gap-1.5">
          <span id={nameId} className="truncate text-name font-[650]">
            {person.name}
          </span>
          {isMine && (
            <span className="flex-none rounded-full bg-brand-soft px-2 text-micro leading-[1.25rem] font-[650] text-brand-text">
              {en('You', 'Tú')}
            </span>
          )}
        </span>
        <span className="block max-w-full truncate text-meta text-text-2">@{person.username}</span>
      </Link>
      <div className="mt-3.5 flex w-full flex-wrap justify-center gap-2">
        <div className="min-w-[3.75rem] flex-1 md:min-w-[5.25rem]">
          <FollowButton person={person} describedBy={nameId} block />
        </div>
        {actions}
      </div>
    </li>
  )
}

export function PersonCardSkeleton() {
  return (
    <div className="card flex flex-col items-center rounded-card-small px-3 pt-5 pb-4 md:rounded-card md:px-4">
      <Skeleton className="size-16 rounded-full" />
      <Skeleton className="mt-3 h-4 w-3/4" />
      <Skeleton className="mt-2 h-3 w-1/2" />
      <Skeleton className="mt-4 h-9 w-full rounded-full" />
    </div>
  )
}
