import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { listMyReportsEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import type { Report } from '#contract/moderation/reports.ts'
import { callApiOperation } from '#web/api/client.ts'
import { reportQueryKeys } from '#web/api/query-keys.ts'
import { PersonRowList } from '#web/features/account/settings/person-row-list.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { reportReasonLabels } from './report-reasons.ts'

const myReportsQuery = infiniteQueryOptions({
  queryKey: reportQueryKeys.list,
  queryFn: ({ pageParam, signal }) => callApiOperation(listMyReportsEndpoint, { cursor: pageParam }, signal),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next,
})

export function MyReportsScreen() {
  const query = useInfiniteQuery(myReportsQuery)
  return (
    <>
      <p className="mx-1 mb-5 max-w-[62ch] text-pretty text-text-2 md:mx-0">
        {en(
          'Nobody finds out that you reported, and you don’t see who reviews it.',
          'Nadie sabrá que denunciaste, y no ves quién lo revisa.',
        )}
      </p>
      <PersonRowList
        query={query}
        label={en('Your reports', 'Tus denuncias')}
        emptyTitle={en('You haven’t reported anything.', 'No has denunciado nada.')}
        renderRow={(report) => <ReportRow key={report.$id} report={report} />}
      />
    </>
  )
}

const kindLabels: Record<Report['kind'], string> = {
  post: en('A post', 'Una publicación'),
  member: en('A profile', 'Un perfil'),
  message: en('A message', 'Un mensaje'),
  group: en('A group', 'Un grupo'),
  comment: en('A comment', 'Un comentario'),
}

const statusText = ({ status, outcome }: Report) =>
  status === 'received'
    ? en('Received', 'Recibida')
    : status === 'claimed'
      ? en('Under review', 'En revisión')
      : outcome === 'acted'
        ? en('Resolved: we took action', 'Resuelta: tomamos medidas')
        : en('Resolved: no violation', 'Resuelta: no incumple las normas')

function ReportRow({ report }: { report: Report }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-4">
      <div className="min-w-0 flex-1">
        <p className="font-[640]">{kindLabels[report.kind]}</p>
        <p className="text-meta text-text-2">
          {reportReasonLabels[report.reason]} · <RelativeTime at={report.$createdAt} />
        </p>
      </div>
      <p className="rounded-full bg-sunken px-3 py-1 text-meta font-[620]">{statusText(report)}</p>
    </li>
  )
}
