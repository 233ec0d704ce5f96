/** Publishing and changing posts (spec §7 Posts: create, update). */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { homeFeedSize } from '#contract/limits.ts'
import type { OutputOf } from '#contract/operation.ts'
import type { homeFeed, Post } from '#contract/posts.ts'
import { createPost, getPost, updatePost } from '#contract/routes.ts'
import { call } from '#web/api.ts'
import { peopleKeys } from '#web/features/people/queries.ts'
import { toast } from '#web/ui/toast-store.ts'
import { useStoredOnce } from '#web/use-stored-once.ts'
import { withPicture } from '#web/with-picture.ts'
import { patchPost } from './post-cache.ts'
import type { EditedPostValues, PostValues } from './post-draft.ts'
import { postKeys } from './queries.ts'

type Send = (file: File) => Promise<string>

const onTop = (post: Post, posts: Post[]) =>
  [post, ...posts.filter((other) => other.$id !== post.$id)].slice(0, homeFeedSize)

/** She pressed Cancel, or went away. */
export const wasCancelled = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError'

/**
 * Uploads the picture, then stores the post; a refused post leaves no picture behind (reading W-08). The stored post stands
 * on top of the feed at once; the feed is then asked for again.
 *
 * @param send gives the id of the uploaded file
 */
export function useCreatePost(send: Send) {
  const client = useQueryClient()
  const storedOnce = useStoredOnce()
  return useMutation({
    mutationFn: ({ file, ...post }: PostValues) =>
      storedOnce(post, file, {
        store: (postId) =>
          withPicture(file, send, (imageId) => call(createPost, { ...post, postId, imageId })),
        find: (postId) => call(getPost, { postId }),
      }),
    onError: (error) => {
      if (!wasCancelled(error)) {
        toast({ text: 'Create post failed. Please try again.', kind: 'destructive' })
      }
    },
    onSuccess: (post) => {
      client.setQueryData<OutputOf<typeof homeFeed>>(
        postKeys.feed,
        (feed) => feed && { documents: onTop(post, feed.documents) },
      )
      void client.invalidateQueries({ queryKey: postKeys.all })
      if (post.creator) void client.invalidateQueries({ queryKey: peopleKeys.one(post.creator.$id) })
    },
  })
}

/** A new picture is uploaded first and replaces the old one with the same write; refused, it is taken back (reading W-08). */
export function useUpdatePost(postId: string, send: Send) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ file, ...content }: EditedPostValues) =>
      withPicture(file, send, (imageId) => call(updatePost, { ...content, postId, imageId })),
    onSuccess: (post) => {
      client.setQueryData(postKeys.one(postId), post)
      patchPost(client, postId, () => post)
      void client.invalidateQueries({ queryKey: postKeys.all })
      if (post.creator) void client.invalidateQueries({ queryKey: peopleKeys.one(post.creator.$id) })
    },
  })
}
