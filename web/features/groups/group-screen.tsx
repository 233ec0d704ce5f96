import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useParams } from 'react-router'
import type { Group } from '#contract/groups/groups.ts'
import { en } from '#contract/language.ts'
import { NotFoundScreen } from '#web/layout/error-page.tsx'
import { lazyScreen } from '#web/navigation/lazy-screen.tsx'
import { useListDialogState } from '#web/navigation/use-list-dialog-state.ts'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { GroupHeader } from './group-header.tsx'
import { GroupPageToolbar } from './group-page-toolbar.tsx'
import { GroupPosts, GroupPostsSkeleton } from './group-posts.tsx'
import { GroupNotFoundNotice, GroupUnavailableNotice } from './group-unavailable-notice.tsx'
import { isGroupMember } from './is-group-member.ts'
import { JoinGroupButton } from './join-group-button.tsx'
import { MembersDialog } from './members-dialog.tsx'
import { groupQuery, isGroupNotFoundError } from './queries.ts'
import { useLiveGroupUpdates } from './use-live-group-updates.ts'

const GroupCasesScreen = lazyScreen(
  () => import('#web/features/moderation/group-queue/group-cases-screen.tsx'),
  'GroupCasesScreen',
)

/** Other people see a summary and a button to join. */
export function GroupScreen() {
  const { groupId = '', '*': below = '' } = useParams()
  useLiveGroupUpdates()
  if (/^reports(\/[^/]+)?$/.test(below)) return <GroupCasesScreen />
  if (below !== '') return <NotFoundScreen />
  return <GroupPage key={groupId} groupId={groupId} />
}

function GroupPage({ groupId }: { groupId: string }) {
  const query = useQuery(groupQuery(groupId))
  if (isGroupNotFoundError(query.error)) return <GroupNotFoundNotice />
  return (
    <div className="mx-auto max-w-[1080px] space-y-3.5 md:space-y-6">
      <QueryView query={query} title={en('Group', 'Grupo')} skeleton={<GroupSkeleton />}>
        {(group) => <LoadedGroup group={group} />}
      </QueryView>
    </div>
  )
}

function GroupSkeleton() {
  return (
    <>
      <div className="card overflow-hidden rounded-card-small md:rounded-card">
        <Skeleton className="h-[168px] w-full md:h-[228px]" />
        <div className="space-y-3 px-[18px] pt-5 pb-[26px] md:px-7">
          <Skeleton className="h-7 w-1/3" />
          <Skeleton className="h-6 w-1/2" />
        </div>
      </div>
      <div className="mt-3.5 md:mt-6">
        <GroupPostsSkeleton />
      </div>
    </>
  )
}

function LoadedGroup({ group }: { group: Group }) {
  const member = isGroupMember(group.membership)
  const [wasMember, setWasMember] = useState(member)
  if (member && !wasMember) setWasMember(true)
  const nameId = useId()
  const { list, close } = useListDialogState()

  if (member) {
    return (
      <>
        <GroupHeader group={group}>
          <GroupPageToolbar group={group} />
        </GroupHeader>
        <MembersDialog group={group} open={list === 'members'} onClose={close} />
        <GroupPosts group={group} />
      </>
    )
  }
  return (
    <>
      <GroupHeader group={group}>
        <span id={nameId} className="sr-only">
          {group.name}
        </span>
        <div className="md:min-w-40">
          <JoinGroupButton group={group} describedBy={nameId} />
        </div>
      </GroupHeader>
      {wasMember && (
        <p role="status" className="rounded-input bg-accent-soft px-4 py-3 text-on-accent-soft">
          {en(
            'You’re no longer a member of this group. What you posted here stays yours.',
            'Ya no eres integrante de este grupo. Lo que publicaste aquí sigue siendo tuyo.',
          )}
        </p>
      )}
      <GroupUnavailableNotice
        title={
          <h2 className="heading text-[1.5rem] leading-[1.875rem]">
            {en('This is a private group', 'Este es un grupo privado')}
          </h2>
        }
        text={en(
          "You need to be a member to see the group's posts and content.",
          'Hace falta ser integrante para ver las publicaciones del grupo.',
        )}
      />
    </>
  )
}
