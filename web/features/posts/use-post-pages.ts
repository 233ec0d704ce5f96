import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigationType } from 'react-router'
import { getQueryUpdatedAt } from './post-cache.ts'
import type { PostPagesQuery } from './queries.ts'

/**
 * Going back keeps all pages, because restoring the scroll position needs them. Forward navigation keeps and reloads
 * only the first page.
 */
export function usePostPages(query: PostPagesQuery) {
  const client = useQueryClient()
  const navigation = useNavigationType()
  const [returned] = useState(() => {
    if (navigation === 'POP') return true
    client.setQueryData(
      query.queryKey,
      (list) => list && { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) },
      { updatedAt: getQueryUpdatedAt(client, query.queryKey) },
    )
    return false
  })
  return useInfiniteQuery(returned ? { ...query, staleTime: Number.POSITIVE_INFINITY } : query)
}

export type PostPagesResult = ReturnType<typeof usePostPages>
