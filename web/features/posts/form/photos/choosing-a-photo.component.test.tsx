import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { deleteFileOperation, uploadChunkOperation, uploadFileOperation } from '#contract/files/files.ts'
import { uploadChunkBytes } from '#contract/limits.ts'
import { createPostOperation } from '#contract/posts/posts.ts'
import { refusal } from '#tests/support/component/fake-api.ts'
import { api, phone } from '#tests/support/component/open-app.tsx'
import {
  chooseFiles,
  createAnimatedWebp,
  createPicture,
  dragFiles,
  dropFiles,
  textFile,
} from '#tests/support/component/pictures.ts'
import {
  caption,
  choosePhotos,
  createButton,
  fillPost,
  openPostForm,
  pathname,
  photoInput,
  toasts,
  uploadPhotos,
} from '#tests/support/component/post-form.ts'
import { readImageHeader } from '#web/ui/images/jpeg-and-png-parts.ts'

const main = page.getByRole('main')
const choose = main.getByRole('button', { name: 'Select from computer' })
const replace = main.getByRole('button', { name: 'Click or drag photo to replace' })
const preview = main.getByRole('img', { name: 'Chosen' })
const area = () => document.querySelector('main form [role=presentation]') as HTMLElement
const wrongType = 'File type must be one of image/png, image/jpeg, .png, .jpeg, .jpg'
const picture = (padTo?: number) => createPicture({ type: 'image/png', ...(padTo ? { padTo } : {}) })
const largePicture = () => picture(12_000_000)
const brokenPost = 'Create post failed. Please try again.'

test('UPL-01 UPL-02 UPL-04 ana drops a photo on the area, and another photo replaces it', async () => {
  await openPostForm()
  await expect.element(main.getByText('Drag photo here', { exact: true })).toBeVisible()
  await expect.element(main.getByText('SVG, PNG, JPG', { exact: true })).toBeVisible()
  await expect.element(choose).toBeVisible()
  const background = () => getComputedStyle(area()).backgroundColor
  const resting = background()
  const first = await picture()
  dragFiles(area(), 'dragenter', first)
  await expect.poll(background).not.toBe(resting)
  dragFiles(area(), 'drop', first)
  await expect.element(preview).toBeVisible()
  await expect.element(replace).toBeVisible()
  const shown = preview.element().getAttribute('src') ?? ''
  dropFiles(area(), await createPicture())
  await expect.element(preview).not.toHaveAttribute('src', shown)
})

test('UPL-03 the area, its button and the keyboard open the file dialog', async () => {
  await openPostForm()
  const opened: boolean[] = []
  photoInput.element().addEventListener('click', (event) => {
    event.preventDefault()
    opened.push((event.currentTarget as HTMLInputElement).multiple)
  })
  await choose.click()
  area().click()
  ;(choose.element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await userEvent.keyboard(' ')
  await expect.poll(() => opened).toEqual([true, true, true, true])
  chooseFiles(photoInput, await picture())
  await expect.element(preview).toBeVisible()
  await expect.element(replace).toHaveFocus()
})

test('UPL-05 the form accepts PNG and JPEG with all their file extensions', async () => {
  await openPostForm()
  let before = ''
  for (const name of ['sol.png', 'sol.jpeg', 'sol.jpg']) {
    dropFiles(area(), await createPicture({ name, type: name.endsWith('png') ? 'image/png' : 'image/jpeg' }))
    await expect.element(preview).toBeVisible()
    await expect.element(preview).not.toHaveAttribute('src', before)
    before = preview.element().getAttribute('src') ?? ''
    await expect.element(main.getByText(wrongType)).not.toBeInTheDocument()
  }
})

async function decodeUpload(file: File) {
  const bitmap = await createImageBitmap(file)
  const canvas = new OffscreenCanvas(1, 1)
  const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D
  context.drawImage(bitmap, 0, 0)
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
  return { width: bitmap.width, height: bitmap.height, color: [red, green, blue] }
}

test('a WebP is converted to a JPEG on the device, with white in place of transparency', async () => {
  const { uploads } = await openPostForm()
  await uploadPhotos(1, await createPicture({ type: 'image/webp', color: 'transparent' }))
  const [sent] = uploads.sent()
  expect([sent?.file.name, sent?.file.type]).toEqual(['photo.jpg', 'image/jpeg'])
  expect(await decodeUpload(sent?.file as File)).toEqual({ width: 64, height: 48, color: [255, 255, 255] })
  await expect.element(preview).toBeVisible()
})

async function colorOnWhite(file: Blob): Promise<number[]> {
  const context = new OffscreenCanvas(1, 1).getContext('2d') as OffscreenCanvasRenderingContext2D
  context.fillStyle = '#fff'
  context.fillRect(0, 0, 1, 1)
  context.drawImage(await createImageBitmap(file), 0, 0)
  return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)]
}

async function createHalfTransparentWebp(): Promise<Blob> {
  const canvas = new OffscreenCanvas(64, 48)
  const context = canvas.getContext('2d', { colorSpace: 'display-p3' }) as OffscreenCanvasRenderingContext2D
  context.fillStyle = 'color(display-p3 0 1 0 / 0.5)'
  context.fillRect(0, 0, 64, 48)
  return canvas.convertToBlob({ type: 'image/webp', quality: 1 })
}

/** 16 × 16 half transparent green pixels in Display P3, made by sharp. */
const halfTransparentAvif =
  'AAAAHGZ0eXBhdmlmAAAAAG1pZjFhdmlmbWlhZgAAA01tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAADRpbG9jAAAAAERAAAIAAQAAAAADcQABAAAAAAAAACIAAgAAAAADkwABAAAAAAAAAA4AAAA4aWluZgAAAAAAAgAAABVpbmZlAgAAAAABAABhdjAxAAAAABVpbmZlAgAAAAACAABhdjAxAAAAAA5waXRtAAAAAAABAAACjGlwcnAAAAJmaXBjbwAAAAxhdjFDgSACAAAAAdxjb2xycklDQwAAAdAAAAAABDAAAG1udHJSR0IgWFlaIAfQAAEAAQAAAAAAAGFjc3AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAD21gABAAAAANMtAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACWRlc2MAAADwAAAAPGNwcnQAAAEsAAAAInd0cHQAAAFQAAAAFHJYWVoAAAFkAAAAFGdYWVoAAAF4AAAAFGJYWVoAAAGMAAAAFHJUUkMAAAGgAAAAEGdUUkMAAAGwAAAAEGJUUkMAAAHAAAAAEG1sdWMAAAAAAAAAAQAAAAxlblVTAAAAIAAAABwAQQBzACAAdABoAGUAIABmAGkAbABlACAAcwBhAHkAc21sdWMAAAAAAAAAAQAAAAxlblVTAAAABgAAABwAQwBDADAAAFhZWiAAAAAAAAD21gABAAAAANMtWFlaIAAAAAAAAIPfAAA9v////7tYWVogAAAAAAAASr8AALE3AAAKuVhZWiAAAAAAAAAoOAAAEQsAAMi5cGFyYQAAAAAAAAAAAAIzM3BhcmEAAAAAAAAAAAACMzNwYXJhAAAAAAAAAAAAAjMzAAAAFGlzcGUAAAAAAAAAEAAAABAAAAAQcGl4aQAAAAADCAgIAAAADGF2MUOBABwAAAAADnBpeGkAAAAAAQgAAAA4YXV4QwAAAAB1cm46bXBlZzptcGVnQjpjaWNwOnN5c3RlbXM6YXV4aWxpYXJ5OmFscGhhAAAAAB5pcG1hAAAAAAAAAAIAAQSBAgMEAAIEhQMGhwAAABppcmVmAAAAAAAAAA5hdXhsAAIAAQABAAAAOG1kYXQSAAoIOAz/2EBDQAgyFBAAAAAUt4lpHbgVKrmSRTnqHnymEgAKBRgM/9hUMgMQABM='
const createHalfTransparentAvif = async () =>
  new Blob([Uint8Array.from(atob(halfTransparentAvif), (character) => character.charCodeAt(0))])

for (const [type, create] of [
  ['webp', createHalfTransparentWebp],
  ['avif', createHalfTransparentAvif],
] as const)
  test(`a half transparent *.${type} in Display P3 is converted to the colour that the browser shows on white`, async () => {
    const photo = new File([await create()], `foto.${type}`)
    const shown = await colorOnWhite(photo)
    const { uploads } = await openPostForm()
    await uploadPhotos(1, photo)
    const { color } = await decodeUpload(uploads.sent()[0]?.file as File)
    const differences = color.map((value, channel) => Math.abs(value - (shown[channel] ?? -255)))
    expect(Math.max(...differences), `${color} instead of ${shown}`).toBeLessThanOrEqual(3)
  })

/** 16 × 16 transparent pixels, made by sharp. */
const transparentAvif =
  'AAAAHGZ0eXBhdmlmAAAAAG1pZjFhdmlmbWlhZgAAAXBtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAADRpbG9jAAAAAERAAAIAAQAAAAABlAABAAAAAAAAAB4AAgAAAAABsgABAAAAAAAAABUAAAA4aWluZgAAAAAAAgAAABVpbmZlAgAAAAABAABhdjAxAAAAABVpbmZlAgAAAAACAABhdjAxAAAAAA5waXRtAAAAAAABAAAAr2lwcnAAAACKaXBjbwAAAAxhdjFDgSACAAAAABRpc3BlAAAAAAAAABAAAAAQAAAAEHBpeGkAAAAAAwgICAAAAAxhdjFDgQAcAAAAAA5waXhpAAAAAAEIAAAAOGF1eEMAAAAAdXJuOm1wZWc6bXBlZ0I6Y2ljcDpzeXN0ZW1zOmF1eGlsaWFyeTphbHBoYQAAAAAdaXBtYQAAAAAAAAACAAEDgQIDAAIEhAIFhgAAABppcmVmAAAAAAAAAA5hdXhsAAIAAQABAAAAO21kYXQSAAoIOAz/2kBDQaQyEBlCYwTAADQAAHWGTdrmUp8SAAoFGAz/2FQyChgAAAEAAf1q4nA='

test('an AVIF is converted to a JPEG on the device, with white in place of transparency', async () => {
  const { uploads } = await openPostForm()
  const bytes = Uint8Array.from(atob(transparentAvif), (character) => character.charCodeAt(0))
  await uploadPhotos(1, new File([bytes], 'photo.avif', { type: 'image/avif' }))
  const [sent] = uploads.sent()
  expect([sent?.file.name, sent?.file.type]).toEqual(['photo.jpg', 'image/jpeg'])
  expect(await decodeUpload(sent?.file as File)).toEqual({ width: 16, height: 16, color: [255, 255, 255] })
})

/** 16 × 16 pixels of dark violet, with black ink and without a profile, made by sharp. */
const cmykJpeg =
  '/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwADAgIDAgIDAwMDBAMDBAUIBQUEBAUKBwcGCAwKDAwLCgsLDQ4SEA0OEQ4LCxAWEBETFBUVFQwPFxgWFBgSFBUU/8AAFAgAEAAQBEMRAE0RAFkRAEsRAP/EABYAAQEBAAAAAAAAAAAAAAAAAAAJBv/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAOBEMATQBZAEsAAD8AmUmEpg3AAAAD/9k='

test('a CMYK JPEG becomes RGB on the device, in the colour that the browser shows', async () => {
  const bytes = Uint8Array.from(atob(cmykJpeg), (character) => character.charCodeAt(0))
  const photo = new File([bytes], 'foto.jpg', { type: 'image/jpeg' })
  expect(readImageHeader(bytes)?.isCmyk).toBe(true)
  const shown = await colorOnWhite(photo)
  const { uploads } = await openPostForm()
  await uploadPhotos(1, photo)
  const sent = uploads.sent()[0]?.file as File
  const header = readImageHeader(new Uint8Array(await sent.arrayBuffer()))
  expect(header).toEqual({ width: 16, height: 16, isCmyk: false })
  const { color } = await decodeUpload(sent)
  const differences = color.map((value, channel) => Math.abs(value - (shown[channel] ?? -255)))
  expect(Math.max(...differences), `${color} instead of ${shown}`).toBeLessThanOrEqual(3)
})

test('the first frame of an animated WebP is sent, and a toast says so', async () => {
  const { uploads } = await openPostForm()
  await uploadPhotos(1, await createAnimatedWebp())
  await expect.element(toasts).toMatchTextContent('This image is animated. Only its first frame is used.')
  const { color } = await decodeUpload(uploads.sent()[0]?.file as File)
  expect(color[2]).toBeGreaterThan(240)
  expect(color[0]).toBeLessThan(15)
})

for (const [type, extension] of [
  ['image/jpeg', '.jpg'],
  ['image/png', '.png'],
] as const)
  test(`a *${extension} panorama with too many pixels is scaled down on the device, and a toast gives its original size`, async () => {
    const { uploads } = await openPostForm()
    await uploadPhotos(1, await createPicture({ type, width: 15_000, height: 150 }))
    await expect.element(toasts).toMatchTextContent('This photo has 15,000 × 150 pixels, more than allowed.')
    const [sent] = uploads.sent()
    expect([sent?.file.name, sent?.file.type]).toEqual([`photo${extension}`, type])
    expect(await decodeUpload(sent?.file as File)).toMatchObject({ width: 12_000, height: 120 })
  })

test('a photo within the limits is sent unchanged', async () => {
  const { uploads } = await openPostForm()
  const fitting = await createPicture({ width: 12_000, height: 100 })
  await uploadPhotos(1, fitting)
  expect(uploads.sent()[0]?.file.size).toBe(fitting.size)
  await expect.element(toasts.getByRole('listitem')).not.toBeInTheDocument()
})

for (const [name, type] of [
  ['sol.svg', 'image/svg+xml'],
  ['sol.gif', 'image/gif'],
  ['sol.pdf', 'application/pdf'],
] as const)
  test(`UPL-05 UPL-06 UPL-12 HEIC-02 the form refuses ${name} and names the accepted formats`, async () => {
    await openPostForm()
    dropFiles(area(), textFile(name, type))
    await expect.element(main.getByText(wrongType)).toBeVisible()
    await expect.element(preview).not.toBeInTheDocument()
    await expect
      .element(choose)
      .toHaveAccessibleDescription(`Choose a photo saved as JPEG or PNG. ${wrongType}`)
  })

test('UPL-05 UPL-06 a text file named as a picture is not sent, and the photo chosen before stays', async () => {
  await openPostForm()
  const text = textFile('compra.png', 'image/png')
  chooseFiles(photoInput, text)
  await expect.element(main.getByText(wrongType)).toBeVisible()
  await expect.element(choose).toBeVisible()
  await uploadPhotos(1, await picture())
  await expect.element(main.getByText(wrongType)).not.toBeInTheDocument()
  dropFiles(area(), text)
  await expect.element(main.getByText(wrongType)).toBeVisible()
  await expect.element(preview).toBeVisible()
  await expect.poll(() => api.callsOf(uploadFileOperation)).toHaveLength(1)
})

test('UPL-07 UPL-12 dropping two photos on a chosen photo is refused, and the chosen photo stays', async () => {
  await openPostForm()
  dropFiles(area(), await picture())
  await expect.element(preview).toBeVisible()
  dropFiles(area(), await picture(), await picture())
  await expect.element(main.getByText('Too many files', { exact: true })).toBeVisible()
  await expect.element(replace).toHaveAccessibleDescription('Choose one photo at a time. Too many files')
  await expect.element(preview).toBeVisible()
})

test('PCRE-09 UPL-06 the error of a refused file stays when ana submits without another file', async () => {
  await openPostForm()
  await fillPost()
  chooseFiles(photoInput, textFile('rota.jpg', 'image/jpeg'))
  await expect.element(main.getByText(wrongType)).toBeVisible()
  await createButton.click()
  await expect.element(choose).toHaveFocus()
  await expect
    .element(choose)
    .toHaveAccessibleDescription(`Choose a photo saved as JPEG or PNG. ${wrongType}`)
  await expect.element(main.getByText('Required', { exact: true })).not.toBeInTheDocument()
  await caption.fill('Otra tarde')
  await expect.element(main.getByText(wrongType)).toBeVisible()
  await choosePhotos(await picture())
  await expect.element(main.getByText(wrongType)).not.toBeInTheDocument()
  await createButton.click()
  await expect.poll(pathname).toBe('/')
  await expect.poll(() => api.callsOf(createPostOperation)).toHaveLength(1)
})

test('UPL-06 on a phone the error of a refused file scrolls into view immediately and at every submit', async () => {
  await openPostForm({ size: phone })
  await fillPost()
  scrollTo(0, 0)
  const reason = main.getByText(wrongType)
  const isUncovered = () => {
    const { left, bottom } = reason.element().getBoundingClientRect()
    return reason.element().contains(document.elementFromPoint(left + 4, bottom - 4))
  }
  chooseFiles(photoInput, textFile('rota.jpg', 'image/jpeg'))
  await expect.element(reason).toBeVisible()
  await expect.poll(isUncovered).toBe(true)
  scrollTo(0, 0)
  await createButton.click()
  await expect.poll(isUncovered).toBe(true)
})

test('UPL-05 a picture that the browser cannot decode is listed by its file name, and the form shows why the server refuses it', async () => {
  await openPostForm()
  api.refuse(uploadFileOperation, 'storage_file_damaged', { field: 'file' })
  await fillPost()
  const head = (await picture()).slice(0, 8)
  chooseFiles(photoInput, new File([head, 'y nada más'], 'rota.png', { type: 'image/png' }))
  await expect.element(main.getByText('Picture couldn’t be loaded')).toBeVisible()
  await expect.element(main.getByText('rota.png')).toBeVisible()
  await expect.element(preview).not.toBeInTheDocument()
  await createButton.click()
  await expect.element(main.getByText(/^The picture could not be read/)).toBeVisible()
  expect(api.callsOf(createPostOperation)).toEqual([])
})

test('UPL-11 PCRE-18 the upload starts when ana chooses a photo; Create Post sends only the post', async () => {
  const { uploads } = await openPostForm()
  const upload = api.hold(uploadFileOperation)
  await uploadPhotos(1, await picture())
  await expect.element(main.getByText('Preparing your photo…')).toBeVisible()
  upload.release()
  await expect.element(main.getByText('Preparing your photo…')).not.toBeInTheDocument()
  await fillPost()
  await createButton.click()
  await expect.poll(pathname).toBe('/')
  await expect.poll(() => uploads.sent()).toHaveLength(1)
  await expect
    .poll(() => api.callsOf(createPostOperation)[0]?.photos?.map(({ imageId }) => imageId))
    .toEqual(uploads.ids())
})

test('UPL-11 Create Post waits for a photo that is still being checked', async () => {
  const { uploads } = await openPostForm()
  await fillPost()
  const photo = await picture()
  const reading = Promise.withResolvers<void>()
  const read = Blob.prototype.arrayBuffer
  vi.spyOn(Blob.prototype, 'arrayBuffer').mockImplementation(async function (this: Blob) {
    await reading.promise
    return read.call(this)
  })
  chooseFiles(photoInput, photo)
  await createButton.click()
  expect(api.callsOf(createPostOperation)).toEqual([])
  reading.resolve()
  await expect.poll(pathname).toBe('/')
  await expect
    .poll(() => api.callsOf(createPostOperation)[0]?.photos?.map(({ imageId }) => imageId))
    .toEqual(uploads.ids())
})

test('UPL-11 PCRE-18 replacing a photo or discarding the form deletes its upload from the server', async () => {
  const { uploads } = await openPostForm()
  await uploadPhotos(1, await picture())
  await expect.poll(() => uploads.ids().length).toBe(1)
  await uploadPhotos(2, await createPicture())
  await expect.poll(() => uploads.deleted).toEqual(uploads.ids().slice(0, 1))
  await expect.poll(() => uploads.ids().length).toBe(2)
  await main.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard', exact: true }).click()
  await expect.poll(() => uploads.deleted).toEqual(uploads.ids())
})

test('UPL-10 a file of exactly one chunk is sent in one plain request', async () => {
  const { uploads } = await openPostForm()
  await fillPost()
  await choosePhotos(await picture(uploadChunkBytes))
  await createButton.click()
  await expect.poll(pathname).toBe('/')
  expect(uploads.sent().map(({ contentRange, file }) => [contentRange, file.size])).toEqual([
    [null, uploadChunkBytes],
  ])
})

for (const { what, saves } of [
  { what: 'network', saves: false },
  { what: 'network', saves: true },
  { what: 500, saves: true },
] as const)
  test(`UPL-10 PCRE-19 an upload interrupted by ${what} ${saves ? 'during' : 'before'} the save resumes at the missing chunk`, async () => {
    const { uploads } = await openPostForm()
    await fillPost()
    const refused = Promise.withResolvers<void>()
    api.answer(uploadChunkOperation, async () => {
      await refused.promise
      if (what === 'network') throw new TypeError('Failed to fetch')
      return refusal('general_unknown')
    })
    if (saves) {
      await choosePhotos(await largePicture())
      await createButton.click()
    } else await uploadPhotos(1, await largePicture())
    await expect.poll(() => api.callsOf(uploadChunkOperation).length).toBe(1)
    refused.resolve()
    await expect.element(main.getByText(/^Stopped at \d+%$/)).toBeVisible()
    if (saves) await expect.element(toasts.getByText(brokenPost)).toBeVisible()
    else await expect.element(toasts.getByText(brokenPost)).not.toBeInTheDocument()
    api.answer(uploadChunkOperation, uploads.storeChunk)
    await main.getByRole('button', { name: 'Resume' }).click()
    if (!saves) {
      await expect.element(replace).toBeVisible()
      await createButton.click()
    }
    await expect.poll(pathname).toBe('/')
    expect(uploads.sent().map(({ contentRange, fileId }) => [contentRange, fileId])).toEqual([
      ['bytes 0-5242879/12000000', undefined],
      ['bytes 5242880-10485759/12000000', uploads.ids()[0]],
      ['bytes 5242880-10485759/12000000', uploads.ids()[0]],
      ['bytes 10485760-11999999/12000000', uploads.ids()[0]],
    ])
    await expect
      .poll(() => api.callsOf(createPostOperation)[0]?.photos?.map(({ imageId }) => imageId))
      .toEqual(uploads.ids())
  })

test('UPL-10 cancelling an upload keeps the form and deletes the uploaded part', async () => {
  const { uploads } = await openPostForm()
  await fillPost()
  const chunk = api.hold(uploadChunkOperation)
  await uploadPhotos(1, await largePicture())
  await expect.element(main.getByRole('progressbar', { name: 'Photo upload' })).toBeVisible()
  await expect.element(main.getByText(/^Uploading… [1-9]\d?%$/)).toBeVisible()
  await chunk.arrived
  const [stop] = [...area().querySelectorAll('button')].filter(({ textContent }) => textContent === 'Cancel')
  stop?.click()
  chunk.release()
  await expect.element(replace).toBeVisible()
  await expect.element(createButton).toBeEnabled()
  await expect.element(caption).toHaveValue('Una tarde')
  await expect.poll(() => api.callsOf(deleteFileOperation)).toEqual([{ fileId: uploads.ids()[0] }])
  expect(api.callsOf(createPostOperation)).toEqual([])
})
