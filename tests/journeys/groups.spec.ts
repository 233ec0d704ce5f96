import type { Page } from '@playwright/test'
import { createPng } from '#scripts/harness/image-fixtures.ts'
import { expect, loseNextPostResponse, test, toastRegion, uploadExpectTimeoutOptions } from './fixtures.ts'
import { createGroupViaApi } from './group-steps.ts'
import { holdRequestsToUrl } from './network-steps.ts'
import { publishPostViaApi, toUploadFilePayload } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const card = (page: Page, name: string) => main(page).getByRole('article', { name })
const button = (page: Page, group: { name: string }, name: string) =>
  card(page, group.name).getByRole('button', { name, exact: true })
const toast = (page: Page) => toastRegion(page).getByRole('listitem')

test.describe('the join button', () => {
  test('GRP-18 GRP-19 asking to join: Sending..., then Pending without a reload @quick', async ({
    member,
    signedUp,
  }) => {
    const [ana, bea] = [await signedUp('ana'), await member('bea')]
    const group = await createGroupViaApi(bea)
    const { page } = ana
    await page.goto('/groups')
    const release = await holdRequestsToUrl(page, '**/requests')
    await button(page, group, 'Join Group').click()
    await expect(button(page, group, 'Sending...')).toBeDisabled()
    release()
    await expect(button(page, group, 'Pending')).toBeDisabled()
    await expect(toast(page)).toContainText('Request sent!')
    await expect(toast(page)).toContainText('Your request to join this group has been sent to the admin.')
  })
})

test.describe('founding a group', () => {
  const submit = (page: Page) => main(page).getByRole('button', { name: 'Create Group' })

  test('GCRE-05 GCRE-06 GCRE-07 GCRE-10 a name is enough; the new group stands first in the list @quick', async ({
    signedUp,
  }) => {
    const ana = await signedUp('ana')
    const { page } = ana
    await page.goto('/groups')
    await main(page).getByRole('link', { name: 'Create Group' }).click()
    await page.getByLabel('Name').fill(`Tejer ${ana.username}`)
    await submit(page).click()
    await expect(page).toHaveURL('/groups')
    await expect(toast(page)).toHaveText('Group created successfully!')
    const first = main(page).getByRole('article').first()
    await expect(first).toContainText(`Tejer ${ana.username}`)
    await expect(first).toContainText('1 member')
    await first.getByRole('link', { name: 'View Group' }).click()
    await expect(page.getByText("You're Admin")).toBeVisible()
  })

  test('GCRE-07 GCRE-08 a group whose answer was lost is not founded again when she presses again', async ({
    signedUp,
  }) => {
    const ana = await signedUp('ana')
    const { page } = ana
    await page.goto('/groups/create')
    await page.getByLabel('Name').fill(`Barro ${ana.username}`)
    await page.getByLabel('Photo').setInputFiles(toUploadFilePayload(await createPng()))
    await loseNextPostResponse(page, '/v1/groups')
    await submit(page).click()
    await expect(toast(page)).toContainText(
      'Failed to create group. Please try again.',
      uploadExpectTimeoutOptions,
    )
    await submit(page).click()
    await expect(toast(page)).toHaveText('Group created successfully!')
    const hers = await ana.request.get('/v1/me/groups')
    expect((await hers.json()).documents).toMatchObject([{ imageId: expect.any(String), memberCount: 1 }])
  })

  test('GCRE-08 GCRE-11 a failure keeps everything, also the photo; then it is sent with it', async ({
    signedUp,
  }) => {
    const ana = await signedUp('ana')
    const { page } = ana
    await page.goto('/groups/create')
    await page.getByLabel('Name').fill(`Barro ${ana.username}`)
    await page.getByLabel('Photo').setInputFiles(toUploadFilePayload(await createPng()))
    await page.route('**/v1/groups', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 500,
            json: { message: 'Server Error', code: 500, type: 'general_unknown' },
          })
        : route.continue(),
    )
    await submit(page).click()
    await expect(toast(page)).toContainText(
      'Failed to create group. Please try again.',
      uploadExpectTimeoutOptions,
    )
    await expect(toast(page)).toContainText('Error')
    await expect(page).toHaveURL('/groups/create')
    await expect(page.getByLabel('Name')).toHaveValue(`Barro ${ana.username}`)
    await expect(main(page).getByRole('button', { name: 'Click or drag photo to replace' })).toBeVisible()

    await page.unroute('**/v1/groups')
    await submit(page).click()
    await expect(page).toHaveURL('/groups')
    const picture = card(page, `Barro ${ana.username}`).locator('img')
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0)
  })
})

test('HOME-04 HOME-05 CARD-08 CARD-09 EXP-17 the feed has the posts of her groups, and says where they were posted', async ({
  member,
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('ana'), await member('bea')]
  const [hers, foreign] = [
    await createGroupViaApi(bea, {}, [ana]),
    await createGroupViaApi(bea, { name: `Otra ${bea.username}` }),
  ]
  await ana.request.put(`/v1/people/${bea.$id}/follow`, { data: {} })
  await publishPostViaApi(bea, { caption: 'En el grupo de las dos', groupId: hers.$id })
  await publishPostViaApi(bea, { caption: 'En el grupo de bea', groupId: foreign.$id })
  await publishPostViaApi(bea, { caption: 'Para todas' })

  const { page } = ana
  await page.goto('/')
  const posts = main(page).getByRole('article')
  await expect(posts).toHaveCount(2)
  const inGroup = posts.filter({ hasText: 'En el grupo de las dos' })
  await expect(inGroup.getByRole('link', { name: `Posted in ${hers.name}` })).toHaveAttribute(
    'href',
    `/groups/${hers.$id}`,
  )
  await expect(posts.filter({ hasText: 'Para todas' }).getByText('Posted in')).toHaveCount(0)
  await expect(page.getByText('En el grupo de bea')).toHaveCount(0)
})
