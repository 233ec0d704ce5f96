import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { createPng } from '#scripts/harness/image-fixtures.ts'
import { expect, openPageWithSocket, test, toastRegion } from './fixtures.ts'
import { createGroupViaApi, removeMemberFromGroup } from './group-steps.ts'
import { filesApiPath, publishPostViaApi, toUploadFilePayload, uploadPhotoInForm } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const posts = (page: Page) => main(page).getByRole('article')

async function fillPost(page: Page, caption: string) {
  await page.getByLabel('Caption').fill(caption)
  await uploadPhotoInForm(page)
  await page.getByLabel('Location').fill('Tonalá')
  await main(page).getByRole('button', { name: 'Create Post' }).click()
}

test('GPAGE-18 the group cover shows the subject of a portrait photo, wherever the subject is', async ({
  signedUp,
}) => {
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

test('PCRE-20 PCRE-22 GPAGE-08 GPAGE-10 PERM-05 bea’s new post is first on the group’s page; when bea is removed while reading, all posts disappear @quick', async ({
  member,
  signedUp,
}) => {
  const [ana, bea] = [await member('ana'), await signedUp('bea')]
  const group = await createGroupViaApi(ana, {}, [bea])
  await publishPostViaApi(ana, { caption: 'La de antes', groupId: group.$id })
  const path = `/groups/${group.$id}`
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
  await expect(toastRegion(page).getByRole('listitem')).toHaveText('Posted')
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

  await openPageWithSocket(page, path)
  await expect(posts(page)).toHaveCount(2)
  await removeMemberFromGroup(group, ana, bea)
  await expect(main(page).getByRole('heading', { name: 'This is a private group' })).toBeVisible()
  await expect(main(page).getByText(/You’re no longer a member of this group/)).toBeVisible()
  await expect(posts(page)).toHaveCount(0)
  await page.reload()
  await expect(main(page).getByRole('heading', { name: 'This is a private group' })).toBeVisible()
  await expect(posts(page)).toHaveCount(0)
})
