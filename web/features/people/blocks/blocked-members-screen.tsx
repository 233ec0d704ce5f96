import { useInfiniteQuery } from '@tanstack/react-query'
import { en } from '#contract/language.ts'
import { PersonRowList } from '#web/features/account/settings/person-row-list.tsx'
import { BlockedMemberRow } from './blocked-member-row.tsx'
import { blockedMembersQuery } from './queries.ts'

/** Newest first, with their names at the time of blocking. */
export function BlockedMembersScreen() {
  const query = useInfiniteQuery(blockedMembersQuery)
  return (
    <>
      <p className="mx-1 mb-5 max-w-[62ch] text-pretty text-text-2 md:mx-0">
        {en(
          'You and they can’t see each other. Names are shown as they were when you blocked them.',
          'Ni tú las ves ni ellas a ti. Los nombres son los que tenían cuando las bloqueaste.',
        )}
      </p>
      <PersonRowList
        query={query}
        label={en('Blocked people', 'Personas bloqueadas')}
        emptyTitle={en('You haven’t blocked anyone.', 'No has bloqueado a nadie.')}
        renderRow={(block, focusList) => (
          <BlockedMemberRow key={block.$id} block={block} onUnblocked={focusList} />
        )}
      />
    </>
  )
}
