import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { Person, Profile } from '#contract/people/people.ts'
import type { Post, PostPage } from '#contract/posts/posts.ts'
import type { CollectionChange } from '#contract/realtime/realtime.ts'
import { invalidateQueriesIncludingLoading } from '#web/api/invalidate-including-loading.ts'
import {
  followRequestQueryKeys,
  peopleQueryKeys,
  photoTagQueryKeys,
  postQueryKeys,
  privacyQueryKeys,
} from '#web/api/query-keys.ts'
import { purgePostsFromCache } from '#web/features/posts/post-cache.ts'

/** @param me the signed-in member's id, if known */
export function applyVisibilityChanges(
  client: QueryClient,
  me: string | undefined,
  changes: readonly CollectionChange[],
): void {
  const lostPosts = new Set<string>()
  let requestsChanged = false
  let answered = false
  let photoTagsChanged = false
  for (const { collection, kind, document } of changes) {
    if (collection === 'posts' && kind === 'delete') lostPosts.add(document.$id)
    // Only the post's page shows photo tags and hidden photos.
    else if (me !== undefined && collection === 'posts' && document.creatorId === me)
      void client.invalidateQueries({ queryKey: postQueryKeys.one(document.$id) })
    else if (collection === 'followRequests') {
      requestsChanged = true
      answered ||= kind === 'delete'
    } else if (collection === 'namings') photoTagsChanged = true
    else if (collection === 'follows' && kind === 'create') answered ||= document.followerId === me
    else if (collection === 'users' && kind === 'update' && document.$id !== me)
      refreshChangedMember(client, document.$id)
  }
  if (lostPosts.size > 0) purgeLostPosts(client, lostPosts)
  if (requestsChanged) void refreshFollowRequests(client)
  if (answered) refreshAskedPeople(client)
  if (photoTagsChanged) {
    void invalidateQueriesIncludingLoading(client, photoTagQueryKeys.all)
    void client.invalidateQueries({ queryKey: ['posts', 'one'] })
  }
}

/** Also reloads the settings, which show the number of followers. */
export async function refreshFollowRequests(client: QueryClient): Promise<void> {
  await Promise.all(
    [followRequestQueryKeys.all, privacyQueryKeys.all].map((key) =>
      invalidateQueriesIncludingLoading(client, key),
    ),
  )
}

/** A closed account's change names only its newest posts, so lists with the same authors reload. */
function purgeLostPosts(client: QueryClient, lost: ReadonlySet<string>): void {
  const isLost = (post: Post) => lost.has(post.$id) && !post.can.delete
  const authors = new Set<string>()
  for (const { state } of client.getQueryCache().findAll({ queryKey: postQueryKeys.all }))
    for (const post of listPosts(state.data)) if (isLost(post) && post.creator) authors.add(post.creator.$id)
  purgePostsFromCache(client, isLost)
  for (const { queryKey, state } of client.getQueryCache().findAll({ queryKey: postQueryKeys.all })) {
    const holdsMore = listPosts(state.data).some(({ creator }) => creator && authors.has(creator.$id))
    if (holdsMore || state.fetchStatus === 'fetching')
      void invalidateQueriesIncludingLoading(client, queryKey)
  }
  for (const personId of authors) void client.invalidateQueries({ queryKey: peopleQueryKeys.one(personId) })
}

function refreshChangedMember(client: QueryClient, personId: string): void {
  if (client.getQueryData(peopleQueryKeys.one(personId)) === undefined) return
  void client.invalidateQueries({ queryKey: peopleQueryKeys.one(personId) })
  void client.invalidateQueries({ queryKey: postQueryKeys.byPerson(personId) })
}

/** A person may have accepted the member's follow request. */
function refreshAskedPeople(client: QueryClient): void {
  const asked = new Set<string>()
  for (const [queryKey, data] of [
    ...client.getQueriesData<PeopleList>({ queryKey: peopleQueryKeys.lists }),
    ...client.getQueriesData<Profile>({ queryKey: peopleQueryKeys.profiles }),
  ]) {
    const found = listPeople(data).filter(({ requested }) => requested)
    for (const { $id } of found) asked.add($id)
    if (found.length > 0) void invalidateQueriesIncludingLoading(client, queryKey)
  }
  if (asked.size === 0) return
  // An outdated empty list would look as if the person had no posts.
  for (const personId of asked) void client.resetQueries({ queryKey: postQueryKeys.byPerson(personId) })
  void client.invalidateQueries({ queryKey: postQueryKeys.feed })
  void client.invalidateQueries({ queryKey: postQueryKeys.explore })
  void client.invalidateQueries({ queryKey: postQueryKeys.topics })
}

type PeopleList = { documents: Person[] } | InfiniteData<{ documents: Person[] }>

function listPeople(data: PeopleList | Profile | undefined): readonly Person[] {
  if (!data) return []
  if ('pages' in data) return data.pages.flatMap(({ documents }) => documents)
  return 'documents' in data ? data.documents : [data]
}

function listPosts(data: unknown): readonly Post[] {
  if (typeof data !== 'object' || data === null) return []
  if ('pages' in data) return (data as InfiniteData<PostPage>).pages.flatMap(({ documents }) => documents)
  if ('documents' in data) return (data as PostPage).documents
  return '$id' in data ? [data as Post] : []
}
