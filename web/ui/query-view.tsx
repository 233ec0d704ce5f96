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
  /** The view then shows older data. */
  isRefetchError: boolean
  refetch: () => unknown
}

type Props<Data> = {
  query: QueryViewState<Data>
  skeleton: ReactNode
  /** The page's title, visually hidden, until the data arrives. */
  title?: string
  /** Replaces the error card. */
  failure?: ReactNode
  /** Replaces the children if `isEmpty` returns true. */
  empty?: ReactNode
  isEmpty?: (data: Data) => boolean
  /** Space around the notice about older data. */
  noticeClassName?: string
  children: (data: Data) => ReactNode
}

/** If reloading failed, a notice appears above the older data. */
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
