/** Like and save (spec §4): shown at once in every list, the last press wins, taken back with a word when it fails. */

import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { Post } from '#contract/posts.ts'
import { likePost, savePost, unlikePost, unsavePost } from '#contract/routes.ts'
import { call } from '#web/api.ts'
import { askAgain } from '#web/ask-again.ts'
import { toast } from '#web/ui/toast-store.ts'
import { dropPost, findPost, forgetEverywhere, patchPost } from './post-cache.ts'
import { isGone } from './post-query.ts'
import { postKeys } from './queries.ts'
import { toggleQueue } from './toggle-queue.ts'

export type ToggleKind = 'like' | 'save'

type Toggle = {
  isOn: (post: Post) => boolean
  turned: (post: Post, on: boolean) => Partial<Post>
  send: (postId: string, on: boolean) => Promise<Partial<Post>>
  /** Her own list of those that are on. */
  list: QueryKey
}

const toggles: Record<ToggleKind, Toggle> = {
  like: {
    isOn: (post) => post.liked,
    turned: ({ liked, likeCount }, on) => ({
      liked: on,
      likeCount: likeCount + (liked === on ? 0 : on ? 1 : -1),
    }),
    send: (postId, on) => call(on ? likePost : unlikePost, { postId }),
    list: postKeys.liked,
  },
  save: {
    isOn: (post) => post.saved,
    turned: (_post, on) => ({ saved: on }),
    send: (postId, on) => call(on ? savePost : unsavePost, { postId }),
    list: postKeys.saved,
  },
}

/** Those with something under way; kept per client, for another member has her own. */
const queues = new WeakMap<QueryClient, Map<string, () => void>>()

export function pressToggle(client: QueryClient, kind: ToggleKind, post: Post): void {
  const underWay = queues.get(client) ?? new Map<string, () => void>()
  queues.set(client, underWay)
  const key = `${kind} ${post.$id}`
  const press = underWay.get(key) ?? begin(client, kind, post, () => underWay.delete(key))
  underWay.set(key, press)
  press()
}

function begin(client: QueryClient, kind: ToggleKind, shown: Post, onRest: () => void): () => void {
  const { isOn, turned, send, list } = toggles[kind]
  const postId = shown.$id
  const turn = (on: boolean) => patchPost(client, postId, (post) => turned(post, on))
  let wanted = isOn(findPost(client, postId) ?? shown)
  return toggleQueue({
    on: wanted,
    show: (on) => {
      wanted = on
      turn(on)
    },
    send: async (on) => {
      // As a mutation, so that the end of the session is noticed here too.
      const mutation = client.getMutationCache().build(client, { mutationFn: () => send(postId, on) })
      const answer = await mutation.execute(undefined)
      if (wanted === on) patchPost(client, postId, () => answer)
    },
    onRollback: (error) => {
      const gone = isGone(error)
      // Deleted elsewhere, or lost sight of: no list shows it any longer, and its own page says so.
      if (gone) forgetEverywhere(client, ({ $id }) => $id === postId)
      toast({
        title: 'Error',
        text: gone ? 'Post not found' : 'Something went wrong. Please try again.',
        kind: 'destructive',
      })
    },
    onRest: () => {
      onRest()
      if (!wanted) dropPost(client, list, postId)
      void askAgain(client, list)
    },
  })
}
