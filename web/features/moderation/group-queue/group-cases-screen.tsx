import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ArrowLeft, Image } from 'lucide-react'
import { Link, useParams } from 'react-router'
import type { Group } from '#contract/groups/groups.ts'
import { en } from '#contract/language.ts'
import type { GroupCaseSummary } from '#contract/moderation/group-cases.ts'
import {
  GroupNotFoundNotice,
  GroupUnavailableNotice,
} from '#web/features/groups/group-unavailable-notice.tsx'
import { groupQuery, isGroupNotFoundError } from '#web/features/groups/queries.ts'
import { screenPaths } from '#web/paths.ts'
import { IconLink } from '#web/ui/button.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import {
  CaseIconTile,
  CaseList,
  CaseListSkeleton,
  EvidenceVisibilityNote,
  formatReportCount,
} from '../cases/case-list.tsx'
import { ReasonChip } from '../cases/case-page-parts.tsx'
import { groupCasesQuery } from './group-case-queries.ts'
import { GroupCaseView } from './group-case-view.tsx'
import { groupCasesPath } from './group-cases-path.ts'

export function GroupCasesScreen() {
  const { groupId = '', '*': below = '' } = useParams()
  const caseId = below.split('/')[1]
  const query = useQuery(groupQuery(groupId))
  if (isGroupNotFoundError(query.error)) return <GroupNotFoundNotice />
  return (
    <QueryView query={query} title={en('Reports', 'Denuncias')} skeleton={<CaseListSkeleton />}>
      {(group) =>
        !group.can.decide ? (
          <GroupUnavailableNotice
            title={<PageTitle title={en('Access Denied', 'Acceso denegado')} />}
            text={en(
              'Only group administrators can see reports.',
              'Solo las administradoras del grupo pueden ver las denuncias.',
            )}
          />
        ) : caseId ? (
          <GroupCaseView key={caseId} group={group} caseId={caseId} />
        ) : (
          <Cases group={group} />
        )
      }
    </QueryView>
  )
}

function Cases({ group }: { group: Group }) {
  const query = useInfiniteQuery(groupCasesQuery(group.$id))
  return (
    <div className="mx-auto max-w-[720px]">
      <div className="mx-1 mt-1 mb-3.5 flex min-h-11 items-center gap-1.5 md:mx-0 md:mt-0 md:mb-4.5">
        <IconLink
          to={screenPaths.group(group.$id)}
          label={en('Back to the group', 'Volver al grupo')}
          className="-ml-3"
        >
          <ArrowLeft aria-hidden size={22} strokeWidth={2} />
        </IconLink>
        <div className="min-w-0 wrap-anywhere">
          <PageTitle
            title={en('Reports', 'Denuncias')}
            heading={en(`Reports in ${group.name}`, `Denuncias en ${group.name}`)}
          />
        </div>
      </div>
      <EvidenceVisibilityNote>
        {en(
          'Posts reported here as spam or off topic. You don’t see who reported; all other reports go to the moderators.',
          'Publicaciones denunciadas aquí como spam o fuera de lugar. No ves quién denunció; las demás denuncias van a las moderadoras.',
        )}
      </EvidenceVisibilityNote>
      <CaseList
        query={query}
        label={en('Reports', 'Denuncias')}
        emptyTitle={en('No reports.', 'No hay denuncias.')}
        renderRow={(shown) => <CaseRow key={shown.$id} groupId={group.$id} shown={shown} />}
      />
    </div>
  )
}

function CaseRow({ groupId, shown }: { groupId: string; shown: GroupCaseSummary }) {
  const { $id, $createdAt, about, excerpt, reason, reportCount, deletedAt } = shown
  return (
    <li className="relative flex items-center gap-4 px-4 py-3.5 hover:bg-sunken md:px-5">
      <CaseIconTile icon={Image} />
      <div className="min-w-0 flex-1">
        <Link
          to={`${groupCasesPath(groupId)}/${$id}`}
          className="block truncate font-[660] after:absolute after:inset-0"
        >
          {en('Post by ', 'Publicación de ')}
          {about.name}
        </Link>
        <p dir="auto" className="truncate text-meta text-text-2">
          {excerpt}
        </p>
        <p className="mt-1 flex flex-wrap items-center gap-2 text-meta text-text-2">
          <ReasonChip severity={1} reason={reason} />
          {formatReportCount(reportCount)} · <RelativeTime at={$createdAt} />
          {deletedAt && en(' · deleted by its author', ' · borrada por su autora')}
        </p>
      </div>
    </li>
  )
}
