import type { ReactNode } from 'react'
import { isQueryLoading } from '#web/api/query-status-predicates.ts'
import { ErrorCard } from './error-state.tsx'
import { PageTitle } from './page-title.tsx'
import { SkeletonRegion, useSkeletonVisibility } from './skeleton.tsx'
import { StaleNotice } from './stale-notice.tsx'

/** The fields of a query or infinite query that a view needs. */
export type QueryViewState<Data> = {
  data: Data | undefined
  isPending: boolean
  isFetching: boolean
  /** Whether reloading failed. The view then shows older data. */
  isRefetchError: boolean
  refetch: () => unknown
}

type Props<Data> = {
  query: QueryViewState<Data>
  skeleton: ReactNode
  /** The page's title, visually hidden, until the data arrives. */
  title?: string
  /** Shown instead of the error card. */
  failure?: ReactNode
  /** Shown instead of the children if `isEmpty` returns true. */
  empty?: ReactNode
  isEmpty?: (data: Data) => boolean
  /** Classes that add space around the notice about older data. */
  noticeClassName?: string
  children: (data: Data) => ReactNode
}

/**
 * Shows a query's state: loading, failed, empty or loaded. If reloading failed, a notice appears above the older data.
 */
export function QueryView<Data>(props: Props<Data>) {
  const { query, skeleton, title, failure, empty, isEmpty, noticeClassName, children } = props
  const { data, refetch } = query
  const loading = useSkeletonVisibility(isQueryLoading(query))
  if (loading || data === undefined) {
    return (
      <>
        {title && <PageTitle title={title} hidden />}
        {loading ? (
          // A page whose title is hidden has no other content yet, so its skeleton appears immediately.
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
