import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { createPng } from '#scripts/harness/image-fixtures.ts'
import {
  blockPageLiveUpdates,
  expect,
  type JourneyMember,
  type JourneyMemberWithPage,
  test,
  toastRegion,
} from './fixtures.ts'
import { createGroupViaApi, removeMemberFromGroup, submitJoinRequest } from './group-steps.ts'
import {
  appwriteBucketFilesPath,
  filesApiPath,
  publishPostViaApi,
  toUploadFilePayload,
  uploadPhotoInForm,
} from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const title = (page: Page) => main(page).getByRole('heading', { level: 1 })
const posts = (page: Page) => main(page).getByRole('article')
const toast = (page: Page) => toastRegion(page).getByRole('listitem')
const closed = (page: Page) => main(page).getByRole('heading', { name: 'This is a private group' })

/** Fills in the form of a new post and sends it. */
async function fillPost(page: Page, caption: string) {
  await page.getByLabel('Caption').fill(caption)
  await uploadPhotoInForm(page)
  await page.getByLabel('Location').fill('Tonalá')
  await main(page).getByRole('button', { name: 'Create Post' }).click()
}

/** Ana's group with bea in it. */
async function knit(signedUp: (name: string) => Promise<JourneyMemberWithPage>) {
  const [ana, bea] = [await signedUp('ana'), await signedUp('bea')]
  const group = await createGroupViaApi(ana, { description: 'Los jueves, con paciencia.' }, [bea])
  return { ana, bea, group, path: `/groups/${group.$id}` }
}

test('GPAGE-01 a group that does not exist is not found, and there is a way back', async ({ signedUp }) => {
  const { page } = await signedUp('ana')
  const logged: string[] = []
  page.on('console', (message) => {
    // The browser's own line of every answer above 399 cannot be helped.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      logged.push(message.text())
  })
  for (const path of ['/groups/nowhere', '/groups/nowhere/requests', '/groups/no!id']) {
    await page.goto(path)
    await expect(title(page)).toHaveText('Group not found')
  }
  expect(logged).toEqual([])
  await main(page).getByRole('link', { name: 'Back to Groups' }).click()
  await expect(page).toHaveURL('/groups')
})

test('GPAGE-02 GPAGE-03 GPAGE-05 CARD-08 bea, a member, sees the group and its posts, and nothing of the admin’s @quick', async ({
  signedUp,
}) => {
  const { ana, bea, group, path } = await knit(signedUp)
  await publishPostViaApi(ana, { caption: 'Solo entre nosotras', groupId: group.$id })
  const { page } = bea
  await page.goto(path)
  await expect(title(page)).toHaveText(group.name)
  await expect(page).toHaveTitle(`${group.name} · Juntas`)
  await expect(main(page).getByText('Los jueves, con paciencia.')).toBeVisible()
  await expect(main(page).getByText('Private Group')).toBeVisible()
  await expect(main(page).getByText('2 members')).toBeVisible()
  await expect(posts(page)).toContainText('Solo entre nosotras')
  await expect(posts(page).getByRole('link', { name: `Posted in ${group.name}` })).toBeVisible()

  await expect(main(page).getByText("You're Admin")).toHaveCount(0)
  await expect(main(page).getByRole('link', { name: /Requests|Edit Group/ })).toHaveCount(0)
  await expect(main(page).getByRole('button', { name: /Members/ })).toHaveCount(0)
  await page.goto(`/update-group/${group.$id}`)
  await expect(title(page)).toHaveText('Access Denied')
})

test('GPAGE-18 the cover shows the subject of a portrait, wherever it stands', async ({ signedUp }) => {
  const { page, request } = await signedUp('ana')
  const ground = { create: { width: 600, height: 1200, channels: 3, background: '#e8e0d8' } } as const
  const subject = await createPng('#B3174F', 360, 180)
  for (const top of [40, 980]) {
    const picture = await sharp(ground)
      .composite([{ input: subject, left: 120, top }])
      .jpeg()
      .toBuffer()
    const upload = await request.post(filesApiPath, {
      multipart: { file: toUploadFilePayload(picture, 'retrato.jpg', 'image/jpeg') },
    })
    const { $id: imageId } = await upload.json()
    const answer = await request.post('/v1/groups', { data: { name: `Retrato ${top}`, imageId } })
    await page.goto(`/groups/${(await answer.json()).$id}`)
    const cover = main(page).locator(`img[src*="${imageId}"]`)
    await expect(cover).toHaveCSS('opacity', '1')
    const { dominant } = await sharp(await cover.screenshot())
      .extract({ left: 400, top: 84, width: 200, height: 60 })
      .stats()
    expect(dominant.r - dominant.g).toBeGreaterThan(80)
  }
})

test('on a phone dialogs cover the navigation @phone', async ({ signedUp }) => {
  const { ana, path } = await knit(signedUp)
  const { page } = ana
  await page.goto(path)
  await main(page)
    .getByRole('button', { name: /^Members/ })
    .click()
  const dialog = await page.getByRole('dialog').boundingBox()
  expect(dialog).toMatchObject({ x: 0, width: 390 })
  expect((dialog?.y ?? 0) + (dialog?.height ?? 0)).toBe(844)
})

test('on a phone no link of a card is less than 24 px high @phone', async ({ signedUp }) => {
  const { ana, group, path } = await knit(signedUp)
  const post = await publishPostViaApi(ana, { groupId: group.$id })
  const { page } = ana
  for (const where of [path, '/', `/posts/${post.$id}`]) {
    await page.goto(where)
    await expect(posts(page).first()).toBeVisible()
    const heights = await posts(page)
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().height))
    expect(heights.length).toBeGreaterThan(2)
    expect(Math.min(...heights), where).toBeGreaterThanOrEqual(24)
  }
})

test('GPAGE-17 the first of 21 posts is reached by scrolling', async ({ signedUp }) => {
  const ana = await signedUp('ana')
  const group = await createGroupViaApi(ana)
  for (let number = 1; number <= 21; number++)
    await publishPostViaApi(ana, { caption: `Pieza número ${number}`, groupId: group.$id })
  const { page } = ana
  await page.goto(`/groups/${group.$id}`)
  await expect(posts(page)).toHaveCount(20)
  await posts(page).last().scrollIntoViewIfNeeded()
  await expect(posts(page)).toHaveCount(21)
  await expect(posts(page).last()).toContainText('Pieza número 1')
})

test('on a phone the posts of a group are as wide as the page, however long their words @phone', async ({
  signedUp,
}) => {
  const { ana, bea, group, path } = await knit(signedUp)
  const location = 'Parque Nacional de la Sierra de Guadarrama, Rascafría, Madrid'
  await publishPostViaApi(ana, { caption: 'm'.repeat(200), location, groupId: group.$id })
  const { page } = bea
  await page.goto(path)
  await expect(posts(page)).toContainText(location)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  const card = await posts(page).boundingBox()
  expect((card?.x ?? 0) + (card?.width ?? 0)).toBeLessThanOrEqual(390)
})

test('GPAGE-05 GPAGE-06 GPAGE-07 ana, the admin, sees how many wait and who is in', async ({ signedUp }) => {
  const { ana, bea, group, path } = await knit(signedUp)
  await submitJoinRequest(await signedUp('cleo'), group)
  const { page } = ana
  await page.goto(path)
  await expect(main(page).getByText("You're Admin")).toBeVisible()
  const requests = main(page).getByRole('link', { name: 'Requests 1 pending' })
  await expect(requests).toHaveAttribute('href', `${path}/requests`)

  const button = main(page).getByRole('button', { name: 'Members (2)' })
  await button.click()
  const dialog = page.getByRole('dialog', { name: 'Members' })
  const rows = dialog.getByRole('listitem')
  await expect(rows).toHaveCount(2)
  await expect(rows.filter({ hasText: `@${bea.username}` })).toContainText('Member')
  await expect(rows.filter({ hasText: `@${ana.username}` })).toContainText('Admin')
  await expect(rows.filter({ hasText: `@${ana.username}` }).getByRole('button')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(button).toBeFocused()
})

test('GPAGE-09 PCRE-04 an empty group asks for its first post', async ({ signedUp }) => {
  const { bea, group, path } = await knit(signedUp)
  const { page } = bea
  await page.goto(path)
  await expect(main(page).getByRole('heading', { name: 'No posts yet' })).toBeVisible()
  await main(page).getByRole('link', { name: 'Create First Post' }).click()
  await expect(page).toHaveURL('/create-post')
  await expect(page.getByRole('combobox', { name: 'Group' })).toHaveValue(group.$id)
})

test('GPAGE-08 PCRE-04 Create Post opens the form with the group chosen', async ({ signedUp }) => {
  const { bea, group, path } = await knit(signedUp)
  await bea.page.goto(path)
  await main(bea.page).getByRole('link', { name: 'Create Post' }).click()
  await expect(bea.page).toHaveURL('/create-post')
  await expect(bea.page.getByRole('combobox', { name: 'Group' })).toHaveValue(group.$id)
})

test('PCRE-20 PCRE-22 GPAGE-08 what bea posts from the group’s page stands on top of it, is said, and Back meets the group once @quick', async ({
  signedUp,
}) => {
  const { ana, bea, group, path } = await knit(signedUp)
  await publishPostViaApi(ana, { caption: 'La de antes', groupId: group.$id })
  const { page } = bea
  await page.goto('/groups')
  await main(page)
    .getByRole('article', { name: group.name })
    .getByRole('link', { name: 'View Group' })
    .click()
  await main(page).getByRole('link', { name: 'Create Post' }).click()
  await fillPost(page, 'La de ahora')
  await expect(page).toHaveURL(path)
  await expect(posts(page)).toHaveCount(2)
  await expect(posts(page).first()).toContainText('La de ahora')
  await expect(toast(page)).toHaveText('Posted')
  await page.goBack()
  await expect(page).toHaveURL('/groups')

  await page.goForward()
  await main(page).getByRole('link', { name: 'Create Post' }).click()
  await page.getByRole('combobox', { name: 'Group' }).selectOption('Public Post')
  await fillPost(page, 'La de todas')
  await expect(page).toHaveURL('/')
  await expect(posts(page).first()).toContainText('La de todas')
  await page.goBack()
  await expect(page).toHaveURL(path)
})

test('PCRE-20 PCRE-22 from Home, however far she had scrolled, her new post stands on top, and Back meets Home once', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  for (const caption of ['La primera', 'La segunda', 'La tercera']) await publishPostViaApi(ana, { caption })
  const { page } = ana
  await page.goto('/saved')
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await navigation.getByRole('link', { name: 'Home' }).click()
  await posts(page).last().scrollIntoViewIfNeeded()
  await navigation.getByRole('link', { name: 'Create Post' }).click()
  await fillPost(page, 'La nueva')
  await expect(page).toHaveURL('/')
  await expect(posts(page).first()).toContainText('La nueva')
  await expect(posts(page).first()).toBeInViewport()
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await page.goBack()
  await expect(page).toHaveURL('/saved')
})

test('GPAGE-10 GPAGE-11 GPAGE-12 GPAGE-13 GPAGE-14 PERM-05 cleo, who is not in it, sees the summary and no post @quick', async ({
  signedUp,
}) => {
  const { ana, group, path } = await knit(signedUp)
  const post = await publishPostViaApi(ana, { caption: 'Solo entre nosotras', groupId: group.$id })
  const cleo = await signedUp('cleo')
  const { page } = cleo
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto(path)
  await expect(title(page)).toHaveText(group.name)
  await expect(main(page).getByText('2 members')).toBeVisible()
  await expect(closed(page)).toBeVisible()
  await expect(
    main(page).getByText("You need to be a member to see the group's posts and content."),
  ).toBeVisible()
  await expect(main(page).getByRole('button', { name: 'Join Group' })).toBeVisible()
  await expect(posts(page)).toHaveCount(0)
  expect(asked.filter((path) => /\/(posts|members|files)\b/.test(path))).toEqual([])
  await main(page).getByRole('link', { name: 'Back to Groups' }).click()
  await expect(page).toHaveURL('/groups')

  const refused = await cleo.request.get(`/v1${path}/posts`)
  expect(refused.status()).toBe(403)
  expect((await refused.json()).message).toBe('No tienes acceso a los posts de este grupo')
  expect((await cleo.request.get(`/v1/posts/${post.$id}`)).status()).toBe(403)
  for (const way of ['view', 'preview', 'download']) {
    expect((await cleo.request.get(`${appwriteBucketFilesPath}/${post.imageId}/${way}`)).status()).toBe(404)
  }
  expect((await cleo.request.get(`${filesApiPath}/${post.imageId}/content`)).status()).toBe(404)
})

test('what cannot be loaded is loaded on demand, the group and its posts each', async ({ signedUp }) => {
  const { ana, group, path } = await knit(signedUp)
  await publishPostViaApi(ana, { groupId: group.$id })
  const { page } = ana
  await blockPageLiveUpdates(page)
  const failing = { status: 400, json: { message: '', code: 400 } }
  await page.route(`**/v1${path}`, (route) => route.fulfill(failing))
  await page.route(`**/v1${path}/posts`, (route) => route.fulfill(failing))
  await page.goto(path)
  await expect(main(page).getByRole('alert')).toHaveText('We couldn’t load this.')
  await page.unroute(`**/v1${path}`)
  await main(page).getByRole('button', { name: 'Try again' }).click()
  await expect(title(page)).toHaveText(group.name)
  await expect(main(page).getByRole('alert')).toHaveText('We couldn’t load this.')
  await page.unroute(`**/v1${path}/posts`)
  await main(page).getByRole('button', { name: 'Try again' }).click()
  await expect(posts(page)).toHaveCount(1)
})

test.describe('beyond the spec', () => {
  test('bea leaves after a question, and reads no more', async ({ signedUp }) => {
    const { ana, bea, group, path } = await knit(signedUp)
    await publishPostViaApi(ana, { caption: 'Solo entre nosotras', groupId: group.$id })
    const { page } = bea
    await page.goto(path)
    await expect(posts(page)).toHaveCount(1)
    await main(page).getByRole('button', { name: 'Leave Group' }).click()
    const question = page.getByRole('alertdialog', { name: 'Leave this group?' })
    await expect(question.getByRole('button', { name: 'Stay' })).toBeFocused()
    await question.getByRole('button', { name: 'Stay' }).click()
    await main(page).getByRole('button', { name: 'Leave Group' }).click()
    await question.getByRole('button', { name: 'Leave', exact: true }).click()
    await expect(toast(page)).toContainText('You left the group')
    await expect(closed(page)).toBeVisible()
    await expect(posts(page)).toHaveCount(0)
    await expect(main(page).getByText('1 member', { exact: true })).toBeVisible()
    await expect(main(page).getByRole('button', { name: 'Join Group' })).toBeVisible()
  })

  test('PERM-04 ana removes one member and hands the group to another', async ({ member, signedUp }) => {
    const [ana, bea, cleo] = [await signedUp('ana'), await member('bea'), await signedUp('cleo')]
    const group = await createGroupViaApi(ana, {}, [bea, cleo])
    const { page } = ana
    await page.goto(`/groups/${group.$id}`)
    await main(page).getByRole('button', { name: 'Members (3)' }).click()
    const dialog = page.getByRole('dialog', { name: 'Members' })
    const row = (person: JourneyMember) =>
      dialog.getByRole('listitem').filter({ hasText: `@${person.username}` })

    await row(bea).getByRole('button', { name: 'Remove bea' }).click()
    const removal = page.getByRole('alertdialog', { name: 'Remove bea?' })
    await removal.getByRole('button', { name: 'Keep member' }).click()
    await expect(row(bea)).toBeVisible()
    await row(bea).getByRole('button', { name: 'Remove bea' }).click()
    await removal.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(row(bea)).toHaveCount(0)
    await expect(toast(page)).toContainText('bea is no longer in the group.')

    await row(cleo).getByRole('button', { name: 'Make admin: cleo' }).click()
    const transfer = page.getByRole('alertdialog', { name: 'Make cleo the admin?' })
    await transfer.getByRole('button', { name: 'Make admin' }).click()
    await expect(main(page).getByText("You're Admin")).toHaveCount(0)
    await expect(main(page).getByRole('button', { name: 'Leave Group' })).toBeVisible()
    await cleo.page.goto(`/groups/${group.$id}`)
    await expect(main(cleo.page).getByText("You're Admin")).toBeVisible()
  })

  test('ana changes name and description', async ({ signedUp }) => {
    const { ana, bea, path } = await knit(signedUp)
    const { page } = ana
    await page.goto(path)
    await main(page).getByRole('link', { name: 'Edit Group' }).click()
    await expect(page.getByLabel('Description')).toHaveValue('Los jueves, con paciencia.')
    await page.getByLabel('Name').fill('')
    await main(page).getByRole('button', { name: 'Update Group' }).click()
    await expect(page.getByLabel('Name')).toHaveAccessibleDescription('Group name is required')
    await page.getByLabel('Name').fill('Tejer los viernes')
    await page.getByLabel('Description').fill('Ahora los viernes.')
    await main(page).getByRole('button', { name: 'Update Group' }).click()
    await expect(page).toHaveURL(path)
    await expect(title(page)).toHaveText('Tejer los viernes')
    await bea.page.goto(path)
    await expect(title(bea.page)).toHaveText('Tejer los viernes')
    await expect(main(bea.page).getByText('Ahora los viernes.')).toBeVisible()
  })

  test('ana deletes the group only after typing its name', async ({ signedUp }) => {
    const { ana, bea, group, path } = await knit(signedUp)
    const { page } = ana
    await page.goto(`/update-group/${group.$id}`)
    await main(page).getByRole('button', { name: 'Delete Group' }).click()
    const question = page.getByRole('alertdialog', { name: 'Delete this group?' })
    await question.getByRole('textbox').fill('Otro nombre')
    await question.getByRole('button', { name: 'Delete group' }).click()
    await expect(question.getByText('This is not the group’s name')).toBeVisible()
    await question.getByRole('textbox').fill(group.name)
    await question.getByRole('button', { name: 'Delete group' }).click()
    await expect(page).toHaveURL('/groups')
    await expect(toast(page)).toContainText('Group deleted')
    await expect(main(page).getByRole('article', { name: group.name })).toHaveCount(0)
    await bea.page.goto(path)
    await expect(title(bea.page)).toHaveText('Group not found')
  })

  test('PERM-05 bea, removed while she reads, is told calmly and sees nothing more', async ({ signedUp }) => {
    const { ana, bea, group, path } = await knit(signedUp)
    await publishPostViaApi(ana, { caption: 'Solo entre nosotras', groupId: group.$id })
    const { page } = bea
    await page.goto(path)
    await expect(posts(page)).toHaveCount(1)
    await removeMemberFromGroup(group, ana, bea)
    await expect(closed(page)).toBeVisible()
    await expect(main(page).getByText(/You’re no longer a member of this group/)).toBeVisible()
    await expect(posts(page)).toHaveCount(0)
  })
})
