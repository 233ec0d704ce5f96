import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { type ExploreAuthorFilter, explorePostsQuery, lovedPostsQuery } from '../queries.ts'

export type ExploreOrder = 'recent' | 'loved'

/** Returns 'recent' if too few posts qualify as loved. Loved posts load after the recent ones. */
export function useExploreOrder(from: ExploreAuthorFilter | undefined): {
  order: ExploreOrder
  offersLoved: boolean
} {
  const asked = useSearchParams()[0].get('order') === 'loved'
  const recent = useInfiniteQuery({ ...explorePostsQuery(from), enabled: false })
  const loved = useInfiniteQuery({ ...lovedPostsQuery, enabled: asked || recent.data !== undefined })
  const found = loved.data?.pages[0]?.documents.length
  const offersLoved = asked ? found !== 0 : Boolean(found)
  return { order: asked && offersLoved ? 'loved' : 'recent', offersLoved }
}
