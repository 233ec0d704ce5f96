import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { en } from '#contract/language.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { groupMembersQuery } from '#web/features/groups/queries.ts'
import { PeopleListDialog } from '#web/features/people/people-list-dialog.tsx'
import { followersQuery } from '#web/features/people/people-list-queries.ts'
import { screenPaths } from '#web/paths.ts'
import { AvatarWithName, PersonSkeleton } from '#web/ui/avatar-with-name.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { ListDialog } from '#web/ui/modal.tsx'
import { QueryView } from '#web/ui/query-view.tsx'

type Props = {
  /** Empty if the post goes to followers instead of a group. */
  groupId: string
  open: boolean
  onClose: () => void
}

const title = en('Who will see this', 'Quién verá esto')

export function AudienceDialog({ groupId, open, onClose }: Props) {
  const me = useSignedInMember()
  return groupId ? (
    <ListDialog title={title} open={open} onClose={onClose}>
      <OtherMembers groupId={groupId} />
    </ListDialog>
  ) : (
    <PeopleListDialog
      title={title}
      query={followersQuery(me.$id)}
      empty={en('Nobody follows you yet', 'Todavía no te sigue nadie')}
      open={open}
      onClose={onClose}
    />
  )
}

const skeletons = ['a', 'b', 'c', 'd']

/** Omits blocked people, whom the list of a group's admin includes. */
function OtherMembers({ groupId }: { groupId: string }) {
  const me = useSignedInMember()
  const query = useInfiniteQuery(groupMembersQuery(groupId))
  return (
    <QueryView
      query={query}
      skeleton={skeletons.map((skeleton) => <PersonSkeleton key={skeleton} className="p-2" />)}
      failure={<ErrorState onRetry={query.refetch} />}
    >
      {({ pages }) => (
        <>
          <ul>
            {pages
              .flatMap((page) => page.documents)
              .filter(({ user, blocked }) => user.$id !== me.$id && !blocked)
              .map(({ user }) => (
                <li key={user.$id}>
                  <Link
                    to={screenPaths.profile(user.$id)}
                    className="flex min-w-0 items-center gap-3 rounded-photo p-2 hover:bg-sunken"
                  >
                    <AvatarWithName person={user} />
                  </Link>
                </li>
              ))}
          </ul>
          <LoadMore query={query} what={en('members', 'integrantes')} />
        </>
      )}
    </QueryView>
  )
}
