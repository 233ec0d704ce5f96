import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { OperationInput } from '#contract/operation.ts'
import { updateProfileOperation } from '#contract/people/people.ts'
import { refusal } from '#tests/support/component/fake-api.ts'
import { makeProfile } from '#tests/support/component/fixtures.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'
import { ana, answerPeople, dialog, main, title, toasts } from '#tests/support/component/people.ts'
import { chooseFiles } from '#tests/support/component/pictures.ts'
import { keepUploads } from '#tests/support/component/post-form.ts'
import { profileFormSchema } from './profile-form-schema.ts'

const field = (name: string) => main.getByLabelText(name, { exact: true })
const update = main.getByRole('button', { name: 'Update Profile' })
const failed = 'Update user failed. Please try again.'
const path = `/update-profile/${ana.$id}`
const profilePath = `/profile/${ana.$id}`

async function openForm() {
  const known = answerPeople([])
  const uploads = keepUploads()
  const keepProfile = ({
    name = ana.name,
    bio = ana.bio,
    imageId = null,
  }: OperationInput<typeof updateProfileOperation>) => {
    const saved = { ...ana, name, bio, imageId }
    known.set(ana.$id, saved)
    return saved
  }
  api.answer(updateProfileOperation, keepProfile)
  await openApp(path, { me: { ...ana, email: 'ana@juntas.test' } })
  await expect.element(update).toBeVisible()
  return { uploads }
}

test('the form has an input for every text field of its schema', async () => {
  await openForm()
  const { photo: _, username: __, email: ___, ...typed } = profileFormSchema.shape
  for (const name of Object.keys(typed))
    expect(main.element().querySelector(`[name="${name}"]`), name).not.toBeNull()
})

test('PUPD-02 PUPD-04 SET-09 username and email are shown and cannot be changed', async () => {
  await openForm()
  for (const [name, value] of [
    ['Username', 'ana'],
    ['Email', 'ana@juntas.test'],
  ] as const) {
    await expect.element(field(name)).toBeDisabled()
    await expect.element(field(name)).toHaveValue(value)
  }
  await expect.element(update).toBeEnabled()
})

test('PUPD-01 PUPD-05 a new name and bio appear on ana’s profile and in the sidebar', async () => {
  await openForm()
  await field('Name').fill('Ana Sol')
  await field('Bio').fill('Barro y mar')
  await update.click()
  await expect.element(title).toHaveTextContent('Ana Sol')
  expect(location.pathname).toBe(profilePath)
  await expect.element(main.getByText('Barro y mar')).toBeVisible()
  await expect.element(page.getByRole('complementary', { name: 'Sidebar' })).toMatchTextContent('Ana Sol')
})

async function createMarkedPicture(): Promise<File> {
  const canvas = new OffscreenCanvas(1200, 900)
  const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D
  context.fillStyle = '#f4f0ea'
  context.fillRect(0, 0, 1200, 900)
  context.fillStyle = '#d02020'
  context.fillRect(0, 0, 80, 80)
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.95 })
  return new File([blob], 'foto.jpg', { type: 'image/jpeg' })
}

async function readPicture(file: Blob) {
  const bitmap = await createImageBitmap(file)
  const { width, height } = bitmap
  const context = new OffscreenCanvas(width, height).getContext('2d') as OffscreenCanvasRenderingContext2D
  context.drawImage(bitmap, 0, 0)
  const { data } = context.getImageData(0, 0, width, height)
  let red = 0
  for (let at = 0; at < data.length; at += 4)
    if ((data[at] ?? 0) > 150 && (data[at + 1] ?? 0) < 90 && (data[at + 2] ?? 0) < 90) red += 1
  return { width, height, red }
}

test('PUPD-11 ana crops a profile photo to a square by keyboard before it is uploaded', async () => {
  const { uploads } = await openForm()
  const change = main.getByRole('button', { name: 'Change profile photo' })
  const input = page.elementLocator(document.querySelector('main input[type=file]') as Element)
  const crop = dialog('Crop your profile photo')
  const frame = crop.getByRole('application', { name: /^Frame\./ })
  const marked = await createMarkedPicture()
  expect((await readPicture(marked)).red).toBeGreaterThan(6000)

  ;(change.element() as HTMLElement).focus()
  chooseFiles(input, marked)
  await expect.element(frame).toHaveFocus()
  await expect.element(crop.getByRole('group', { name: 'Shape' })).not.toBeInTheDocument()
  const { width, height } = frame.element().getBoundingClientRect()
  expect(width).toBeCloseTo(height, 0)
  expect(getComputedStyle(frame.element()).borderRadius).toBe('50%')
  await userEvent.keyboard('{Escape}')
  await expect.element(crop).not.toBeInTheDocument()
  await expect.element(change).toHaveFocus()
  expect(uploads.sent()).toEqual([])

  chooseFiles(input, marked)
  await expect.element(frame).toHaveFocus()
  await userEvent.keyboard('{ArrowLeft>40/}')
  ;(crop.getByRole('button', { name: 'Done' }).element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(crop).not.toBeInTheDocument()
  await expect.poll(() => uploads.sent().length).toBe(1)
  const [sent] = uploads.sent()
  expect(await readPicture(sent?.file as File)).toEqual({ width: 900, height: 900, red: 0 })

  await main.getByRole('button', { name: 'Crop', exact: true }).click()
  await expect.element(frame).toHaveFocus()
  await crop.getByRole('button', { name: 'Cancel' }).click()
  await update.click()
  await expect.poll(() => location.pathname).toBe(profilePath)
  await expect.poll(() => uploads.sent()).toHaveLength(1)
  await expect.poll(() => api.callsOf(updateProfileOperation)).toMatchObject([{ imageId: uploads.ids()[0] }])
})

test('PUPD-08 a name of one letter is refused at its field', async () => {
  await openForm()
  await field('Name').fill('A')
  await update.click()
  await expect.element(main.getByText('Name must be at least 2 characters.')).toBeVisible()
  expect(api.callsOf(updateProfileOperation)).toEqual([])
})

test('PUPD-03 Cancel returns to the previous page', async () => {
  answerPeople([])
  await openApp(profilePath, { me: ana })
  await main.getByRole('link', { name: 'Edit Profile' }).click()
  await field('Name').fill('Otra')
  await main.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => location.pathname).toBe(profilePath)
  await expect.element(title).toHaveTextContent('Ana Ruiz')
})

test('PUPD-06 a failed update shows a toast, and the form keeps its contents', async () => {
  await openForm()
  await field('Bio').fill('Se queda aquí')
  api.refuse(updateProfileOperation, 500)
  await update.click()
  await expect.element(toasts).toMatchTextContent(failed)
  expect(location.pathname).toBe(path)
  await expect.element(field('Bio')).toHaveValue('Se queda aquí')
})

test('PUPD-06 a name that resembles the team’s is refused at its field, in the language of the page', async () => {
  await openForm()
  api.answer(updateProfileOperation, () => refusal('user_name_reserved', { field: 'name' }))
  await field('Name').fill('AdminAna')
  await update.click()
  await expect
    .element(field('Name'))
    .toHaveAccessibleDescription('This name looks like the Juntas team’s. Choose another.')
  await expect.element(field('Name')).toHaveFocus()
  await expect.element(toasts).toMatchTextContent(failed)
  expect(toasts.element().querySelector('svg.lucide-circle-alert')).toBeNull()
})

test('PUPD-05 pressing the button twice at once saves once', async () => {
  await openForm()
  await field('Bio').fill('Barro y mar')
  const button = update.element() as HTMLElement
  button.click()
  button.click()
  await expect.poll(() => location.pathname).toBe(profilePath)
  await expect
    .poll(() => api.callsOf(updateProfileOperation))
    .toMatchObject([{ personId: ana.$id, bio: 'Barro y mar' }])
})

test('PUPD-12 the URL of bea’s profile form redirects ana to bea’s profile', async () => {
  const bea = makeProfile()
  answerPeople([bea])
  await openApp(`/update-profile/${bea.$id}`, { me: ana })
  await expect.element(title).toHaveTextContent('Bea')
  expect(location.pathname).toBe(`/profile/${bea.$id}`)
})
