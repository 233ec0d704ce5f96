import type { ReactNode } from 'react'
import { isQueryLoading } from '#web/api/query-status-predicates.ts'
import { ErrorCard } from './error-state.tsx'
import { PageTitle } from './page-title.tsx'
import { SkeletonRegion, useSkeletonVisibility } from './skeleton.tsx'
import { StaleNotice } from './stale-notice.tsx'

export type QueryViewState<Data> = {
  data: Data | undefined
  isPending: boolean
  isFetching: boolean
  isRefetchError: boolean
  refetch: () => unknown
}

type Props<Data> = {
  query: QueryViewState<Data>
  skeleton: ReactNode
  /** The page's title, visually hidden, shown until the data arrives. */
  title?: string
  failure?: ReactNode
  empty?: ReactNode
  isEmpty?: (data: Data) => boolean
  noticeClassName?: string
  children: (data: Data) => ReactNode
}

export function QueryView<Data>(props: Props<Data>) {
  const { query, skeleton, title, failure, empty, isEmpty, noticeClassName, children } = props
  const { data, refetch } = query
  const loading = useSkeletonVisibility(isQueryLoading(query))
  if (loading || data === undefined) {
    return (
      <>
        {title && <PageTitle title={title} hidden />}
        {loading ? (
          // A page with a hidden title has no other content yet.
          <SkeletonRegion atOnce={title !== undefined}>{skeleton}</SkeletonRegion>
        ) : (
          (failure ?? <ErrorCard onRetry={refetch} />)
        )}
      </>
    )
  }
  return (
    <>
      {query.isRefetchError && (
        <div className={noticeClassName}>
          <StaleNotice onRetry={refetch} />
        </div>
      )}
      {isEmpty?.(data) ? empty : children(data)}
    </>
  )
}
