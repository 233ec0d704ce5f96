import type { Page } from '@playwright/test'
import type { OperationInput } from '#contract/operation.ts'
import type { createPostOperation, PhotoInput, Post } from '#contract/posts/posts.ts'
import { createJpeg, createPng } from '#scripts/harness/image-fixtures.ts'
import {
  expect,
  type JourneyMember,
  type JourneyMemberWithPage,
  uploadExpectTimeoutOptions,
} from './fixtures.ts'

export const filesApiPath = '/v1/files'
export const appwriteBucketFilesPath = '/v1/storage/buckets/media/files'

type Given = Partial<Omit<OperationInput<typeof createPostOperation>, 'imageId' | 'photos'>> & {
  picture?: Buffer
  pictures?: { bytes: Buffer; alt?: string }[]
}

/** Pictures may have up to 5 MB each. */
export async function publishPostViaApi(
  person: JourneyMember,
  { picture, pictures, ...given }: Given = {},
): Promise<Post> {
  const photos: PhotoInput[] = []
  for (const { bytes, alt } of pictures ?? [{ bytes: picture ?? (await createJpeg()), alt: undefined }]) {
    const upload = await person.request.post(filesApiPath, {
      multipart: { file: { name: 'picture.jpg', mimeType: 'image/jpeg', buffer: bytes } },
    })
    expect(upload.status()).toBe(201)
    photos.push({ imageId: (await upload.json()).$id, alt })
  }
  const content = { caption: `Una foto de ${person.name}`, location: 'Tonalá', tags: [], ...given, photos }
  const post = await person.request.post('/v1/posts', { data: content })
  expect(post.status()).toBe(201)
  return post.json()
}

export async function followMemberViaApi(person: JourneyMember, other: JourneyMember): Promise<void> {
  const answer = await person.request.put(`/v1/people/${other.$id}/follow`, { data: {} })
  expect(answer.ok()).toBe(true)
}

export async function openCreatePostForm(person: JourneyMemberWithPage): Promise<Page> {
  const { page } = person
  await page.goto('/create-post')
  await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toHaveText('Create Post')
  return page
}

export const toUploadFilePayload = (buffer: Buffer, name = 'foto.png', mimeType = 'image/png') => ({
  name,
  mimeType,
  buffer,
})

export async function uploadPhotoInForm(
  page: Page,
  payload?: ReturnType<typeof toUploadFilePayload>,
): Promise<void> {
  const stored = page.waitForResponse(async (response) => {
    if (response.request().method() !== 'POST' || !response.url().includes(filesApiPath)) return false
    const { chunksUploaded, chunksTotal } = await response.json()
    return chunksUploaded === chunksTotal
  }, uploadExpectTimeoutOptions)
  await page
    .getByLabel('Photo', { exact: true })
    .setInputFiles(payload ?? toUploadFilePayload(await createPng()))
  await stored
  await expect(page.getByRole('progressbar', { name: 'Photo upload' })).toHaveCount(0)
}

export async function fetchHomeFeedPosts(person: JourneyMember): Promise<Post[]> {
  const answer = await person.request.get('/v1/feed')
  return (await answer.json()).documents
}
