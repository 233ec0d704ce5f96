import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { dragMouse, turnWheel } from '#tests/support/component/mouse.ts'
import { phone } from '#tests/support/component/open-app.tsx'
import {
  chooseFiles,
  colorAt,
  countRedPixels,
  createMarkedPicture,
  sha256,
  sizeOf,
} from '#tests/support/component/pictures.ts'
import {
  createButton,
  fillPost,
  type keepUploads,
  openPostForm,
  pathname,
  photoInput,
  uploadPhotos,
} from '#tests/support/component/post-form.ts'
import { emulateTouchScreen, middleOf, moveFingers } from '#tests/support/component/touch.ts'

const main = page.getByRole('main')
const dialog = page.getByRole('dialog', { name: /^Crop photo \d+$/ })
const frame = dialog.getByRole('application', { name: /^Frame\./ })
const button = (name: string) => dialog.getByRole('button', { name, exact: true })
const shape = (name: string) => dialog.getByRole('radio', { name, exact: true })
const tile = (at: number) => main.getByRole('button', { name: new RegExp(`^Photo ${at}, `) })
const zoom = () => Number((dialog.getByRole('slider', { name: 'Zoom' }).element() as HTMLInputElement).value)
const place = () => (dialog.element().querySelector('.crop-area img') as HTMLElement).style.transform
const middle = () => middleOf(frame.element())
type Uploads = ReturnType<typeof keepUploads>
const photosOf = ({ sent }: Uploads) => sent().map(({ file }) => file)

async function openCrop(at = 1) {
  await tile(at).click()
  await main.getByRole('button', { name: `Crop photo ${at}`, exact: true }).click()
  await expect.element(frame).toHaveFocus()
}

async function chooseShape(name: string) {
  await shape(name).click()
  await expect.element(frame).toHaveFocus()
}

async function confirmCrop() {
  await button('Done').click()
  await expect.element(dialog).not.toBeInTheDocument()
}

async function publish() {
  await fillPost('Recortada')
  await createButton.click()
  await expect.poll(pathname).toBe('/')
}

async function openWithPhotos(...files: File[]) {
  const opened = await openPostForm()
  chooseFiles(photoInput, ...files)
  await expect.element(tile(files.length)).toBeVisible()
  return opened
}

test('CROP-01 ana moves and zooms a photo under its crop frame by mouse, wheel and keys', async () => {
  await openWithPhotos(await createMarkedPicture(), await createMarkedPicture())
  await openCrop(2)
  expect(zoom()).toBe(1)
  await userEvent.keyboard('+')
  await expect.poll(zoom).toBeCloseTo(1.1, 2)
  await userEvent.keyboard('-')
  await expect.poll(zoom).toBe(1)
  const { x, y } = middle()
  await turnWheel({ x, y }, -200)
  await expect.poll(zoom).toBeGreaterThan(1.5)
  const before = place()
  await dragMouse({ x, y }, { x: x + 60, y: y + 30 })
  await expect.poll(place).not.toBe(before)
  const dragged = place()
  ;(frame.element() as HTMLElement).focus()
  await userEvent.keyboard('{ArrowLeft}')
  await expect.poll(place).not.toBe(dragged)
  await dragMouse({ x, y }, { x: 5, y })
  await expect.element(dialog).toBeVisible()
})

test('CROP-01 a photo that is still being drawn shows a loading indicator', async () => {
  const { toBlob } = HTMLCanvasElement.prototype
  const picture = await createMarkedPicture()
  let draw = () => {}
  HTMLCanvasElement.prototype.toBlob = function (...given) {
    draw = () => toBlob.apply(this, given)
  }
  await openWithPhotos(picture)
  await main.getByRole('button', { name: 'Crop photo 1' }).click()
  const sign = dialog.getByRole('status', { name: 'Loading photo' })
  await expect.element(button('Done')).toBeVisible()
  await expect.element(sign).toBeVisible()
  HTMLCanvasElement.prototype.toBlob = toBlob
  draw()
  await expect.element(frame).toBeVisible()
  await expect.element(sign).not.toBeInTheDocument()
})

test('CROP-01 on a phone one finger moves the photo and two fingers zoom it', async () => {
  await emulateTouchScreen()
  await openPostForm({ size: phone })
  chooseFiles(photoInput, await createMarkedPicture())
  await expect.element(tile(1)).toBeVisible()
  await openCrop()
  const { x, y } = middle()
  await moveFingers([
    { from: { x: x - 20, y }, to: { x: x - 60, y } },
    { from: { x: x + 20, y }, to: { x: x + 60, y } },
  ])
  await expect.poll(zoom).toBeGreaterThan(1.5)
  const before = place()
  await moveFingers([{ from: { x, y }, to: { x: x + 48, y } }])
  await expect.poll(place).not.toBe(before)
  expect(document.documentElement.scrollWidth).toBe(document.documentElement.clientWidth)
})

test('CROP-02 each shape crops to its ratio, and a photo can be turned left and right', async () => {
  const picture = await createMarkedPicture()
  const { uploads } = await openWithPhotos(...Array.from({ length: 7 }, () => picture))
  const crop = async (at: number, does: () => Promise<unknown>) => {
    await openCrop(at)
    await does()
    await expect.element(frame).toBeVisible()
    await confirmCrop()
  }
  await crop(1, () => chooseShape('1:1'))
  await crop(2, () => chooseShape('4:5'))
  await crop(3, () => chooseShape('16:9'))
  await crop(4, async () => {
    await userEvent.keyboard('+++')
    await expect.poll(zoom).toBeGreaterThan(1.3)
  })
  await crop(5, () => button('Turn left').click())
  await crop(6, async () => {
    await button('Turn right').click()
    await expect.element(dialog.getByText('Turned right')).toBeInTheDocument()
    await chooseShape('16:9')
  })
  let box = { width: 0, height: 0 }
  await crop(7, async () => {
    await chooseShape('Free')
    for (let times = 0; times < 5; times += 1) await userEvent.keyboard('{Shift>}{ArrowLeft}{/Shift}')
    await userEvent.keyboard('{Shift>}{ArrowDown}{/Shift}')
    const before = frame.element().getBoundingClientRect()
    const corner = dialog.element().querySelector('[data-corner="bottom right"]') as HTMLElement
    const { x, y } = middle()
    await dragMouse(middleOf(corner), { x: x + before.width / 2, y: y + 90 })
    await expect.poll(() => frame.element().getBoundingClientRect().height).toBeCloseTo(180, 0)
    box = frame.element().getBoundingClientRect()
  })
  await publish()
  const files = photosOf(uploads)
  const sizes = await Promise.all(files.map(sizeOf))
  expect(sizes.slice(0, 3)).toEqual([
    [900, 900],
    [720, 900],
    [1200, 675],
  ])
  const [, , , original = [0, 0], left, right = [0, 0], free = [0, 1]] = sizes
  expect(Math.abs(original[0] - (original[1] * 4) / 3)).toBeLessThanOrEqual(1)
  expect(original[0]).toBeLessThan(950)
  expect(left).toEqual([900, 1200])
  expect(right[0]).toBe(900)
  expect(Math.abs(right[0] - (right[1] * 16) / 9)).toBeLessThanOrEqual(1)
  const ratio = box.width / box.height
  // One screen pixel is about four of the photo.
  expect(free[0] / free[1]).toBeCloseTo(ratio, 1)
  expect(ratio).toBeGreaterThan(1.5)
  expect(await colorAt(files[4] as File, 0.02, 0.98)).toBe('red')
  expect(await colorAt(files[4] as File, 0.2, 0.1)).toBe('blue')
})

test('CROP-03 the crop frame reopens as ana left it, and Reset restores the whole photo', async () => {
  const picture = await createMarkedPicture()
  const { uploads } = await openWithPhotos(picture)
  await openCrop()
  await button('Turn right').click()
  await expect.element(dialog.getByText('Turned right')).toBeInTheDocument()
  await chooseShape('4:5')
  for (const key of ['+', '+', '+', '+', '{ArrowLeft}', '{ArrowLeft}', '{ArrowUp}']) {
    ;(frame.element() as HTMLElement).focus()
    await userEvent.keyboard(key)
  }
  await expect.poll(zoom).toBeGreaterThan(1.4)
  const left = { zoom: zoom(), place: place() }
  await confirmCrop()
  await openCrop()
  await expect.element(shape('4:5')).toBeChecked()
  expect(zoom()).toBeCloseTo(left.zoom, 1)
  const numbers = (transform: string) => (transform.match(/-?[\d.]+(?=px)/g) ?? []).map(Number)
  const [x = 0, y = 0] = numbers(place())
  const [wasX = 0, wasY = 0] = numbers(left.place)
  expect(Math.abs(x - wasX)).toBeLessThan(2)
  expect(Math.abs(y - wasY)).toBeLessThan(2)
  await button('Reset').click()
  await expect.poll(zoom).toBe(1)
  await confirmCrop()
  await publish()
  expect(await sha256(photosOf(uploads).at(-1) as File)).toBe(await sha256(picture))
})

test('CROP-04 the parts that ana crops away are never sent', async () => {
  const picture = await createMarkedPicture()
  const { uploads } = await openWithPhotos(picture)
  await openCrop()
  await expect.element(dialog.getByText('What you cut away never leaves your device.')).toBeVisible()
  await chooseShape('1:1')
  await confirmCrop()
  expect(uploads.sent()).toEqual([])
  await publish()
  const [sent, ...more] = photosOf(uploads)
  expect(more).toEqual([])
  expect(await sizeOf(sent as File)).toEqual([900, 900])
  expect(await countRedPixels(picture)).toBeGreaterThan(5000)
  expect(await countRedPixels(sent as File)).toBe(0)
})

test('CROP-04 cropping a photo deletes the copy that was already uploaded', async () => {
  const { uploads } = await openPostForm()
  await uploadPhotos(1, await createMarkedPicture())
  await expect.poll(() => uploads.ids().length).toBe(1)
  await openCrop()
  await expect
    .element(
      dialog.getByText('This photo is already uploaded. The uploaded copy is deleted when you press Done.'),
    )
    .toBeVisible()
  await chooseShape('1:1')
  await confirmCrop()
  await expect.poll(() => uploads.deleted).toEqual(uploads.ids().slice(0, 1))
})

test('CROP-05 a photo that ana opens in the crop dialog and does not change is uploaded byte for byte', async () => {
  const picture = await createMarkedPicture()
  const { uploads } = await openWithPhotos(picture)
  await openCrop()
  await confirmCrop()
  await publish()
  expect(await Promise.all(photosOf(uploads).map(sha256))).toEqual([await sha256(picture)])
})
