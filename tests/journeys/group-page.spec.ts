import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { createPng } from '#scripts/harness/image-fixtures.ts'
import { expect, type JourneyMember, type JourneyMemberWithPage, test, toastRegion } from './fixtures.ts'
import { createGroupViaApi, removeMemberFromGroup } from './group-steps.ts'
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
