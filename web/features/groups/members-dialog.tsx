import { useInfiniteQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { GroupMember } from '#contract/group-members.ts'
import type { Group } from '#contract/groups.ts'
import { paths } from '#web/paths.ts'
import { isLoading } from '#web/query-state.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { Modal } from '#web/ui/modal.tsx'
import { Skeleton, SkeletonRegion } from '#web/ui/skeleton.tsx'
import { type MemberChange, useMemberChange } from './membership.ts'
import { membersQuery } from './queries.ts'

type Props = { group: Group; open: boolean; onClose: () => void }

/** Who is in the group (conflict C-31); the admin can remove a member, or make her the admin. */
export function MembersDialog({ group, open, onClose }: Props) {
  const titleId = useId()
  const close = useRef<HTMLButtonElement>(null)
  return (
    <Modal
      open={open}
      role="dialog"
      labelledBy={titleId}
      firstFocus={close}
      onClose={onClose}
      className="w-[min(520px,calc(100%-32px))]"
    >
      <header className="flex items-center justify-between gap-3 pt-5 pr-4 pl-7">
        <h2 id={titleId} className="heading text-[1.375rem] leading-7">
          Members
        </h2>
        <IconButton ref={close} label="Close" onClick={onClose}>
          <X aria-hidden size={20} strokeWidth={2} />
        </IconButton>
      </header>
      <div className="max-h-[min(60dvh,520px)] overflow-y-auto px-4 pt-2 pb-5 md:px-5">
        {open && <Members group={group} />}
      </div>
    </Modal>
  )
}

const skeletons = ['a', 'b', 'c', 'd']

function Members({ group }: { group: Group }) {
  const query = useInfiniteQuery(membersQuery(group.$id))
  const change = useMemberChange(group.$id)
  const [asked, setAsked] = useState<{ change: MemberChange; member: GroupMember }>()

  if (isLoading(query)) {
    return (
      <SkeletonRegion>
        {skeletons.map((skeleton) => (
          <div key={skeleton} className="flex items-center gap-3 p-2">
            <Skeleton className="size-11 rounded-full" />
            <Skeleton className="h-3.5 w-2/5" />
          </div>
        ))}
      </SkeletonRegion>
    )
  }
  if (!query.data) return <ErrorState text="We couldn’t load this." onRetry={query.refetch} />

  return (
    <>
      <ul>
        {query.data.pages
          .flatMap((page) => page.documents)
          .map((member) => (
            <MemberRow
              key={member.$id}
              member={member}
              busy={change.isPending && change.variables?.member.$id === member.$id}
              onAsk={(change) => setAsked({ change, member })}
            />
          ))}
      </ul>
      <LoadMore query={query} what="members" />
      <ConfirmDialog
        open={asked?.change === 'remove'}
        title={`Remove ${asked?.member.user.name}?`}
        text="The group’s posts won’t be visible to this person any more, who may ask to join again."
        confirm="Remove"
        cancel="Keep member"
        danger
        onConfirm={() => {
          if (asked) change.mutate(asked)
          setAsked(undefined)
        }}
        onCancel={() => setAsked(undefined)}
      />
      <ConfirmDialog
        open={asked?.change === 'handOver'}
        title={`Make ${asked?.member.user.name} the admin?`}
        text="You stay in the group as a member. Requests and members are no longer yours to decide."
        confirm="Make admin"
        cancel="Stay admin"
        onConfirm={() => {
          if (asked) change.mutate(asked)
          setAsked(undefined)
        }}
        onCancel={() => setAsked(undefined)}
      />
    </>
  )
}

type RowProps = { member: GroupMember; busy: boolean; onAsk: (change: MemberChange) => void }

function MemberRow({ member: { user, role, can }, busy, onAsk }: RowProps) {
  return (
    <li
      className="flex flex-wrap items-center gap-x-2 gap-y-1 rounded-photo p-2"
      aria-busy={busy || undefined}
    >
      <Link to={paths.profile(user.$id)} className="flex min-w-0 flex-[1_1_180px] items-center gap-3">
        <Avatar person={user} size={44} />
        <span className="min-w-0">
          <span className="block truncate text-label leading-[18px] font-[640]">{user.name}</span>
          <span className="block truncate text-meta leading-[17px] text-text-2">@{user.username}</span>
        </span>
      </Link>
      <span className="text-meta font-[620] text-text-2">{role === 'admin' ? 'Admin' : 'Member'}</span>
      {(can.handOver || can.remove) && (
        // On a phone a line of their own, the first word under her name.
        <div className="flex items-center gap-2 max-md:ml-[41px] max-md:w-full">
          {can.handOver && (
            <Button
              kind="ghost"
              size="sm"
              busy={busy}
              aria-label={`Make ${user.name} the admin`}
              onClick={() => onAsk('handOver')}
            >
              Make admin
            </Button>
          )}
          {can.remove && (
            <Button
              kind="outline"
              size="sm"
              busy={busy}
              aria-label={`Remove ${user.name}`}
              onClick={() => onAsk('remove')}
            >
              Remove
            </Button>
          )}
        </div>
      )}
    </li>
  )
}
