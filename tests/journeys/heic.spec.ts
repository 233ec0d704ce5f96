import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { maxPostPhotos } from '#contract/limits.ts'
import { createJpeg, createPhoneJpegWithGps, gpsPositionFixture } from '#scripts/harness/image-fixtures.ts'
import { measureColorDifferences } from '../fixtures/heif/color-chart.ts'
import {
  choosePhotos,
  colorAt,
  confirmCrop,
  openCropDialog,
  publishForm,
  readUploadedFileNames,
  readUploadedFiles,
  recordUploadedFiles,
  selectCropAspectRatio,
} from './crop-steps.ts'
import { expect, test, uploadExpectTimeoutOptions } from './fixtures.ts'
import {
  colorBox,
  createBrokenHeics,
  mirrorBox,
  readHeic,
  turnBox,
  withHeifProperty,
} from './heic-fixtures.ts'
import { filesApiPath, openCreatePostForm, toUploadFilePayload } from './post-steps.ts'

const choose = (page: Page, buffer: Buffer, name = 'IMG_0001.heic', mimeType = 'image/heic') =>
  page.getByLabel('Photo', { exact: true }).setInputFiles({ name, mimeType, buffer })
const chosen = (page: Page) => page.getByRole('main').getByRole('img', { name: 'Chosen' })
const tiles = (page: Page) => page.getByRole('group', { name: 'Photo order' })
const notReadable = 'This photo can’t be read. It may be damaged.'
const receipt = 'We removed the place and time from the photo.'

test('HEIC-01 a 12-megapixel HEIC and photos with other file types are posted together as JPEGs, named photo.jpg', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  await recordUploadedFiles(ana.page)
  const page = await openCreatePostForm(ana)
  const avif = sharp({ create: { width: 320, height: 200, channels: 3, background: '#20a040' } }).avif()
  await page
    .getByLabel('Photo', { exact: true })
    .setInputFiles([
      toUploadFilePayload(readHeic('12-megapixels'), 'IMG_0001.heic', 'image/heic'),
      toUploadFilePayload(readHeic('plain'), 'foto.heif', 'image/heif'),
      toUploadFilePayload(readHeic('plain'), 'foto.HEIC', ''),
      toUploadFilePayload(await avif.toBuffer(), 'foto.avif', 'image/avif'),
    ])
  await expect(tiles(page).getByRole('button', { name: /^Photo \d+, / })).toHaveCount(4)
  await expect(tiles(page).getByRole('progressbar')).toHaveCount(0, uploadExpectTimeoutOptions)
  const { post, stored } = await publishForm(ana)
  expect([post.photos[0]?.width, post.photos[0]?.height]).toEqual([4032, 3024])
  expect(await colorAt(stored[0] as Buffer, 0.05, 0.05)).toBe('red')
  for (const picture of stored) expect((await sharp(picture).metadata()).format).toBe('jpeg')
  for (const { id } of post.photos) {
    const content = await ana.request.get(`${filesApiPath}/${id}/content`)
    expect(content.headers()['content-type']).toBe('image/jpeg')
  }
  expect(await readUploadedFileNames(page)).toEqual(Array.from({ length: 4 }, () => 'photo.jpg'))
})

const orientations = [
  ...([1, 2, 3, 4, 5, 6, 7, 8] as const).map((n) => ({
    what: `EXIF’s orientation ${n}`,
    heic: readHeic(`exif-orientation-${n}`),
    corner: [0.05, 0.05],
  })),
  {
    what: 'a quarter turn of its own',
    heic: withHeifProperty(readHeic('plain'), turnBox(1)),
    corner: [0.05, 0.95],
  },
  {
    what: 'three quarter turns of its own',
    heic: withHeifProperty(readHeic('plain'), turnBox(3)),
    corner: [0.95, 0.05],
  },
  {
    what: 'left and right mirrored',
    heic: withHeifProperty(readHeic('plain'), mirrorBox(1)),
    corner: [0.95, 0.05],
  },
  {
    what: 'top and bottom mirrored',
    heic: withHeifProperty(readHeic('plain'), mirrorBox(0)),
    corner: [0.05, 0.95],
  },
  {
    what: 'its own rotation and EXIF’s, where its own counts',
    heic: withHeifProperty(readHeic('exif-orientation-6'), turnBox(3)),
    corner: [0.05, 0.05],
  },
]

test('HEIC-04 a HEIC is rotated once, whether its EXIF data or its container gives the orientation', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  for (const some of [orientations.slice(0, maxPostPhotos), orientations.slice(maxPostPhotos)]) {
    const page = await openCreatePostForm(ana)
    const files = some.map(({ heic }, at) => toUploadFilePayload(heic, `IMG_${at}.heic`, 'image/heic'))
    await page.getByLabel('Photo', { exact: true }).setInputFiles(files)
    await expect(tiles(page).getByRole('button', { name: /^Photo \d+, / })).toHaveCount(some.length)
    await expect(tiles(page).getByRole('progressbar')).toHaveCount(0, uploadExpectTimeoutOptions)
    const { stored } = await publishForm(ana)
    expect(stored).toHaveLength(some.length)
    for (const [at, { what, corner }] of some.entries()) {
      const picture = stored[at] as Buffer
      expect(await colorAt(picture, corner[0] ?? 0, corner[1] ?? 0), what).toBe('red')
      expect((await sharp(picture).metadata()).orientation ?? 1, what).toBe(1)
    }
  }
})

async function readDisplayP3Profile(): Promise<Buffer> {
  const picture = sharp({ create: { width: 1, height: 1, channels: 3, background: 'red' } })
  const { icc } = await sharp(await picture.withIccProfile('p3').jpeg().toBuffer()).metadata()
  return icc as Buffer
}

test('HEIC-05 HEIC-10 HEIC-11 Display P3 stays Display P3, even when cropped; the form removes place and time from HEIC and JPEG, and says so', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  const page = await openCreatePostForm(ana)
  const hosts = new Set<string>()
  page.on('request', (request) => {
    if (/^https?:/.test(request.url())) hosts.add(new URL(request.url()).host)
  })
  const heic = readHeic('display-p3-with-gps')
  expect(heic.includes(gpsPositionFixture)).toBe(true)
  await choose(page, heic)
  await expect(page.getByText(receipt)).toBeVisible(uploadExpectTimeoutOptions)
  await expect(page.getByLabel('Location')).toHaveValue('')
  const { stored } = await publishForm(ana)
  const icc = await readDisplayP3Profile()
  expect((await sharp(stored[0]).metadata()).icc?.equals(icc)).toBe(true)
  for (const word of [gpsPositionFixture, 'GPS', 'Telefono', '2026:11:01'])
    expect(stored[0]?.includes(word)).toBe(false)
  expect([...hosts]).toEqual([new URL(page.url()).host])

  await openCreatePostForm(ana)
  await choose(page, heic)
  await expect(chosen(page)).toBeVisible()
  await openCropDialog(page)
  await selectCropAspectRatio(page, '1:1')
  await confirmCrop(page)
  const cropped = await publishForm(ana)
  expect(await sharp(cropped.stored[0]).metadata()).toMatchObject({ width: 120, height: 120 })
  expect((await sharp(cropped.stored[0]).metadata()).icc?.equals(icc)).toBe(true)

  const again = await openCreatePostForm(ana)
  const uploaded = again.waitForResponse(
    (answer) => answer.url().endsWith(filesApiPath),
    uploadExpectTimeoutOptions,
  )
  await choosePhotos(again, await createJpeg())
  await uploaded
  await expect(again.getByText(receipt)).toHaveCount(0)
  await openCreatePostForm(ana)
  await choosePhotos(page, await createPhoneJpegWithGps())
  await expect(page.getByText(receipt)).toBeVisible(uploadExpectTimeoutOptions)
})

test('HEIC-05 HEIC-06 a tiled Display P3 photo with a gain map is posted as its base picture, in the same colours even when cropped', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  const page = await openCreatePostForm(ana)
  await recordUploadedFiles(page)
  await page.reload()
  const meanOf = (differences: number[]) =>
    differences.reduce((sum, one) => sum + one, 0) / differences.length
  await choose(page, readHeic('gain-map'))
  await expect(chosen(page)).toBeVisible(uploadExpectTimeoutOptions)
  const { stored } = await publishForm(ana)
  for (const picture of [stored[0] as Buffer, (await readUploadedFiles(page))[0] as Buffer]) {
    const { width, height, icc } = await sharp(picture).metadata()
    expect([width, height]).toEqual([240, 160])
    expect(icc?.equals(await readDisplayP3Profile())).toBe(true)
    expect(picture.includes('MPF')).toBe(false)
    expect(picture.subarray(2).includes(Buffer.from([0xff, 0xd8, 0xff]))).toBe(false)
  }
  const differences = await measureColorDifferences(stored[0] as Buffer)
  expect(differences).toHaveLength(24)
  expect(meanOf(differences)).toBeLessThanOrEqual(2)

  await openCreatePostForm(ana)
  await choose(page, readHeic('gain-map'))
  await expect(chosen(page)).toBeVisible(uploadExpectTimeoutOptions)
  await openCropDialog(page)
  await page.getByRole('button', { name: 'Turn left' }).click()
  await confirmCrop(page)
  const cropped = await publishForm(ana)
  const turnedBack = await sharp(cropped.stored[0]).rotate(90).keepIccProfile().png().toBuffer()
  expect(meanOf(await measureColorDifferences(turnedBack))).toBeLessThanOrEqual(2)
})

test('HEIC-07 twenty damaged files show an error on their tiles while other files continue, and HEIC in PQ or HLG is refused before upload', async ({
  signedUp,
}) => {
  test.slow()
  const ana = await signedUp('ana')
  const page = await openCreatePostForm(ana)
  const broken = Object.entries(createBrokenHeics())
  expect(broken).toHaveLength(20)
  await choose(page, readHeic('plain'))
  await expect(chosen(page)).toBeVisible(uploadExpectTimeoutOptions)
  for (const [what, buffer] of broken) {
    const add = tiles(page).getByLabel('Files to add')
    await add.setInputFiles({ name: 'IMG_2.heic', mimeType: 'image/heic', buffer })
    await expect(tiles(page).getByRole('button', { name: /^Photo 2, / })).toBeVisible()
    await expect(tiles(page).getByRole('progressbar')).toHaveCount(0)
    await expect(tiles(page).getByText(`Photo 2: ${notReadable}`), what).toBeVisible()
    await tiles(page).getByRole('button', { name: 'Remove', exact: true }).click()
  }
  const { post } = await publishForm(ana)
  expect(post.photos).toHaveLength(1)

  const sent: string[] = []
  ana.page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith(filesApiPath)) sent.push(request.url())
  })
  for (const [what, transfer] of [
    ['PQ', 16],
    ['HLG', 18],
  ] as const) {
    const page = await openCreatePostForm(ana)
    await choose(page, withHeifProperty(readHeic('plain'), colorBox(9, transfer)))
    await expect(
      page.getByText('This HDR photo would look grey here. Export it as JPEG and try again.').first(),
      what,
    ).toBeVisible()
    expect(sent, what).toEqual([])
  }
})

test('HEIC-08 HEIC-09 the decoder loads with the first HEIC; only its own worker can run WebAssembly, and the page can start no other worker', async ({
  signedUp,
  violations,
}) => {
  const ana = await signedUp('ana')
  const page = await openCreatePostForm(ana)
  const loaded: string[] = []
  // Only the context reports requests of workers.
  page.context().on('request', (request) => {
    if (/libheif|heif-to-jpeg-worker|convert-heif-to-jpeg/.test(request.url())) loaded.push(request.url())
  })
  await choosePhotos(page, await createJpeg())
  await expect(chosen(page)).toBeVisible()
  expect(loaded).toEqual([])
  const started = page.waitForEvent('worker')
  await choose(page, readHeic('plain'))
  await expect.poll(() => loaded.filter((url) => url.includes('heif-to-jpeg-worker'))).toHaveLength(1)
  const url = (await started).url()
  const policyOf = async (address: string) =>
    (await ana.request.get(address)).headers()['content-security-policy'] ?? ''
  expect(await policyOf(url)).toContain("script-src 'wasm-unsafe-eval';")
  for (const address of ['/', '/create-post', '/v1/health', '/assets/'])
    expect(await policyOf(address)).not.toMatch(/eval/)
  await expect(chosen(page)).toBeVisible()
  const refused = await page.evaluate(async (worker) => {
    const attempts: Record<string, () => unknown> = {
      other: () => new Worker('/favicon.svg'),
      same: () => new Worker(worker),
      blob: () => new Worker(URL.createObjectURL(new Blob(['1']))),
      policy: () =>
        (
          globalThis as unknown as {
            trustedTypes: { createPolicy: (name: string, rules: object) => unknown }
          }
        ).trustedTypes.createPolicy('other', {}),
      wasm: () => new WebAssembly.Module(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])),
    }
    return Object.keys(attempts).filter((name) => {
      try {
        attempts[name]?.()
        return false
      } catch {
        return true
      }
    })
  }, url)
  expect(refused).toEqual(['other', 'same', 'blob', 'policy', 'wasm'])
  await expect.poll(() => violations.length).toBeGreaterThanOrEqual(4)
  violations.length = 0
})
