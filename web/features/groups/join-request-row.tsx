import { Link } from 'react-router'
import type { JoinRequest } from '#contract/groups/group-requests.ts'
import { en } from '#contract/language.ts'
import { screenPaths } from '#web/paths.ts'
import { AvatarWithName } from '#web/ui/avatar-with-name.tsx'
import { Button } from '#web/ui/button.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { useDecideJoinRequest } from './mutations.ts'

type Props = {
  request: JoinRequest
  /** The row, which has the focus, is about to disappear. */
  onDecided: () => void
}

export function JoinRequestRow({ request, onDecided }: Props) {
  const { user, requestedAt } = request
  const decision = useDecideJoinRequest(request, onDecided)
  const decide = (what: 'approve' | 'reject') => () => decision.mutate(what)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 py-4">
      <Link to={screenPaths.profile(user.$id)} className="flex min-w-0 flex-[1_1_240px] items-center gap-3">
        <AvatarWithName person={user} size={48} look="title">
          <span className="block text-meta text-text-2">
            {en('Requested ', 'Lo pidió ')}
            <RelativeTime at={requestedAt} inSentence />
          </span>
        </AvatarWithName>
      </Link>
      <div className="flex flex-wrap gap-2.5 max-md:w-full max-md:*:flex-1">
        <Button
          kind="outline"
          disabled={decision.isPending}
          aria-label={en(`Reject ${user.name}`, `Rechazar a ${user.name}`)}
          onClick={decide('reject')}
        >
          {en('Reject', 'Rechazar')}
        </Button>
        <Button
          disabled={decision.isPending}
          aria-label={en(`Approve ${user.name}`, `Aceptar a ${user.name}`)}
          onClick={decide('approve')}
        >
          {en('Approve', 'Aceptar')}
        </Button>
      </div>
    </li>
  )
}
