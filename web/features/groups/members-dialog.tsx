import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { GroupMember } from '#contract/groups/group-members.ts'
import type { Group } from '#contract/groups/groups.ts'
import { en } from '#contract/language.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { PersonMenuButton } from '#web/features/people/person-menu-button.tsx'
import { screenPaths } from '#web/paths.ts'
import { AvatarWithName, PersonSkeleton } from '#web/ui/avatar-with-name.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { ListDialog } from '#web/ui/modal.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { type GroupMemberAction, useGroupMemberAction } from './mutations.ts'
import { groupMembersQuery } from './queries.ts'

type Props = { group: Group; open: boolean; onClose: () => void }

export function MembersDialog({ group, open, onClose }: Props) {
  return (
    <ListDialog title={en('Members', 'Integrantes')} open={open} onClose={onClose}>
      <Members group={group} />
    </ListDialog>
  )
}

const skeletons = ['a', 'b', 'c', 'd']

function Members({ group }: { group: Group }) {
  const query = useInfiniteQuery(groupMembersQuery(group.$id))
  const change = useGroupMemberAction(group.$id)
  const [asked, setAsked] = useState<{ change: GroupMemberAction; member: GroupMember }>()

  return (
    <>
      <QueryView
        query={query}
        skeleton={skeletons.map((skeleton) => <PersonSkeleton key={skeleton} className="p-2" />)}
        failure={<ErrorState onRetry={query.refetch} />}
      >
        {({ pages }) => (
          <>
            <BlockedCount count={pages[0]?.blockedCount} />
            <ul>
              {pages
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
            <LoadMore query={query} what={en('members', 'integrantes')} />
          </>
        )}
      </QueryView>
      <ConfirmDialog
        open={asked?.change === 'remove'}
        title={en(`Remove ${asked?.member.user.name}?`, `¿Sacar a ${asked?.member.user.name}?`)}
        text={en(
          'This person will no longer see the group’s posts, and can ask to join again.',
          'Esta persona ya no verá las publicaciones del grupo, y podrá volver a pedir unirse.',
        )}
        confirm={en('Remove', 'Quitar')}
        cancel={en('Keep member', 'Que se quede')}
        danger
        onConfirm={() => {
          if (asked) change.mutate(asked)
          setAsked(undefined)
        }}
        onCancel={() => setAsked(undefined)}
      />
      <ConfirmDialog
        open={asked?.change === 'handOver'}
        title={en(
          `Make ${asked?.member.user.name} the admin?`,
          `¿Hacer administradora a ${asked?.member.user.name}?`,
        )}
        text={en(
          'You stay in the group as a member. You no longer decide about requests and members.',
          'Te quedas en el grupo como integrante. Ya no decides sobre solicitudes e integrantes.',
        )}
        confirm={en('Make admin', 'Hacerla administradora')}
        cancel={en('Stay admin', 'Seguir siéndolo')}
        onConfirm={() => {
          if (asked) change.mutate(asked)
          setAsked(undefined)
        }}
        onCancel={() => setAsked(undefined)}
      />
    </>
  )
}

type RowProps = { member: GroupMember; busy: boolean; onAsk: (change: GroupMemberAction) => void }

/** The list may omit people whom the member has blocked. */
function BlockedCount({ count = 0 }: { count: number | undefined }) {
  if (count === 0) return null
  return (
    <p className="px-2 pb-2 text-label text-text-2">
      {count === 1
        ? en('1 person you blocked is in this group.', 'En este grupo hay 1 persona a la que bloqueaste.')
        : en(
            `${count} people you blocked are in this group.`,
            `En este grupo hay ${count} personas a las que bloqueaste.`,
          )}
    </p>
  )
}

function MemberRow({ member: { user, role, can, blocked }, busy, onAsk }: RowProps) {
  const me = useSignedInMember()
  return (
    <li
      className="flex flex-wrap items-center gap-x-2 gap-y-1 rounded-photo p-2"
      aria-busy={busy || undefined}
    >
      {blocked ? (
        <div className="flex min-w-0 flex-[1_1_180px] items-center gap-3">
          <AvatarWithName person={user} />
        </div>
      ) : (
        <Link to={screenPaths.profile(user.$id)} className="flex min-w-0 flex-[1_1_180px] items-center gap-3">
          <AvatarWithName person={user} />
        </Link>
      )}
      <span className="text-meta font-[620] text-text-2">
        {blocked
          ? en('Blocked', 'Bloqueada')
          : role === 'admin'
            ? en('Admin', 'Administradora')
            : en('Member', 'Integrante')}
      </span>
      {user.$id !== me.$id && !blocked && <PersonMenuButton person={user} />}
      {(can.handOver || can.remove) && (
        <div className="flex items-center gap-2 max-md:ml-[41px] max-md:w-full">
          {can.handOver && (
            <Button
              kind="ghost"
              size="sm"
              busy={busy}
              aria-label={en(`Make admin: ${user.name}`, `Hacer administradora: ${user.name}`)}
              onClick={() => onAsk('handOver')}
            >
              {en('Make admin', 'Hacerla administradora')}
            </Button>
          )}
          {can.remove && (
            <Button
              kind="outline"
              size="sm"
              busy={busy}
              aria-label={en(`Remove ${user.name}`, `Sacar a ${user.name}`)}
              onClick={() => onAsk('remove')}
            >
              {en('Remove', 'Quitar')}
            </Button>
          )}
        </div>
      )}
    </li>
  )
}
