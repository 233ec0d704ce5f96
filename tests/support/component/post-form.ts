import { expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { listCommentsOperation } from '#contract/comments/comments.ts'
import {
  deleteFileOperation,
  getFileOperation,
  uploadChunkOperation,
  uploadFileOperation,
} from '#contract/files/files.ts'
import { type Group, listMyGroupsOperation } from '#contract/groups/groups.ts'
import { uploadChunkBytes } from '#contract/limits.ts'
import type { OperationInput } from '#contract/operation.ts'
import { listPeopleOperation } from '#contract/people/people.ts'
import { getPrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import { previewAudienceOperation } from '#contract/posts/audience-preview.ts'
import {
  createPostOperation,
  explorePostsOperation,
  getHomeFeedOperation,
  getPostOperation,
  listPersonPostsOperation,
  type Post,
  searchPostsOperation,
  updatePostOperation,
} from '#contract/posts/posts.ts'
import { listSimilarPostsOperation, suggestPlacesOperation } from '#contract/posts/posts-by-tag-or-place.ts'
import { refusal } from './fake-api.ts'
import { makePost, makePrivacySettings, newId } from './fixtures.ts'
import { api, openApp } from './open-app.tsx'
import { chooseFiles } from './pictures.ts'

const main = page.getByRole('main')

export const caption = main.getByLabelText('Caption')
export const location = main.getByLabelText('Location')
export const photoInput = main.getByLabelText('Photo', { exact: true })
export const createButton = main.getByRole('button', { name: 'Create Post' })
export const updateButton = main.getByRole('button', { name: 'Update Post' })
export const photoTiles = main.getByRole('button', { name: /^Photo \d+, / })
export const toasts = page.getByRole('region', { name: 'Notifications (F8)' })

type SentFile = { file: File; contentRange: string | null; fileId?: string }

/** @returns the received uploads and the ids of deleted files */
export function keepUploads() {
  const files = new Map<string, { chunksTotal: number; chunksUploaded: number }>()
  const deleted: string[] = []
  const sizes = new Map<string, number>()
  const stored = ($id: string, { contentRange, file }: SentFile) => {
    sizes.set($id, file.size)
    const size = Number(contentRange?.split('/')[1] ?? 1)
    const known = files.get($id) ?? { chunksTotal: Math.ceil(size / uploadChunkBytes), chunksUploaded: 0 }
    known.chunksUploaded += 1
    files.set($id, known)
    return { $id, ...known }
  }
  const storeFile = (input: unknown) => stored(newId('file'), input as SentFile)
  api.answer(uploadFileOperation, storeFile)
  const storeChunk = (input: { fileId: string }) => stored(input.fileId, input as unknown as SentFile)
  api.answer(uploadChunkOperation, storeChunk)
  api.answer(getFileOperation, ({ fileId }) => {
    const known = files.get(fileId)
    return known ? { $id: fileId, ...known } : refusal('storage_file_not_found')
  })
  api.answer(deleteFileOperation, ({ fileId }) => void deleted.push(fileId))
  return {
    deleted,
    storeFile,
    storeChunk,
    /** The size in the file's last request. Tests identify files by size. */
    sizeOf: (id: string) => sizes.get(id),
    ids: () => [...files.keys()],
    sent: (): SentFile[] =>
      [...api.callsOf(uploadFileOperation), ...api.callsOf(uploadChunkOperation)] as unknown as SentFile[],
  }
}

/** Home shows new posts first. */
export function answerPostForm({ groups = [], posts = [] }: { groups?: Group[]; posts?: Post[] } = {}) {
  const feed = [...posts]
  const page = (documents: Post[]) => ({ documents, next: null })
  api.answer(listMyGroupsOperation, { documents: groups, next: null })
  api.answer(previewAudienceOperation, { kind: 'everyone', count: 3, rounded: false, faces: [], group: null })
  api.answer(suggestPlacesOperation, { places: [] })
  api.answer(getPrivacySettingsOperation, makePrivacySettings())
  api.answer(listPeopleOperation, { documents: [], next: null })
  api.answer(getHomeFeedOperation, () => page(feed))
  api.answer(explorePostsOperation, () => page(feed))
  api.answer(searchPostsOperation, { documents: [] })
  api.answer(
    getPostOperation,
    ({ postId }) => feed.find(({ $id }) => $id === postId) ?? refusal('document_not_found'),
  )
  const keepPost = ({
    caption,
    location,
    tags,
    groupId,
    postId,
    photos,
  }: OperationInput<typeof createPostOperation>) => {
    const post = makePost({
      caption,
      location,
      tags,
      groupId: groupId || null,
      ...(postId ? { $id: postId } : {}),
    })
    post.photos = (photos ?? []).map(({ imageId, alt = '' }) => ({ ...post.image, id: imageId, alt }))
    feed.unshift(post)
    return post
  }
  api.answer(createPostOperation, keepPost)
  return { feed, keepPost, uploads: keepUploads() }
}

export async function openEditPostForm(
  post: Post,
  given: Parameters<typeof answerPostForm>[0] & Parameters<typeof openApp>[1] = {},
) {
  const answered = answerPostForm({ ...given, posts: [post] })
  answerPostPage()
  const keepChange = ({
    photos,
    postId: _,
    ifUpdatedAt: __,
    userId: ___,
    ...changed
  }: OperationInput<typeof updatePostOperation>) => {
    const kept = answered.feed[0] as Post
    const shown = photos?.map(({ imageId, alt = '' }) => ({ ...kept.image, id: imageId, alt }))
    const next = {
      ...kept,
      ...definedOf(changed),
      ...(shown ? { photos: shown, imageId: shown[0]?.id } : {}),
    } as Post
    answered.feed[0] = next
    return next
  }
  api.answer(updatePostOperation, keepChange)
  const opened = await openApp(`/update-post/${post.$id}`, given)
  await expect.element(updateButton).toBeVisible()
  return { ...answered, ...opened, keepChange }
}

const definedOf = (given: object) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))

export function answerPostPage() {
  api.answer(listCommentsOperation, {
    documents: [],
    next: null,
    earlier: 0,
    total: 0,
    open: true,
    commentsFrom: 'everyone',
  })
  api.answer(listSimilarPostsOperation, { documents: [] })
  api.answer(listPersonPostsOperation, { documents: [], next: null })
}

export async function openPostForm(
  given: Parameters<typeof answerPostForm>[0] & Parameters<typeof openApp>[1] = {},
) {
  const answered = answerPostForm(given)
  const opened = await openApp('/create-post', given)
  await expect.element(main.getByRole('heading', { level: 1 })).toHaveTextContent('Create Post')
  return { ...answered, ...opened }
}

export async function fillPost(words = 'Una tarde', place = 'Tonalá'): Promise<void> {
  await caption.fill(words)
  await location.fill(place)
}

/** The photos stay on the device until the form uploads them. */
export async function choosePhotos(...files: File[]): Promise<void> {
  chooseFiles(photoInput, ...files)
  await expect.poll(() => main.getByRole('button', { name: /replace|Add photos/ }).elements()).not.toEqual([])
}

/** Resolves when the server has received `count` uploads in total. */
export async function uploadPhotos(count: number, ...files: File[]): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  chooseFiles(photoInput, ...files)
  await expect
    .poll(() => {
      vi.advanceTimersByTime(4000)
      return api.callsOf(uploadFileOperation).length
    })
    .toBe(count)
  vi.useRealTimers()
}

export const pathname = () => window.location.pathname
