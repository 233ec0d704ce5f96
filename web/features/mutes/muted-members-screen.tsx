import { useInfiniteQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Link } from 'react-router'
import type { MemberMute } from '#contract/mutes.ts'
import { PersonRowList } from '#web/features/settings/person-row-list.tsx'
import { screenPaths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { AvatarWithName } from '#web/ui/person-header.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { useUnmuteMember } from './mutations.ts'
import { mutedMembersQuery } from './queries.ts'

/** Lists whom the member has muted, newest first. */
export function MutedMembersScreen() {
  const query = useInfiniteQuery(mutedMembersQuery)
  return (
    <>
      <p className="mx-1 mb-5 max-w-[62ch] text-pretty text-text-2 md:mx-0">
        You don’t see them in Home, Explore and search, and their messages make no dot. They don’t notice.
      </p>
      <PersonRowList
        query={query}
        label="Muted people"
        emptyTitle="Nobody is muted."
        renderRow={(mute, focusList) => <MutedMemberRow key={mute.$id} mute={mute} onUnmuted={focusList} />}
      />
    </>
  )
}

/** @param onUnmuted called when the row is about to disappear, and the focus with it */
function MutedMemberRow({
  mute: { person, $createdAt },
  onUnmuted,
}: {
  mute: MemberMute
  onUnmuted: () => void
}) {
  const id = useId()
  const unmute = useUnmuteMember(person, onUnmuted)
  return (
    <li aria-labelledby={id} className="flex flex-wrap items-center gap-x-4 gap-y-3 py-4">
      <Link to={screenPaths.profile(person.$id)} className="flex min-w-0 flex-1 items-center gap-3">
        <AvatarWithName person={person} size={48} look="title" nameId={id}>
          <span className="mt-1 block text-meta text-text-2">
            Muted <RelativeTime at={$createdAt} inSentence />
          </span>
        </AvatarWithName>
      </Link>
      <Button
        kind="outline"
        size="sm"
        busy={unmute.isPending}
        aria-label={`Unmute ${person.name}`}
        onClick={() => unmute.mutate()}
      >
        Unmute
      </Button>
    </li>
  )
}
