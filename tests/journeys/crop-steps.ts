import { createHash } from 'node:crypto'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import type { Post } from '#contract/posts/posts.ts'
import { expect, type JourneyMemberWithPage, uploadExpectTimeoutOptions } from './fixtures.ts'
import { fetchHomeFeedPosts, filesApiPath, toUploadFilePayload } from './post-steps.ts'

const [red, green, blue, white] = ['#d02020', '#20a040', '#2040d0', '#f4f0ea']

/** The 80-pixel red mark at the top left reveals leaked areas. 1200 × 900: green left, blue right, white below. */
export function drawMarkedPicture() {
  const area = (background: string, width: number, height: number) => ({
    create: { width, height, channels: 3 as const, background },
  })
  return sharp(area(white, 1200, 900)).composite([
    { input: area(green, 600, 600), left: 0, top: 0 },
    { input: area(blue, 600, 600), left: 600, top: 0 },
    { input: area(red, 80, 80), left: 0, top: 0 },
  ])
}

export const createMarkedJpeg = () =>
  drawMarkedPicture().jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer()

export async function colorAt(picture: Buffer, x: number, y: number): Promise<string> {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels
  const seen = [...data.subarray(at, at + 3)]
  const distance = (name: string) =>
    seen.reduce(
      (sum, value, n) => sum + Math.abs(value - Number.parseInt(name.slice(1 + 2 * n, 3 + 2 * n), 16)),
      0,
    )
  const names: Record<string, string> = { [red]: 'red', [green]: 'green', [blue]: 'blue', [white]: 'white' }
  const [nearest = ''] = Object.keys(names).sort((one, other) => distance(one) - distance(other))
  return names[nearest] ?? ''
}

export const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

export const recordUploadedFiles = (page: Page) =>
  page.addInitScript(() => {
    const sent: Promise<string>[] = []
    const names: string[] = []
    Object.assign(window, { sentFiles: sent, sentNames: names })
    const send = XMLHttpRequest.prototype.send
    XMLHttpRequest.prototype.send = function (body) {
      const file = body instanceof FormData ? body.get('file') : null
      if (file instanceof File)
        this.addEventListener('load', () => {
          if (this.status < 400) names.push(file.name)
        })
      if (file instanceof File)
        sent.push(
          file
            .arrayBuffer()
            .then((bytes) => Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join('')),
        )
      send.call(this, body)
    }
  })

export async function readUploadedFiles(page: Page): Promise<Buffer[]> {
  const sent = await page.evaluate(() =>
    Promise.all((window as unknown as { sentFiles: string[] }).sentFiles),
  )
  return sent.map((latin1) => Buffer.from(latin1, 'latin1'))
}

export const cropDialog = (page: Page) => page.getByRole('dialog', { name: /^Crop photo \d+$/ })
export const cropFrame = (page: Page) => cropDialog(page).getByRole('application', { name: /^Frame\./ })
export const zoomOf = async (page: Page) =>
  Number(await cropDialog(page).getByRole('slider', { name: 'Zoom' }).inputValue())

export async function openCropDialog(page: Page, at = 1): Promise<void> {
  await page
    .getByRole('main')
    .getByRole('button', { name: new RegExp(`^Photo ${at}, `) })
    .click()
  await page.getByRole('button', { name: `Crop photo ${at}`, exact: true }).click()
  await expect(page.getByRole('dialog', { name: `Crop photo ${at}`, exact: true })).toBeVisible()
  await expect(cropFrame(page)).toBeFocused()
}

export const selectCropAspectRatio = async (page: Page, name: string) => {
  await cropDialog(page).getByRole('radio', { name, exact: true }).check()
  await expect(cropFrame(page)).toBeFocused()
}

export async function confirmCrop(page: Page): Promise<void> {
  await cropDialog(page).getByRole('button', { name: 'Done', exact: true }).click()
  await expect(cropDialog(page)).toHaveCount(0)
}

export const choosePhotos = (page: Page, ...pictures: Buffer[]) =>
  page
    .getByLabel('Photo', { exact: true })
    .setInputFiles(pictures.map((bytes, at) => toUploadFilePayload(bytes, `foto-${at}.jpg`, 'image/jpeg')))

/** @returns the post and its stored photos */
export async function publishForm({
  page,
  ...ana
}: JourneyMemberWithPage): Promise<{ post: Post; stored: Buffer[] }> {
  await page.getByLabel('Caption').fill('Recortada')
  await page.getByLabel('Location').fill('Tonalá')
  await page.getByRole('main').getByRole('button', { name: 'Create Post' }).click()
  await expect(page).toHaveURL('/', uploadExpectTimeoutOptions)
  const [listed] = await fetchHomeFeedPosts(ana)
  const post: Post = await (await ana.request.get(`/v1/posts/${listed?.$id}`)).json()
  const stored: Buffer[] = []
  for (const { id } of post.photos)
    stored.push(await (await ana.request.get(`${filesApiPath}/${id}/content`)).body())
  return { post, stored }
}

/** Omits uploads that the server refused, because saving the form sends them again. */
export const readUploadedFileNames = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { sentNames: string[] }).sentNames)
