/** Creating and updating posts. */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { createPostEndpoint, getPostEndpoint, updatePostEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { peopleQueryKeys, postQueryKeys } from '#web/api/query-keys.ts'
import { isAbortError, saveWithUpload } from '#web/forms/save-with-upload.ts'
import { useIdempotentCreate } from '#web/forms/use-idempotent-create.ts'
import { toast } from '#web/ui/toast/toast-store.ts'
import { patchCachedPost, prependPostToCachedList } from '../post-cache.ts'
import { homeFeedQuery } from '../queries.ts'
import type { PostEditFormValues, PostFormValues } from './post-form-schema.ts'

type Send = (file: File) => Promise<string>

/**
 * Uploads the image, then creates the post; a refused post leaves no upload behind. The new post appears on top of the
 * feed at once; the feed is then reloaded.
 * @param send uploads a file and resolves with its id
 */
export function useCreatePost(send: Send) {
  const client = useQueryClient()
  const storedOnce = useIdempotentCreate()
  return useMutation({
    mutationFn: ({ file, ...post }: PostFormValues) =>
      storedOnce(post, file, {
        store: (postId) =>
          saveWithUpload(file, send, (imageId) =>
            callApiOperation(createPostEndpoint, { ...post, postId, imageId }),
          ),
        find: (postId) => callApiOperation(getPostEndpoint, { postId }),
      }),
    onError: (error) => {
      if (!isAbortError(error)) {
        toast({ text: 'Create post failed. Please try again.', kind: 'destructive' })
      }
    },
    onSuccess: (post) => {
      toast({ text: 'Posted' })
      prependPostToCachedList(client, homeFeedQuery.queryKey, post)
      void client.invalidateQueries({ queryKey: postQueryKeys.all })
      if (post.creator) void client.invalidateQueries({ queryKey: peopleQueryKeys.one(post.creator.$id) })
    },
  })
}

/**
 * Updates a post; a new image is uploaded first and replaces the old one in the same write, or is discarded when that
 * is refused.
 */
export function useUpdatePost(postId: string, send: Send) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ file, ...content }: PostEditFormValues) =>
      saveWithUpload(file, send, (imageId) =>
        callApiOperation(updatePostEndpoint, { ...content, postId, imageId }),
      ),
    onSuccess: (post) => {
      client.setQueryData(postQueryKeys.one(postId), post)
      patchCachedPost(client, postId, () => post)
      void client.invalidateQueries({ queryKey: postQueryKeys.all })
      if (post.creator) void client.invalidateQueries({ queryKey: peopleQueryKeys.one(post.creator.$id) })
    },
  })
}
