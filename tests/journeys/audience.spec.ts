import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { expect, type JourneyMember, test } from './fixtures.ts'
import { createGroupViaApi } from './group-steps.ts'
import { holdRequestsToUrl } from './network-steps.ts'
import {
  followMemberViaApi,
  openCreatePostForm,
  publishPostViaApi,
  toUploadFilePayload,
  uploadPhotoInForm,
} from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const audience = (page: Page) => main(page).getByRole('region', { name: 'Who will see this' })
const receipt = (page: Page) => main(page).getByRole('region', { name: 'How you shared this' })
const membersOnly = 'will see this post, its photo and its place. Nobody outside the group.'

const phonePhoto = async () =>
  toUploadFilePayload(
    await sharp({ create: { width: 320, height: 240, channels: 3, background: '#c8321e' } })
      .withExif({ IFD0: { Make: 'Telefono' }, IFD3: { GPSLatitude: '19/1 25/1 5736/100' } })
      .jpeg()
      .toBuffer(),
    'playa.jpg',
    'image/jpeg',
  )
const goPrivate = async (person: JourneyMember) => {
  const answer = await person.request.patch('/v1/me/privacy', { data: { isPrivate: true } })
  expect(answer.ok()).toBe(true)
}

test('AUD-01 AUD-02 AUD-03 AUD-04 AUD-05 the form says who will see the post, and changes with the group', async ({
  signedUp,
  member,
}) => {
  const ana = await signedUp('ana')
  const [bea, carla] = [await member('bea'), await member('carla')]
  const knit = await createGroupViaApi(ana, { name: `Tejer ${ana.username}` }, [bea, carla])
  const sew = await createGroupViaApi(ana, { name: `Coser ${ana.username}` }, [bea])
  await followMemberViaApi(carla, ana)
  const page = await openCreatePostForm(ana)

  await expect(audience(page).getByText('Everyone on Juntas', { exact: true })).toBeVisible()
  await expect(audience(page)).toContainText('Every member can see this post, its photo and its place.')
  await expect(audience(page)).toContainText(/about [\d,]+ people/)
  await expect(audience(page).getByRole('button')).toHaveCount(0)

  await page.getByLabel('Group').selectOption({ label: sew.name })
  await expect(audience(page).getByText(`1 member of ${sew.name}`, { exact: true })).toBeVisible()
  await page.getByLabel('Group').selectOption({ label: knit.name })
  await expect(audience(page).getByText(`2 members of ${knit.name}`, { exact: true })).toBeVisible()
  await expect(audience(page).getByText(membersOnly, { exact: true })).toBeVisible()
  await expect(audience(page).locator('[aria-live=polite]')).toContainText('2 members')

  await audience(page).getByRole('button', { name: 'See who' }).click()
  const dialog = page.getByRole('dialog', { name: 'Who will see this' })
  await expect(dialog.getByRole('listitem')).toHaveCount(2)
  for (const { username } of [bea, carla]) await expect(dialog.getByText(`@${username}`)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(audience(page).getByRole('button', { name: 'See who' })).toBeFocused()

  const post = await publishPostViaApi(ana, { groupId: knit.$id })
  await page.goto(`/update-post/${post.$id}`)
  await expect(audience(page).getByText(`2 members of ${knit.name}`, { exact: true })).toBeVisible()
  await goPrivate(ana)
  await page.goto('/create-post')
  await expect(audience(page).getByText('1 follower', { exact: true })).toBeVisible()
  await expect(audience(page)).toContainText(
    'Only people you approved can see this post, its photo and its place.',
  )
  await audience(page).getByRole('button', { name: 'See who' }).click()
  await expect(dialog.getByText(`@${carla.username}`)).toBeVisible()
  await expect(dialog.getByText(`@${bea.username}`)).toHaveCount(0)
})

test('AUD-06 AUD-08 AUD-09 AUD-11 AUD-07 nothing of it keeps her from posting, and the post tells her alone what she shared', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  const bea = await signedUp('bea')
  const { page } = ana
  const release = await holdRequestsToUrl(page, '**/v1/audience*')
  await openCreatePostForm(ana)
  await expect(audience(page).getByText('Checking who will see this…', { exact: true })).toBeVisible()
  await page.route(/\/v1\/audience/, (route) => route.fulfill({ status: 403, json: {} }))
  release()
  await page.reload()
  await expect(
    audience(page).getByText('We couldn’t check who will see this.', { exact: true }),
  ).toBeVisible()

  await page.getByLabel('Caption').fill('Una tarde juntas')
  await uploadPhotoInForm(page, await phonePhoto())
  await expect(
    main(page).getByText('Place and camera data removed from your photo', { exact: true }),
  ).toBeVisible()

  const asked: string[] = []
  page.on('request', (request) =>
    asked.push(`${request.method()} ${request.url()} ${request.postData() ?? ''}`),
  )
  const location = page.getByLabel('Location')
  await location.fill('Calle Morelos 214, Tonalá, Jalisco')
  const warning = main(page).getByRole('status').filter({ hasText: 'This looks like an exact address' })
  await expect(warning).toContainText('Everyone who sees the post will see it too.')
  await main(page).getByRole('button', { name: 'Use only “Tonalá, Jalisco”' }).click()
  await expect(location).toHaveValue('Tonalá, Jalisco')
  await expect(location).toBeFocused()
  await expect(warning).toHaveCount(0)
  await location.fill('Calle Morelos 214, Tonalá, Jalisco')
  await expect(warning).toBeVisible()
  expect(asked.filter((request) => /Morelos|Tonal/.test(request))).toEqual([])

  const made = page.waitForResponse(
    (response) => response.request().method() === 'POST' && response.status() === 201,
  )
  await main(page).getByRole('button', { name: 'Create Post' }).click()
  const { $id } = await (await made).json()
  await page.goto(`/posts/${$id}`)
  await expect(main(page).getByText('Calle Morelos 214, Tonalá, Jalisco')).toBeVisible()
  await expect(receipt(page).getByText('Shared with everyone', { exact: true })).toBeVisible()
  await expect(receipt(page).locator('time')).toContainText(String(new Date().getFullYear()))
  await expect(receipt(page)).toContainText('Removed from its photo: its place, camera data')

  await bea.page.goto(`/posts/${$id}`)
  await expect(main(bea.page).getByText('Una tarde juntas')).toBeVisible()
  await expect(receipt(bea.page)).toHaveCount(0)
})
