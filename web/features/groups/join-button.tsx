import { X } from 'lucide-react'
import { useState } from 'react'
import type { Group } from '#contract/groups.ts'
import { paths } from '#web/paths.ts'
import { Button, ButtonLink, IconButton } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { belongs } from './cache.ts'
import { useJoin, useWithdraw } from './joining.ts'

type Props = {
  group: Group
  /** The id of what names the group: the button itself says only what it does. */
  describedBy: string
}

/** Spec §4 Group join button; a request that waits can also be taken back. */
export function JoinButton({ group, describedBy }: Props) {
  const join = useJoin(group)
  if (belongs(group.membership)) {
    return (
      <ButtonLink to={paths.group(group.$id)} kind="outline" block aria-describedby={describedBy}>
        View Group
      </ButtonLink>
    )
  }
  if (group.membership === 'pending') return <PendingRequest group={group} describedBy={describedBy} />
  if (group.membership === 'rejected') {
    return (
      <Button block disabled aria-describedby={describedBy}>
        Request Rejected
      </Button>
    )
  }
  return (
    <Button
      block
      disabled={join.isPending}
      busy={join.isPending}
      busyLabel="Sending..."
      aria-describedby={describedBy}
      onClick={() => join.mutate()}
    >
      Join Group
    </Button>
  )
}

function PendingRequest({ group, describedBy }: Props) {
  const withdraw = useWithdraw(group)
  const [asking, setAsking] = useState(false)
  return (
    <div className="flex gap-2">
      <Button block disabled aria-describedby={describedBy}>
        Pending
      </Button>
      <IconButton
        label="Withdraw request"
        aria-describedby={describedBy}
        aria-busy={withdraw.isPending || undefined}
        onClick={() => withdraw.isPending || setAsking(true)}
      >
        <X aria-hidden size={20} strokeWidth={2} />
      </IconButton>
      <ConfirmDialog
        open={asking}
        title="Withdraw your request?"
        text="The admin won’t see it any more. You can ask to join again whenever you like."
        confirm="Withdraw"
        cancel="Keep request"
        onConfirm={() => {
          setAsking(false)
          withdraw.mutate()
        }}
        onCancel={() => setAsking(false)}
      />
    </div>
  )
}

/** In its place while it is not known yet what she is to the group. */
export function JoinButtonLoading() {
  return (
    <Button block disabled>
      Loading...
    </Button>
  )
}
