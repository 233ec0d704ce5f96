/** The last of several presses wins. A failure restores the previous state and shows a toast. */

import type { QueryClient, QueryKey } from '@tanstack/react-query'
import {
  likePostEndpoint,
  savePostEndpoint,
  unlikePostEndpoint,
  unsavePostEndpoint,
} from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import type { Post } from '#contract/posts/posts.ts'
import { callApiOperation } from '#web/api/client.ts'
import { getErrorMessageOrOffline } from '#web/api/error-message.ts'
import { invalidateQueriesIncludingLoading } from '#web/api/invalidate-including-loading.ts'
import { postQueryKeys } from '#web/api/query-keys.ts'
import { reapplyToStaleResponses } from '#web/api/reapply-to-stale-responses.ts'
import { toast } from '#web/ui/toast/toast-store.ts'
import {
  findCachedPost,
  patchCachedPost,
  purgePostsFromCache,
  removePostFromCachedLists,
} from './post-cache.ts'
import { isPostNotFoundError } from './queries.ts'

export type PostToggleKind = 'like' | 'save'

type Toggle = {
  isOn: (post: Post) => boolean
  turned: (post: Post, on: boolean) => Partial<Post>
  send: (postId: string, on: boolean) => Promise<Partial<Post>>
  list: QueryKey
}

const toggles: Record<PostToggleKind, Toggle> = {
  like: {
    isOn: (post) => post.liked,
    turned: ({ liked, likeCount }, on) => ({
      liked: on,
      likeCount: likeCount + (liked === on ? 0 : on ? 1 : -1),
    }),
    send: (postId, on) => callApiOperation(on ? likePostEndpoint : unlikePostEndpoint, { postId }),
    list: postQueryKeys.liked,
  },
  save: {
    isOn: (post) => post.saved,
    turned: (_post, on) => ({ saved: on }),
    send: (postId, on) => callApiOperation(on ? savePostEndpoint : unsavePostEndpoint, { postId }),
    list: postQueryKeys.saved,
  },
}

/** Every signed-in member has a separate query client. */
const queues = new WeakMap<QueryClient, Map<string, () => void>>()

export function togglePostLikeOrSave(client: QueryClient, kind: PostToggleKind, post: Post): void {
  const underWay = queues.get(client) ?? new Map<string, () => void>()
  queues.set(client, underWay)
  const key = `${kind} ${post.$id}`
  const press = underWay.get(key) ?? begin(client, kind, post, () => underWay.delete(key))
  underWay.set(key, press)
  press()
}

function begin(client: QueryClient, kind: PostToggleKind, shown: Post, onRest: () => void): () => void {
  const { isOn, turned, send, list } = toggles[kind]
  const postId = shown.$id
  const turn = (on: boolean) => patchCachedPost(client, postId, (post) => turned(post, on))
  let wanted = isOn(findCachedPost(client, postId) ?? shown)
  const onStored = reapplyToStaleResponses(client, `${kind} ${postId}`, postQueryKeys.all, () => turn(wanted))
  return createOptimisticToggle({
    on: wanted,
    show: (on) => {
      wanted = on
      turn(on)
    },
    send: async (on) => {
      // The request is a mutation, so the app notices when the session has ended.
      const mutation = client.getMutationCache().build(client, { mutationFn: () => send(postId, on) })
      const answer = await mutation.execute(undefined)
      if (wanted === on) patchCachedPost(client, postId, () => answer)
    },
    onRollback: (error) => {
      const gone = isPostNotFoundError(error)
      // The post was deleted or hidden. Its own page explains why.
      if (gone) purgePostsFromCache(client, ({ $id }) => $id === postId)
      toast({
        title: en('Error', 'Error'),
        text: gone ? en('Post not found', 'No encontramos la publicación') : getErrorMessageOrOffline(),
        kind: 'destructive',
      })
    },
    onRest: () => {
      onRest()
      onStored()
      if (!wanted) removePostFromCachedLists(client, list, postId)
      void invalidateQueriesIncludingLoading(client, list)
    },
  })
}

type ToggleSteps = {
  on: boolean
  show: (on: boolean) => void
  /** @throws if the request failed */
  send: (on: boolean) => Promise<void>
  onRollback: (error: unknown) => void
  onRest: () => void
}

/** Only the last press counts. A failure restores the confirmed state unless the member pressed again. */
export function createOptimisticToggle({ on, show, send, onRollback, onRest }: ToggleSteps): () => void {
  let confirmed = on
  let wanted = on
  let sending = false

  async function work() {
    sending = true
    let unsure = false
    while (wanted !== confirmed || unsure) {
      const step = wanted
      try {
        await send(step)
        confirmed = step
        unsure = false
      } catch (error) {
        // The request may have taken effect, so the new state is sent even if it equals the confirmed one.
        unsure = wanted !== step
        if (unsure || wanted === confirmed) continue
        wanted = confirmed
        show(confirmed)
        onRollback(error)
      }
    }
    sending = false
    onRest()
  }

  return () => {
    wanted = !wanted
    show(wanted)
    if (!sending) void work()
  }
}
