import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { listMyReportsEndpoint } from '#contract/generated-endpoints.ts'
import type { Report } from '#contract/moderation/reports.ts'
import { callApiOperation } from '#web/api/client.ts'
import { reportQueryKeys } from '#web/api/query-keys.ts'
import { PersonRowList } from '#web/features/settings/person-row-list.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { reasonLabels } from './report-reasons.ts'

const myReportsQuery = infiniteQueryOptions({
  queryKey: reportQueryKeys.list,
  queryFn: ({ pageParam, signal }) => callApiOperation(listMyReportsEndpoint, { cursor: pageParam }, signal),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next,
})

/** Lists what the member reported, newest first, and what became of it. */
export function MyReportsScreen() {
  const query = useInfiniteQuery(myReportsQuery)
  return (
    <>
      <p className="mx-1 mb-5 max-w-[62ch] text-pretty text-text-2 md:mx-0">
        Nobody is told that you reported, and you don’t see who looks at it.
      </p>
      <PersonRowList
        query={query}
        label="Your reports"
        emptyTitle="You haven’t reported anything."
        renderRow={(report) => <ReportRow key={report.$id} report={report} />}
      />
    </>
  )
}

const kindLabels: Record<Report['kind'], string> = {
  post: 'A post',
  member: 'A profile',
  message: 'A message',
  group: 'A group',
}

const statusText = ({ status, outcome }: Report) =>
  status === 'received'
    ? 'Received'
    : status === 'claimed'
      ? 'Being looked at'
      : outcome === 'acted'
        ? 'Decided: we acted'
        : 'Decided: no breach'

function ReportRow({ report }: { report: Report }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-4">
      <div className="min-w-0 flex-1">
        <p className="font-[640]">{kindLabels[report.kind]}</p>
        <p className="text-meta text-text-2">
          {reasonLabels[report.reason]} · <RelativeTime at={report.$createdAt} />
        </p>
      </div>
      <p className="rounded-full bg-sunken px-3 py-1 text-meta font-[620]">{statusText(report)}</p>
    </li>
  )
}
