import { Flag, ImagePlus, Pencil, UserPlus, UsersRound } from 'lucide-react'
import type { Group } from '#contract/groups/groups.ts'
import { en } from '#contract/language.ts'

import { groupCasesPath } from '#web/features/moderation/group-queue/group-cases-path.ts'
import type { CreatePostNavigationState } from '#web/features/posts/form/post-form-navigation-state.ts'
import { useListDialogState } from '#web/navigation/use-list-dialog-state.ts'

import { screenPaths } from '#web/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { DeclineAdminRoleButton } from './decline-admin-role-button.tsx'
import { formatBadgeCount } from './format-counts.ts'
import { LeaveGroupButton } from './leaving/leave-group-button.tsx'

export function GroupPageToolbar({ group }: { group: Group }) {
  const { open } = useListDialogState()
  return (
    <div className="grid grid-cols-2 gap-2.5 max-[15rem]:grid-cols-1 max-[15rem]:*:col-span-1! md:flex md:flex-wrap md:justify-end">
      {group.can.decide && (
        <>
          <ButtonLink to={screenPaths.groupRequests(group.$id)} kind="outline" className="max-md:px-2">
            <UserPlus aria-hidden size={18} strokeWidth={2} />
            {en('Requests', 'Solicitudes')}
            {group.pendingCount > 0 && <Count pending={group.pendingCount} />}
          </ButtonLink>
          <Button kind="outline" className="max-md:px-2" onClick={() => open('members')}>
            <UsersRound aria-hidden size={18} strokeWidth={2} />
            {en('Members (', 'Integrantes (')}
            {group.memberCount})
          </Button>
          <ButtonLink to={groupCasesPath(group.$id)} kind="outline" className="max-md:col-span-2 max-md:px-2">
            <Flag aria-hidden size={18} strokeWidth={2} />
            {en('Reports', 'Denuncias')}
          </ButtonLink>
        </>
      )}
      <ButtonLink
        to={screenPaths.createPost()}
        state={{ groupId: group.$id, from: screenPaths.group(group.$id) } satisfies CreatePostNavigationState}
        className="max-md:order-first max-md:col-span-2"
      >
        <ImagePlus aria-hidden size={18} strokeWidth={2} />
        {en('Create Post', 'Crear publicación')}
      </ButtonLink>
      {group.can.edit && (
        <ButtonLink
          to={screenPaths.updateGroup(group.$id)}
          kind="ghost"
          className="max-md:col-span-2 md:px-3"
        >
          <Pencil aria-hidden size={18} strokeWidth={2} />
          <span className="md:sr-only">{en('Edit Group', 'Editar grupo')}</span>
        </ButtonLink>
      )}
      {group.can.decline && <DeclineAdminRoleButton group={group} />}
      {group.can.leave && <LeaveGroupButton group={group} />}
    </div>
  )
}

function Count({ pending }: { pending: number }) {
  return (
    <span className="min-w-[22px] rounded-full bg-brand px-[7px] text-micro leading-[1.375rem] font-bold text-on-brand tabular-nums">
      {formatBadgeCount(pending)}
      <span className="sr-only">{en(' pending', ' pendientes')}</span>
    </span>
  )
}
