import { UserRoundCheck, UsersRound } from 'lucide-react'
import { useId } from 'react'
import { Link } from 'react-router'
import { en } from '#contract/language.ts'
import type { FollowRequest } from '#contract/people/follow-requests.ts'
import { screenPaths } from '#web/paths.ts'
import { AvatarWithName } from '#web/ui/avatar-with-name.tsx'
import { Button } from '#web/ui/button.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { type FollowRequestDecision, useDecideFollowRequest } from './mutations.ts'

type Props = {
  request: FollowRequest
  /** The row, which has the focus, is about to disappear. */
  onDecided: () => void
}

export function FollowRequestRow({ request, onDecided }: Props) {
  const { person } = request
  const nameId = useId()
  const decision = useDecideFollowRequest(request, onDecided)
  const decide = (what: FollowRequestDecision) => () => decision.mutate(what)
  return (
    <li
      aria-labelledby={nameId}
      className="flex items-center gap-3.5 p-3.5 max-md:flex-wrap max-md:gap-y-3 md:px-5 md:py-4"
    >
      <Link to={screenPaths.profile(person.$id)} className="flex min-w-0 flex-1 items-center gap-3.5">
        <AvatarWithName person={person} size={48} look="title" nameId={nameId}>
          <Why request={request} />
        </AvatarWithName>
      </Link>
      <div className="flex flex-none gap-2 max-md:w-full max-md:*:flex-1">
        <Button
          kind="quiet"
          size="sm"
          disabled={decision.isPending}
          aria-label={en(`Decline ${person.name}`, `Rechazar a ${person.name}`)}
          onClick={decide('decline')}
        >
          {en('Decline', 'Rechazar')}
        </Button>
        <Button
          size="sm"
          disabled={decision.isPending}
          aria-label={en(`Approve ${person.name}`, `Aceptar a ${person.name}`)}
          onClick={decide('approve')}
        >
          {en('Approve', 'Aceptar')}
        </Button>
      </div>
    </li>
  )
}

function Why({ request: { why, requestedAt } }: { request: FollowRequest }) {
  const { following, groupsInCommon, joinedAt } = why
  return (
    <span className="mt-1 flex flex-wrap items-center gap-x-3.5 gap-y-0.5 text-meta text-text-2">
      {following && (
        <span className="flex items-center gap-1.5">
          <UserRoundCheck aria-hidden size={16} strokeWidth={2} className="flex-none" />
          {en('You follow her', 'La sigues')}
        </span>
      )}
      {groupsInCommon > 0 && (
        <span className="flex items-center gap-1.5">
          <UsersRound aria-hidden size={16} strokeWidth={2} className="flex-none" />
          {groupsInCommon === 1
            ? en('1 group in common', '1 grupo en común')
            : en(`${groupsInCommon} groups in common`, `${groupsInCommon} grupos en común`)}
        </span>
      )}
      {joinedAt && (
        <span>
          {en('Joined ', 'Se unió ')}
          <RelativeTime at={joinedAt} inSentence />
        </span>
      )}
      <RelativeTime at={requestedAt} />
    </span>
  )
}
