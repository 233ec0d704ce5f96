/**
 * Sends the oldest post first, from one tab. Reusing the draft's id and uploads stores each post once. A
 * refused post stays a draft; it is never sent to a wider audience.
 */
import type { QueryClient } from '@tanstack/react-query'
import { createPostEndpoint, updatePostEndpoint } from '#contract/generated-endpoints.ts'
import type { Post } from '#contract/posts/posts.ts'
import { withBrowserLock } from '#web/api/browser-lock.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { isDocumentAlreadyExistsError } from '#web/api/ids.ts'
import { postDraftsQueryKey } from '#web/api/query-keys.ts'
import { isTransientError } from '#web/api/transient-error.ts'
import { type PendingPhoto, uploadPhotosAndSend } from '#web/api/upload-photos-and-send.ts'
import { getReconnectDelayMs } from '#web/realtime/reconnect-delay.ts'
import { preparePhoto } from '#web/ui/images/prepare-photo.ts'
import { toast } from '#web/ui/toast/toast-store.ts'
import { postDraftLockName } from '../drafts/post-draft-database.ts'
import {
  openPostDraftStore,
  type PostDraftStore,
  type PostDraftSummary,
  type WaitingPost,
} from '../drafts/post-draft-store.ts'
import { announcePublishedPost, fetchPostIfReadable } from '../form/mutations.ts'
import { type PostFormValues, postFormSchema } from '../form/post-form-schema.ts'
import { describePostRefusal } from './describe-post-refusal.ts'

const lockName = 'post-outbox'

/**
 * Also sends when the device goes online or a post is added.
 * @returns a function that stops the sender
 */
export function startPostOutboxSender(client: QueryClient, account: string): () => void {
  const store = openPostDraftStore(account)
  const channel = new BroadcastChannel('juntas-waiting-posts')
  const refresh = () => client.invalidateQueries({ queryKey: postDraftsQueryKey })
  let stopped = false
  let attempts = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const isStopped = () => stopped

  async function send(id: string): Promise<void> {
    const [content, waiting] = await Promise.all([store.read(id), store.readWaiting(id)])
    if (!content || !waiting || waiting.refusal) return
    try {
      const post = await deliver({
        id,
        account,
        values: postFormSchema.parse(content),
        waiting,
        store,
        isStopped,
      })
      await store.remove(id)
      announcePublishedPost(client, post)
    } catch (error) {
      if (error instanceof NoLongerWaitingError) return
      if (isStopped() || isTransientError(error) || isSessionOver(error)) throw error
      const { type, message } =
        error instanceof ApiError ? error : { type: '', message: (error as Error).message }
      const refusal = { type, message }
      await store.setWaiting(id, { ...waiting, refusal })
      toast({ text: describePostRefusal({ ...waiting, refusal }), kind: 'destructive' })
    }
    if (!stopped) channel.postMessage('changed')
    await refresh()
  }

  async function sendAll() {
    clearTimeout(timer)
    for (const { id } of (await store.list()).filter(isUnsent).toReversed()) {
      if (stopped || !navigator.onLine) return
      // A mutation keeps the page from reloading.
      const mutation = client
        .getMutationCache()
        .build(client, { mutationFn: () => send(id), networkMode: 'always' })
      await withBrowserLock(postDraftLockName(id), () => mutation.execute(undefined), { ifFree: true })
    }
    attempts = 0
  }

  async function flush() {
    if (stopped || !navigator.onLine) return
    try {
      await withBrowserLock(lockName, sendAll)
    } catch {
      if (stopped) return
      attempts += 1
      timer = setTimeout(flush, getReconnectDelayMs(attempts))
    }
  }

  const stopListening = client.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || query.queryKey[0] !== postDraftsQueryKey[0]) return
    const drafts: PostDraftSummary[] = query.state.data ?? []
    // While attempts fail, only the timer retries.
    if (attempts === 0 && drafts.some(isUnsent)) void flush()
  })
  channel.onmessage = () => void refresh()
  const flushNow = () => void flush()
  addEventListener('online', flushNow)
  flushNow()
  return () => {
    stopped = true
    clearTimeout(timer)
    removeEventListener('online', flushNow)
    stopListening()
    channel.close()
  }
}

const isUnsent = ({ waiting }: PostDraftSummary) => waiting !== undefined && !waiting.refusal

const isSessionOver = (error: unknown) => error instanceof ApiError && error.code === 401

type Delivery = {
  id: string
  account: string
  values: PostFormValues
  waiting: WaitingPost
  store: PostDraftStore
  isStopped: () => boolean
}

async function deliver({ id, account, values, waiting, store, isStopped }: Delivery): Promise<Post> {
  const { photos, ...content } = values
  const { uploaded } = waiting
  // An earlier attempt may have created the post, which already uses the photos.
  const earlier = Object.keys(uploaded).length > 0 && (await fetchPostIfReadable(id))
  if (earlier) return earlier
  const pending = await Promise.all(
    photos.flatMap(({ key, file, alt }) =>
      file ? prepared(file).then((ready) => ({ file: ready, alt, imageId: uploaded[key] })) : [],
    ),
  )
  /** Sending stops if the draft was deleted or the session ended. */
  async function keep(stored: readonly Pick<PendingPhoto, 'imageId'>[]) {
    const ids = stored.map(({ imageId }, at) => [photos[at]?.key, imageId])
    const waits = await store.setWaiting(id, {
      ...waiting,
      uploaded: Object.fromEntries(ids.filter(([, imageId]) => imageId)),
    })
    if (!waits || isStopped()) throw new NoLongerWaitingError()
  }
  return uploadPhotosAndSend(pending, keep, async (sent) => {
    await keep(sent)
    const post = { ...content, photos: sent, postId: id, userId: account }
    try {
      return await callApiOperation(createPostEndpoint, post)
    } catch (error) {
      if (!isDocumentAlreadyExistsError(error)) throw error
      // The draft, including its audience, may have changed since the attempt that created the post.
      return callApiOperation(updatePostEndpoint, post)
    }
  })
}

class NoLongerWaitingError extends Error {}

const prepared = async (file: File) => (await preparePhoto(file)) ?? file
