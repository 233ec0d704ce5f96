import type { ReactNode } from 'react'
import { isQueryLoading } from '#web/api/query-status-predicates.ts'
import { ErrorCard } from './error-state.tsx'
import { PageTitle } from './page-title.tsx'
import { SkeletonRegion, useSkeletonVisibility } from './skeleton.tsx'
import { StaleNotice } from './stale-notice.tsx'

/** The parts of a query or infinite query that a view needs. */
export type QueryViewState<Data> = {
  data: Data | undefined
  isPending: boolean
  isFetching: boolean
  /** Reloading failed; older data is shown. */
  isRefetchError: boolean
  refetch: () => unknown
}

type Props<Data> = {
  query: QueryViewState<Data>
  skeleton: ReactNode
  /** The page's hidden title before its data arrives. */
  title?: string
  /** Replaces the error card. */
  failure?: ReactNode
  /** Replaces the children if `isEmpty` holds. */
  empty?: ReactNode
  isEmpty?: (data: Data) => boolean
  /** Spaces the stale-data notice. */
  noticeClassName?: string
  children: (data: Data) => ReactNode
}

/** Shows a query's state: loading, failed, empty, or data, with a notice if stale. */
export function QueryView<Data>(props: Props<Data>) {
  const { query, skeleton, title, failure, empty, isEmpty, noticeClassName, children } = props
  const { data, refetch } = query
  const loading = useSkeletonVisibility(isQueryLoading(query))
  if (loading || data === undefined) {
    return (
      <>
        {title && <PageTitle title={title} hidden />}
        {loading ? (
          // Without a title the page would be empty, so its skeleton shows at once.
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
