import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Link } from 'react-router'
import { en } from '#contract/language.ts'
import type { MemberListEntry } from '#contract/people/mutes-and-restrictions.ts'
import { PersonRowList } from '#web/features/account/settings/person-row-list.tsx'
import { screenPaths } from '#web/paths.ts'
import { AvatarWithName } from '#web/ui/avatar-with-name.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { useUnmuteMember } from './mute-mutations.ts'
import { mutedMembersQuery } from './mute-queries.ts'
import { useUnrestrictMember } from './restriction-mutations.ts'
import { restrictedMembersQuery } from './restriction-queries.ts'

export function MutedAndRestrictedScreen() {
  const muted = useInfiniteQuery(mutedMembersQuery)
  const restricted = useInfiniteQuery(restrictedMembersQuery)
  if (isEmpty(muted.data) && isEmpty(restricted.data))
    return (
      <div className="card">
        <EmptyState title={en('Nobody is muted or restricted.', 'No hay nadie silenciada ni restringida.')} />
      </div>
    )
  return (
    <>
      <Heading
        title={en('Muted people', 'Personas silenciadas')}
        text={en(
          'You don’t see them in Home, Explore and search, and their messages show no unread dot. They won’t know.',
          'No las ves en Inicio, Explorar ni en la búsqueda, y sus mensajes no muestran el punto de sin leer. No lo sabrán.',
        )}
      />
      <PersonRowList
        query={muted}
        label={en('Muted people', 'Personas silenciadas')}
        emptyTitle={en('Nobody is muted.', 'No hay nadie silenciada.')}
        renderRow={(entry, focusList) => (
          <MutedMemberRow key={entry.$id} entry={entry} onRemoved={focusList} />
        )}
      />
      <div className="h-8" />
      <Heading
        title={en('Restricted people', 'Personas restringidas')}
        text={en(
          'What they write waits in your message requests. They can’t see whether you read it. They won’t know.',
          'Lo que escriben espera en tus solicitudes de mensaje. No pueden ver si lo leíste. No lo sabrán.',
        )}
      />
      <PersonRowList
        query={restricted}
        label={en('Restricted people', 'Personas restringidas')}
        emptyTitle={en('Nobody is restricted.', 'No hay nadie restringida.')}
        renderRow={(entry, focusList) => (
          <RestrictedMemberRow key={entry.$id} entry={entry} onRemoved={focusList} />
        )}
      />
    </>
  )
}

const isEmpty = (list: InfiniteData<{ documents: unknown[] }> | undefined) =>
  list?.pages.every(({ documents }) => documents.length === 0) === true

const Heading = ({ title, text }: { title: string; text: string }) => (
  <>
    <h2 className="heading mx-1 mb-2 text-2xl leading-[1.875rem] md:mx-0">{title}</h2>
    <p className="mx-1 mb-5 max-w-[62ch] text-pretty text-text-2 md:mx-0">{text}</p>
  </>
)

type EntryRowProps = { entry: MemberListEntry; onRemoved: () => void }

/** @param onRemoved called before the row, which has the focus, disappears */
const MutedMemberRow = ({ entry, onRemoved }: EntryRowProps) => (
  <PersonRow
    entry={entry}
    state={en('Muted', 'Silenciada')}
    end={en('Unmute', 'Dejar de silenciar')}
    mutation={useUnmuteMember(entry.person, onRemoved)}
  />
)

/** @param onRemoved called before the row, which has the focus, disappears */
const RestrictedMemberRow = ({ entry, onRemoved }: EntryRowProps) => (
  <PersonRow
    entry={entry}
    state={en('Restricted', 'Restringida')}
    end={en('Unrestrict', 'Quitar la restricción')}
    mutation={useUnrestrictMember(entry.person, onRemoved)}
  />
)

type PersonRowProps = {
  entry: MemberListEntry
  state: string
  end: string
  mutation: { isPending: boolean; mutate: () => void }
}

/**
 * @param state the text before the date
 * @param end the label of the button that removes the entry
 */
function PersonRow({ entry: { person, $createdAt }, state, end, mutation }: PersonRowProps) {
  const id = useId()
  return (
    <li aria-labelledby={id} className="flex flex-wrap items-center gap-x-4 gap-y-3 py-4">
      <Link to={screenPaths.profile(person.$id)} className="flex min-w-0 flex-1 items-center gap-3">
        <AvatarWithName person={person} size={48} look="title" nameId={id}>
          <span className="mt-1 block text-meta text-text-2">
            {state} <RelativeTime at={$createdAt} inSentence />
          </span>
        </AvatarWithName>
      </Link>
      <Button
        kind="outline"
        size="sm"
        busy={mutation.isPending}
        aria-label={`${end} ${person.name}`}
        onClick={() => mutation.mutate()}
      >
        {end}
      </Button>
    </li>
  )
}
