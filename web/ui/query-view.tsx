import type { ReactNode } from 'react'
import { isQueryLoading } from '#web/api/query-status-predicates.ts'
import { ErrorCard } from './error-state.tsx'
import { PageTitle } from './page-title.tsx'
import { SkeletonRegion, useSkeletonVisibility } from './skeleton.tsx'
import { StaleNotice } from './stale-notice.tsx'

/** What a view needs of a query or an infinite query. */
export type QueryViewState<Data> = {
  data: Data | undefined
  isPending: boolean
  isFetching: boolean
  /** Older data stands while loading it again has failed. */
  isRefetchError: boolean
  refetch: () => unknown
}

type Props<Data> = {
  query: QueryViewState<Data>
  skeleton: ReactNode
  /** The page's title, hidden, where it has none before the data. */
  title?: string
  /** Replaces the card that says loading failed, where the surroundings are a card already or the words differ. */
  failure?: ReactNode
  /** Shown instead of the children when `isEmpty` holds. */
  empty?: ReactNode
  isEmpty?: (data: Data) => boolean
  /** Spaces the notice about stale data from what follows. */
  noticeClassName?: string
  children: (data: Data) => ReactNode
}

/** Shows a query in whichever state it is: loading, failed, empty, or its data, with a notice when that is stale. */
export function QueryView<Data>(props: Props<Data>) {
  const { query, skeleton, title, failure, empty, isEmpty, noticeClassName, children } = props
  const { data, refetch } = query
  const loading = useSkeletonVisibility(isQueryLoading(query))
  if (loading || data === undefined) {
    return (
      <>
        {title && <PageTitle title={title} hidden />}
        {loading ? (
          // A page that shows no title yet would be empty.
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
