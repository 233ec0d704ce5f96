import type { Post } from '#contract/posts/posts.ts'
import { createPng } from '#scripts/harness/image-fixtures.ts'
import { readDemoPictureJpeg } from '#scripts/seed/create-demo-data.ts'
import type { JourneyMemberWithPage } from '#tests/journeys/fixtures.ts'
import {
  defineScreenStateScreenshots,
  expect,
  findDemoDocument,
  takeResponsiveScreenshots,
  test,
} from './screenshot-fixtures.ts'

const postOf = (me: JourneyMemberWithPage, word: string) =>
  findDemoDocument<Post>(me, '/v1/feed', ({ caption }) => caption.includes(word))
const sea = async (me: JourneyMemberWithPage) => `/posts/${(await postOf(me, 'El mar a las siete')).$id}`

defineScreenStateScreenshots({ name: 'post', by: 'lucia.ferrer', address: sea, asks: /posts/ })

test("a post of the viewer's own", async ({ neighbour }) => {
  const me = await neighbour('lucia.ferrer')
  const { page } = me
  await page.goto(await sea(me), { waitUntil: 'networkidle' })
  await takeResponsiveScreenshots(page, 'post', 'own')
  await page.getByRole('button', { name: 'Delete post' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await takeResponsiveScreenshots(page, 'post', 'delete')
})

test('a post of another member', async ({ neighbour }) => {
  const me = await neighbour('lucia.ferrer')
  const { page } = me
  await page.goto(`/posts/${(await postOf(me, 'Salió del horno')).$id}`, { waitUntil: 'networkidle' })
  await takeResponsiveScreenshots(page, 'post', 'group')
  await page.goto(`/posts/${(await postOf(me, 'Puerta azul')).$id}`, { waitUntil: 'networkidle' })
  await takeResponsiveScreenshots(page, 'post', 'other', { whole: true })
})

test('sharing a post into conversations', async ({ neighbour }) => {
  const me = await neighbour('lucia.ferrer')
  const { page } = me
  await page.goto(`/posts/${(await postOf(me, 'Salió del horno')).$id}`, { waitUntil: 'networkidle' })
  await page.getByRole('button', { name: 'Share', exact: true }).first().click()
  const targets = page.getByRole('list', { name: 'People to send it to' })
  for (const at of [0, 1]) await targets.getByRole('checkbox').nth(at).check()
  await takeResponsiveScreenshots(page, 'post', 'share')
})

test('a post with several photos, and one photo enlarged', async ({ neighbour }) => {
  const me = await neighbour('lucia.ferrer')
  const { page } = me
  const address = `/posts/${(await postOf(me, 'Limones del huerto')).$id}`
  await page.goto(address, { waitUntil: 'networkidle' })
  await takeResponsiveScreenshots(page, 'post', 'photos')
  await page.goto(`${address}?photo=2`)
  await expect(page.getByRole('dialog', { name: 'Photo 2 of 4' })).toBeVisible()
  await takeResponsiveScreenshots(page, 'post', 'photo-large')
})

test('a post that the viewer cannot see, and a post that does not exist', async ({ neighbour }) => {
  const lucia = await neighbour('lucia.ferrer')
  const { page } = await neighbour('helenaprado')
  await page.goto(`/posts/${(await postOf(lucia, 'Salió del horno')).$id}`)
  await expect(page.getByRole('main').getByText('No tienes acceso a los posts de este grupo')).toBeVisible()
  await takeResponsiveScreenshots(page, 'post', 'closed')
  await page.goto('/posts/nowhere')
  await expect(page.getByRole('main').getByText('Post not found').last()).toBeVisible()
  await takeResponsiveScreenshots(page, 'post', 'not-found')
})

test('Create Post', async ({ neighbour }) => {
  const { page } = await neighbour('lucia.ferrer')
  await page.goto('/create-post')
  await expect(page.getByLabel('Caption')).toBeVisible()
  await takeResponsiveScreenshots(page, 'create-post', 'loaded')
  await takeResponsiveScreenshots(page, 'create-post', 'whole', { whole: true })
  await page.getByRole('main').getByRole('button', { name: 'Create Post' }).click()
  await expect(page.getByLabel('Caption')).toHaveAttribute('aria-invalid', 'true')
  await takeResponsiveScreenshots(page, 'create-post', 'invalid', { whole: true })
  const boat = { name: 'boat.jpg', mimeType: 'image/jpeg', buffer: await readDemoPictureJpeg('boat') }
  await page.getByLabel('Photo', { exact: true }).setInputFiles(boat)
  await page.getByLabel('Caption').fill('a'.repeat(2100))
  await page.getByLabel('Group').selectOption({ label: 'Club de Cerámica' })
  await expect(page.getByText('Click or drag photo to replace')).toBeVisible()
  await takeResponsiveScreenshots(page, 'create-post', 'filled', { whole: true })
  await page
    .getByRole('link', { name: 'Cancel' })
    .or(page.getByRole('button', { name: 'Cancel' }))
    .click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await takeResponsiveScreenshots(page, 'create-post', 'discard')
})

test('cropping a photo in the form', async ({ neighbour }) => {
  const { page } = await neighbour('lucia.ferrer')
  await page.goto('/create-post')
  const boat = { name: 'boat.jpg', mimeType: 'image/jpeg', buffer: await readDemoPictureJpeg('boat') }
  await page.getByLabel('Photo', { exact: true }).setInputFiles(boat)
  await page.getByRole('button', { name: 'Crop photo 1' }).click()
  await page.getByRole('radio', { name: '4:5' }).check()
  await page.getByRole('slider', { name: 'Zoom' }).fill('1.4')
  await takeResponsiveScreenshots(page, 'create-post', 'crop')
  await page.getByRole('radio', { name: 'Free' }).check()
  await takeResponsiveScreenshots(page, 'create-post', 'crop-free')
})

test('Create Post with a file that is not a picture', async ({ neighbour }) => {
  const { page } = await neighbour('lucia.ferrer')
  await page.goto('/create-post')
  const text = { name: 'text.txt', mimeType: 'text/plain', buffer: Buffer.from('text') }
  await page.getByLabel('Photo', { exact: true }).setInputFiles(text)
  await expect(page.getByText(/File type must be one of/)).toBeVisible()
  await takeResponsiveScreenshots(page, 'create-post', 'wrong-file', { whole: true })
  const wide = { name: 'wide.png', mimeType: 'image/png', buffer: await createPng('#B3174F', 2000, 200) }
  await page.getByLabel('Photo', { exact: true }).setInputFiles(wide)
  await expect(page.getByText('Click or drag photo to replace')).toBeVisible()
  await takeResponsiveScreenshots(page, 'create-post', 'wide', { whole: true })
})

test('Edit Post', async ({ neighbour }) => {
  const me = await neighbour('lucia.ferrer')
  await me.page.goto((await sea(me)).replace('/posts/', '/update-post/'), { waitUntil: 'networkidle' })
  await expect(me.page.getByLabel('Caption')).not.toBeEmpty()
  await takeResponsiveScreenshots(me.page, 'edit-post', 'loaded')
})
