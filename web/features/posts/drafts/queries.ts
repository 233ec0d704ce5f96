import { queryOptions } from '@tanstack/react-query'
import { postDraftsQueryKey } from '#web/api/query-keys.ts'
import type { PostDraftStore } from './post-draft-store.ts'

export const postDraftsQuery = (store: PostDraftStore) =>
  queryOptions({
    queryKey: postDraftsQueryKey,
    queryFn: () => store.list(),
    staleTime: 0,
    networkMode: 'always',
  })
