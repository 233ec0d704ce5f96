import { Link } from 'react-router'
import type { GroupRequest } from '#contract/group-requests.ts'
import { paths } from '#web/paths.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { Time } from '#web/ui/time.tsx'
import { useDecision } from './deciding.ts'

type Props = {
  request: GroupRequest
  /** The row is about to go, and the focus with it. */
  onDecided: () => void
}

/** While one request is processed the others stay usable (conflict C-38). */
export function RequestRow({ request, onDecided }: Props) {
  const { user, requestedAt } = request
  const decision = useDecision(request, onDecided)
  const decide = (what: 'approve' | 'reject') => () => decision.mutate(what)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 py-4">
      <Link to={paths.profile(user.$id)} className="flex min-w-0 flex-[1_1_240px] items-center gap-3">
        <Avatar person={user} size={48} />
        <span className="min-w-0">
          <span className="block truncate text-name font-[680]">{user.name}</span>
          <span className="block truncate text-meta text-text-2">@{user.username}</span>
          <span className="block text-meta text-text-2">
            Requested <Time at={requestedAt} />
          </span>
        </span>
      </Link>
      <div className="flex gap-2.5 max-md:w-full max-md:*:flex-1">
        <Button
          kind="outline"
          disabled={decision.isPending}
          aria-label={`Reject ${user.name}`}
          onClick={decide('reject')}
        >
          Reject
        </Button>
        <Button disabled={decision.isPending} aria-label={`Approve ${user.name}`} onClick={decide('approve')}>
          Approve
        </Button>
      </div>
    </li>
  )
}
