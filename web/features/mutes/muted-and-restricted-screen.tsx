import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import type { MemberMute, Restriction } from '#contract/mutes.ts'
import type { PersonSummary } from '#contract/people.ts'
import { PersonRowList } from '#web/features/settings/person-row-list.tsx'
import { screenPaths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { AvatarWithName } from '#web/ui/person-header.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { useUnmuteMember } from './mutations.ts'
import { mutedMembersQuery } from './queries.ts'
import { useUnrestrictMember } from './restriction-mutations.ts'
import { restrictedMembersQuery } from './restriction-queries.ts'

/** Lists whom the member has muted and whom the member has restricted, each newest first. */
export function MutedAndRestrictedScreen() {
  const muted = useInfiniteQuery(mutedMembersQuery)
  const restricted = useInfiniteQuery(restrictedMembersQuery)
  if (isEmpty(muted.data) && isEmpty(restricted.data))
    return (
      <div className="card">
        <EmptyState title="Nobody is muted or restricted." />
      </div>
    )
  return (
    <>
      <Heading
        title="Muted people"
        text="You don’t see them in Home, Explore and search, and their messages make no dot. They don’t notice."
      />
      <PersonRowList
        query={muted}
        label="Muted people"
        emptyTitle="Nobody is muted."
        renderRow={(mute, focusList) => <MutedMemberRow key={mute.$id} mute={mute} onUnmuted={focusList} />}
      />
      <div className="h-8" />
      <Heading
        title="Restricted people"
        text="What they write waits among your message requests. They never see that you read it. They don’t notice."
      />
      <PersonRowList
        query={restricted}
        label="Restricted people"
        emptyTitle="Nobody is restricted."
        renderRow={(restriction, focusList) => (
          <RestrictedMemberRow key={restriction.$id} restriction={restriction} onUnrestricted={focusList} />
        )}
      />
    </>
  )
}

const isEmpty = (list: InfiniteData<{ documents: unknown[] }> | undefined) =>
  list?.pages.every(({ documents }) => documents.length === 0) === true

const Heading = ({ title, text }: { title: string; text: string }) => (
  <>
    <h2 className="heading mx-1 mb-2 text-2xl leading-[30px] md:mx-0">{title}</h2>
    <p className="mx-1 mb-5 max-w-[62ch] text-pretty text-text-2 md:mx-0">{text}</p>
  </>
)

/** @param onUnmuted called when the row is about to disappear, and the focus with it */
function MutedMemberRow({
  mute: { person, $createdAt },
  onUnmuted,
}: {
  mute: MemberMute
  onUnmuted: () => void
}) {
  const unmute = useUnmuteMember(person, onUnmuted)
  return (
    <PersonRow
      person={person}
      state={
        <>
          Muted <RelativeTime at={$createdAt} inSentence />
        </>
      }
    >
      <EndButton label="Unmute" person={person} mutation={unmute} />
    </PersonRow>
  )
}

type RestrictedRowProps = { restriction: Restriction; onUnrestricted: () => void }

/** @param onUnrestricted called when the row is about to disappear, and the focus with it */
function RestrictedMemberRow({ restriction: { person, $createdAt }, onUnrestricted }: RestrictedRowProps) {
  const unrestrict = useUnrestrictMember(person, onUnrestricted)
  return (
    <PersonRow
      person={person}
      state={
        <>
          Restricted <RelativeTime at={$createdAt} inSentence />
        </>
      }
    >
      <EndButton label="Unrestrict" person={person} mutation={unrestrict} />
    </PersonRow>
  )
}

type PersonRowProps = { person: PersonSummary; state: ReactNode; children: ReactNode }

function PersonRow({ person, state, children }: PersonRowProps) {
  const id = useId()
  return (
    <li aria-labelledby={id} className="flex flex-wrap items-center gap-x-4 gap-y-3 py-4">
      <Link to={screenPaths.profile(person.$id)} className="flex min-w-0 flex-1 items-center gap-3">
        <AvatarWithName person={person} size={48} look="title" nameId={id}>
          <span className="mt-1 block text-meta text-text-2">{state}</span>
        </AvatarWithName>
      </Link>
      {children}
    </li>
  )
}

type EndButtonProps = {
  label: string
  person: PersonSummary
  mutation: { isPending: boolean; mutate: () => void }
}

const EndButton = ({ label, person, mutation }: EndButtonProps) => (
  <Button
    kind="outline"
    size="sm"
    busy={mutation.isPending}
    aria-label={`${label} ${person.name}`}
    onClick={() => mutation.mutate()}
  >
    {label}
  </Button>
)
