import { ImagePlus, Pencil, UserPlus, UsersRound } from 'lucide-react'
import { useState } from 'react'
import type { Group } from '#contract/groups.ts'

import type { CreatePostNavigationState } from '#web/features/posts/navigation-state.ts'
import { useListDialogState } from '#web/navigation/use-list-dialog-state.ts'

import { screenPaths } from '#web/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { formatBadgeCount } from './format-counts.ts'
import { useLeaveGroup } from './mutations.ts'

/** Shows what a member, and more for the admin, can do on the group's page. */
export function GroupActionButtons({ group }: { group: Group }) {
  const { open } = useListDialogState()
  return (
    <div className="grid grid-cols-2 gap-2.5 md:flex md:flex-wrap md:justify-end">
      {group.can.decide && (
        <>
          <ButtonLink to={screenPaths.groupRequests(group.$id)} kind="outline" className="max-md:px-2">
            <UserPlus aria-hidden size={18} strokeWidth={2} />
            Requests
            {group.pendingCount > 0 && <Count pending={group.pendingCount} />}
          </ButtonLink>
          <Button kind="outline" className="max-md:px-2" onClick={() => open('members')}>
            <UsersRound aria-hidden size={18} strokeWidth={2} />
            Members ({group.memberCount})
          </Button>
        </>
      )}
      <ButtonLink
        to={screenPaths.createPost()}
        state={{ groupId: group.$id, from: screenPaths.group(group.$id) } satisfies CreatePostNavigationState}
        className="max-md:order-first max-md:col-span-2"
      >
        <ImagePlus aria-hidden size={18} strokeWidth={2} />
        Create Post
      </ButtonLink>
      {group.can.edit && (
        <ButtonLink
          to={screenPaths.updateGroup(group.$id)}
          kind="ghost"
          className="max-md:col-span-2 md:px-3"
        >
          <Pencil aria-hidden size={18} strokeWidth={2} />
          <span className="md:sr-only">Edit Group</span>
        </ButtonLink>
      )}
      {group.can.leave && <LeaveButton group={group} />}
    </div>
  )
}

/** Shows the number of pending requests; screen readers hear what it counts. */
function Count({ pending }: { pending: number }) {
  return (
    <span className="min-w-[22px] rounded-full bg-brand px-[7px] text-micro leading-[22px] font-bold text-on-brand tabular-nums">
      {formatBadgeCount(pending)}
      <span className="sr-only"> pending</span>
    </span>
  )
}

function LeaveButton({ group }: { group: Group }) {
  const leave = useLeaveGroup(group)
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button
        kind="ghost"
        className="max-md:col-span-2"
        busy={leave.isPending}
        onClick={() => setAsking(true)}
      >
        Leave Group
      </Button>
      <ConfirmDialog
        open={asking}
        title="Leave this group?"
        text="You won’t see its posts any more. What you posted there stays yours."
        confirm="Leave"
        cancel="Stay"
        danger
        onConfirm={() => {
          setAsking(false)
          leave.mutate()
        }}
        onCancel={() => setAsking(false)}
      />
    </>
  )
}
