import type { Page } from '@playwright/test'
import { createPng } from '#scripts/harness/image-fixtures.ts'
import {
  blockPageLiveUpdates,
  clickButtonTwice,
  expect,
  loseNextPostResponse,
  test,
  toastRegion,
  uploadExpectTimeoutOptions,
} from './fixtures.ts'
import { answerJoinRequest, createGroupViaApi, submitJoinRequest } from './group-steps.ts'
import { holdRequestsToUrl } from './network-steps.ts'
import { publishPostViaApi, toUploadFilePayload } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const card = (page: Page, name: string) => main(page).getByRole('article', { name })
const button = (page: Page, group: { name: string }, name: string) =>
  card(page, group.name).getByRole('button', { name, exact: true })
const toast = (page: Page) => toastRegion(page).getByRole('listitem')

test.describe('the list', () => {
  test('a list longer than a page goes on while she scrolls', async ({ signedUp }) => {
    const ana = await signedUp('ana')
    const first = await createGroupViaApi(ana, { name: `La primera ${ana.username}` })
    for (let number = 0; number < 20; number++)
      await createGroupViaApi(ana, { name: `Otra ${number} ${ana.username}` })
    await ana.page.goto('/groups')
    await expect(card(ana.page, `Otra 19 ${ana.username}`)).toBeVisible()
    await ana.page.keyboard.press('End')
    await expect(card(ana.page, first.name)).toBeAttached()
  })
})

test.describe('the join button', () => {
  test('GRP-13 GRP-14 GRP-15 GRP-16 GRP-17 says what ana is to each group', async ({ member, signedUp }) => {
    const [ana, bea] = [await signedUp('ana'), await member('bea')]
    const [mine, open, waiting, refused] = [
      await createGroupViaApi(bea, { name: `G1 ${ana.username}` }, [ana]),
      await createGroupViaApi(bea, { name: `G2 ${ana.username}` }),
      await createGroupViaApi(bea, { name: `G3 ${ana.username}` }),
      await createGroupViaApi(bea, { name: `G4 ${ana.username}` }),
    ]
    await submitJoinRequest(ana, waiting)
    await answerJoinRequest(bea, 'reject', await submitJoinRequest(ana, refused))

    const { page } = ana
    const release = await holdRequestsToUrl(page, '**/v1/groups')
    await page.goto('/groups')
    await expect(main(page).getByText('Loading...').first()).toBeVisible()
    const loading = main(page).locator('button', { hasText: 'Loading...' }).first()
    await expect(loading).toBeDisabled()
    const before = await loading.boundingBox()
    release()

    const view = card(page, mine.name).getByRole('link', { name: 'View Group' })
    await expect(view).toHaveAttribute('href', `/groups/${mine.$id}`)
    await expect(button(page, waiting, 'Pending')).toBeDisabled()
    await expect(button(page, refused, 'Request Rejected')).toBeDisabled()
    await expect(button(page, open, 'Join Group')).toBeEnabled()
    expect((await button(page, open, 'Join Group').boundingBox())?.width).toBe(before?.width)
  })

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

  test('GRP-18 GRP-20 two presses before the page has heard of either ask once, and nothing is refused', async ({
    member,
    signedUp,
  }) => {
    const [ana, bea] = [await signedUp('ana'), await member('bea')]
    const group = await createGroupViaApi(bea)
    const { page } = ana
    await page.goto('/groups')
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') asked.push(new URL(request.url()).pathname)
    })
    await clickButtonTwice(button(page, group, 'Join Group'))
    await expect(button(page, group, 'Pending')).toBeVisible()
    await expect(toast(page)).toContainText('Request sent!')
    expect(asked).toEqual([`/v1/groups/${group.$id}/requests`])
  })

  test('GRP-20 GRP-21 GRP-22 ERR-05 a refusal is said in the server’s words, silence in ours', async ({
    member,
    signedUp,
  }) => {
    const [ana, bea] = [await signedUp('ana'), await member('bea')]
    const group = await createGroupViaApi(bea)
    const { page } = ana
    // Without live updates, which would show her request before she could be refused a second.
    await blockPageLiveUpdates(page)
    await page.goto('/groups')
    await page.route('**/requests', (route) => route.abort())
    await button(page, group, 'Join Group').click()
    await expect(toast(page)).toContainText('Failed to send request. Please try again.')
    await expect(toast(page)).toContainText('Error')
    await page.unroute('**/requests')

    await submitJoinRequest(ana, group)
    await button(page, group, 'Join Group').click()
    await expect(toast(page).locator('[lang=es]')).toHaveText(
      'Ya tienes una solicitud pendiente para este grupo',
    )
    await expect(button(page, group, 'Pending')).toBeVisible()
  })

  test('a request that waits can be withdrawn, after a question', async ({ member, signedUp }) => {
    const [ana, bea] = [await signedUp('ana'), await member('bea')]
    const group = await createGroupViaApi(bea)
    await submitJoinRequest(ana, group)
    const { page } = ana
    await page.goto('/groups')
    await button(page, group, 'Withdraw request').click()
    const question = page.getByRole('alertdialog', { name: 'Withdraw your request?' })
    await expect(question.getByRole('button', { name: 'Keep request' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(question).toBeHidden()
    await button(page, group, 'Withdraw request').click()
    await question.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await expect(toast(page)).toContainText('Request withdrawn')
    await expect(button(page, group, 'Join Group')).toBeEnabled()
    const waiting = await bea.request.get(`/v1/group-requests?groupId=${group.$id}`)
    expect((await waiting.json()).documents).toEqual([])
  })
})

test.describe('founding a group', () => {
  const submit = (page: Page) => main(page).getByRole('button', { name: 'Create Group' })

  test('GCRE-01 GCRE-02 GCRE-03 GCRE-04 the form says what it wants and why groups are private', async ({
    signedUp,
  }) => {
    const { page } = await signedUp('ana')
    await page.goto('/groups/create')
    await expect(main(page).getByRole('heading', { level: 1 })).toHaveText('Create Group')
    await expect(main(page).locator('label')).toHaveText(['Name', 'Description', 'Photo'])
    await expect(main(page).getByText(/This group is private\. People ask to join/)).toBeVisible()

    await submit(page).click()
    await expect(page.getByLabel('Name')).toBeFocused()
    await expect(page.getByLabel('Name')).toHaveAccessibleDescription('Group name is required')
    await page.getByLabel('Name').fill('a'.repeat(51))
    await expect(page.getByText('Maximum 50 characters', { exact: true })).toBeVisible()
    await page.getByLabel('Name').fill('a'.repeat(50))
    await page.getByLabel('Description').fill('b'.repeat(201))
    await expect(page.getByText('Maximum 200 characters', { exact: true })).toBeVisible()
    await page.getByLabel('Description').fill('b'.repeat(200))
    await expect(page.getByText('Maximum 200 characters', { exact: true })).toHaveCount(0)
  })

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

  test('GCRE-07 two presses before the page has heard of either found one group', async ({ signedUp }) => {
    const ana = await signedUp('ana')
    const { page } = ana
    await page.goto('/groups/create')
    await page.getByLabel('Name').fill(`Barro ${ana.username}`)
    await clickButtonTwice(submit(page))
    await expect(page).toHaveURL('/groups')
    await expect(card(page, `Barro ${ana.username}`)).toHaveCount(1)
    const hers = await ana.request.get(`/v1/me/groups`)
    expect((await hers.json()).documents).toHaveLength(1)
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

  test('GCRE-05 GCRE-08 why a photo was not taken is still said after a failure', async ({ signedUp }) => {
    const ana = await signedUp('ana')
    const { page } = ana
    const reason = main(page).getByText(/^File type must be one of/)
    await page.goto('/groups/create')
    await page.getByLabel('Name').fill(`Barro ${ana.username}`)
    await page
      .getByLabel('Photo')
      .setInputFiles(toUploadFilePayload(Buffer.from('no es una foto'), 'rota.png'))
    await expect(reason).toBeVisible()
    await page.route('**/v1/groups', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    )
    await submit(page).click()
    await expect(toast(page)).toContainText('Failed to create group. Please try again.')
    await expect(reason).toBeVisible()

    await page.unroute('**/v1/groups')
    await submit(page).click()
    await expect(page).toHaveURL('/groups')
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
