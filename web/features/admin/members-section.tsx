import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import type { AdminMemberSummary } from '#contract/admin/members.ts'
import { en } from '#contract/language.ts'
import { PersonRowList } from '#web/features/account/settings/person-row-list.tsx'
import { formatCalendarDay } from '#web/format-day.ts'
import { useSearchTerm } from '#web/navigation/use-search-term.ts'
import { screenPaths } from '#web/paths.ts'
import { SearchBox } from '#web/ui/search-box.tsx'
import { type AdminMemberFilter, adminMembersQuery } from './admin-queries.ts'
import { MemberBadges } from './member-labels.tsx'

const filters: readonly [AdminMemberFilter, string][] = [
  ['all', en('All', 'Todas')],
  ['suspended', en('Suspended', 'Suspendidas')],
  ['moderators', en('Moderators', 'Moderadoras')],
  ['operators', en('Operators', 'Operadoras')],
  ['closing', en('Scheduled for deletion', 'Con borrado programado')],
]

export function MembersSection() {
  const { typed, setTyped, term } = useSearchTerm()
  const [filter, setFilter] = useState<AdminMemberFilter>('all')
  const query = useInfiniteQuery({
    ...adminMembersQuery(term, filter),
    placeholderData: keepPreviousData,
  })
  const id = useId()
  return (
    <>
      <div className="mb-4.5 flex flex-wrap items-end gap-3">
        <div className="min-w-0 flex-1 basis-[16rem]">
          <SearchBox
            label={en('Name, username or full email', 'Nombre, nombre de usuaria o correo completo')}
            value={typed}
            onChange={setTyped}
            waiting={typed.trim() !== term || (term !== '' && query.isFetching)}
          />
        </div>
        <div className="max-w-full">
          <label htmlFor={id} className="sr-only">
            {en('Show', 'Mostrar')}
          </label>
          <select
            id={id}
            value={filter}
            onChange={({ target }) => setFilter(target.value as AdminMemberFilter)}
            className="min-h-12 max-w-full rounded-full border border-border-control bg-surface px-4 text-body md:min-h-13"
          >
            {filters.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </div>
      </div>
      <PersonRowList
        query={query}
        label={en('Members', 'Integrantes')}
        emptyTitle={en('Nobody found.', 'No encontramos a nadie.')}
        renderRow={(member) => <MemberRow key={member.$id} member={member} />}
      />
    </>
  )
}

function MemberRow({ member }: { member: AdminMemberSummary }) {
  const { $id, name, username, email, joinedOn, activeOn } = member
  return (
    <li className="relative flex items-center gap-3 py-3.5">
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1.5">
        <span className="min-w-0 flex-1 basis-[13.75rem]">
          {/* The link covers the whole row, so that a click anywhere opens the member. */}
          <Link
            to={screenPaths.adminPage(`members/${$id}`)}
            className="block truncate font-[650] after:absolute after:inset-0"
          >
            {name}
          </Link>
          <span className="block truncate text-meta text-text-2">
            @{username}
            {email && ` · ${email}`}
          </span>
          <span className="block text-meta text-text-2">
            {en('Joined ', 'Se unió el ')}
            {formatCalendarDay(joinedOn)}
            {activeOn &&
              en(`, active ${formatCalendarDay(activeOn)}`, `, activa el ${formatCalendarDay(activeOn)}`)}
          </span>
        </span>
        <span className="flex flex-wrap gap-1.5">
          <MemberBadges member={member} />
        </span>
      </div>
      <ChevronRight aria-hidden size={20} strokeWidth={2} className="flex-none text-text-2" />
    </li>
  )
}
