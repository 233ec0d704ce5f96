import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigationType } from 'react-router'
import type { PostPagesQuery } from './list-queries.ts'
import { ageOf } from './post-cache.ts'

/**
 * A list of posts page by page. Back finds the pages as they were left, so that the place she was at is still there; a step
 * forward begins again with the first page, which is asked for anew.
 */
export function usePostPages(query: PostPagesQuery) {
  const client = useQueryClient()
  const navigation = useNavigationType()
  const [returned] = useState(() => {
    if (navigation === 'POP') return true
    client.setQueryData(
      query.queryKey,
      (list) => list && { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) },
      { updatedAt: ageOf(client, query.queryKey) },
    )
    return false
  })
  return useInfiniteQuery(returned ? { ...query, staleTime: Number.POSITIVE_INFINITY } : query)
}

export type PostPagesResult = ReturnType<typeof usePostPages>
