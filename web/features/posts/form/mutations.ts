import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { createPostEndpoint, getPostEndpoint, updatePostEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import type { PhotoInput, Post } from '#contract/posts/posts.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { isDocumentAlreadyExistsError } from '#web/api/ids.ts'
import { peopleQueryKeys, postQueryKeys } from '#web/api/query-keys.ts'
import { emitContentSent } from '#web/features/offline/install/content-sent-event.ts'
import { isAbortError } from '#web/forms/save-with-upload.ts'
import type { ImageUploads } from '#web/forms/use-image-uploads.ts'
import { toast } from '#web/ui/toast/toast-store.ts'
import { patchCachedPost, prependPostToCachedList } from '../post-cache.ts'
import { homeFeedQuery, isPostNotFoundError } from '../queries.ts'
import type { PostDraftPhoto, PostFormValues } from './post-form-schema.ts'

/** The draft's id becomes the post's, so a retry cannot create a second post. A refusal discards the uploads. */
export function useCreatePost(uploads: ImageUploads, postId: string) {
  const client = useQueryClient()
  const createOnce = useCreateOnce(postId)
  return useMutation({
    mutationFn: ({ photos, ...post }: PostFormValues) =>
      saveWithPhotos(photos, uploads, (stored) => createOnce({ ...post, photos: stored })),
    onError: (error) => {
      if (!isAbortError(error)) {
        toast({
          text: en(
            'Create post failed. Please try again.',
            'No pudimos crear la publicación. Inténtalo de nuevo.',
          ),
          kind: 'destructive',
        })
      }
    },
    onSuccess: (post) => announcePublishedPost(client, post),
  })
}

export function announcePublishedPost(client: QueryClient, post: Post): void {
  toast({ text: en('Posted', 'Publicada') })
  emitContentSent()
  prependPostToCachedList(client, homeFeedQuery.queryKey, post)
  void client.invalidateQueries({ queryKey: postQueryKeys.all })
  if (post.creator) void client.invalidateQueries({ queryKey: peopleQueryKeys.one(post.creator.$id) })
}

type Content = Omit<Parameters<typeof callApiOperation<typeof createPostEndpoint>>[1], 'postId'>

/**
 * If an earlier response was lost, the post may exist and already use the photos. Content changed since then is sent as
 * an update.
 */
function useCreateOnce(postId: string) {
  const unanswered = useRef<string>(undefined)

  return async function createOnce(content: Content): Promise<Post> {
    const before = unanswered.current
    const words = JSON.stringify(content)
    const asStored = async (post: Post) =>
      before === words ? post : callApiOperation(updatePostEndpoint, { ...content, postId })

    const earlier = before && (await fetchPostIfReadable(postId))
    if (earlier) return asStored(earlier)
    unanswered.current = words
    try {
      return await callApiOperation(createPostEndpoint, { ...content, postId })
    } catch (error) {
      if (isDocumentAlreadyExistsError(error))
        return asStored(await callApiOperation(getPostEndpoint, { postId }))
      if (!isUnansweredError(error)) unanswered.current = undefined
      throw error
    }
  }
}

/** Undefined if the member may not read it. */
export async function fetchPostIfReadable(postId: string): Promise<Post | undefined> {
  try {
    return await callApiOperation(getPostEndpoint, { postId })
  } catch (error) {
    if (isPostNotFoundError(error)) return undefined
    throw error
  }
}

/** Sends all photos if any changed, so one of two concurrent edits wins completely. */
export function useUpdatePost(postId: string, initial: readonly PostDraftPhoto[], uploads: ImageUploads) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ photos, ifUpdatedAt, ...content }: PostFormValues & { ifUpdatedAt?: string }) =>
      saveWithPhotos(photos, uploads, (stored) =>
        callApiOperation(updatePostEndpoint, {
          ifUpdatedAt,
          ...content,
          postId,
          photos: arePhotosEqual(photos, initial) ? undefined : stored,
        }),
      ),
    onSuccess: (post) => {
      client.setQueryData(postQueryKeys.one(postId), post)
      patchCachedPost(client, postId, () => post)
      void client.invalidateQueries({ queryKey: postQueryKeys.all })
      if (post.creator) void client.invalidateQueries({ queryKey: peopleQueryKeys.one(post.creator.$id) })
    },
  })
}

const arePhotosEqual = (photos: readonly PostDraftPhoto[], others: readonly PostDraftPhoto[]) =>
  photos.length === others.length &&
  photos.every(({ key, imageId, alt }, at) => {
    const other = others[at]
    return key === other?.key && imageId === other.imageId && alt === other.alt
  })

const filesOf = (photos: readonly PostDraftPhoto[]) => photos.flatMap(({ file }) => file ?? [])

/** Without a response, keeps the uploads, because the post may already use them. */
async function saveWithPhotos<Answer>(
  photos: readonly PostDraftPhoto[],
  uploads: ImageUploads,
  save: (photos: PhotoInput[]) => Promise<Answer>,
): Promise<Answer> {
  const stored = await Promise.all(
    photos.map(async ({ file, imageId, alt }) => ({
      imageId: file ? await uploads.begin(file) : (imageId ?? ''),
      alt,
    })),
  )
  try {
    const answer = await save(stored)
    uploads.release(filesOf(photos))
    return answer
  } catch (error) {
    if (!isUnansweredError(error)) for (const file of filesOf(photos)) uploads.cancel(file)
    throw error
  }
}

/** No response arrived, so the request may have succeeded. */
const isUnansweredError = (error: unknown): boolean => error instanceof ApiError && error.code === 0
