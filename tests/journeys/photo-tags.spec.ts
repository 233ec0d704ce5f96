import type { Page } from '@playwright/test'
import type { PhotoTag } from '#contract/photo-tags/photo-tag-schema.ts'
import type { Post } from '#contract/posts/posts.ts'
import { findAxeProblems } from './axe-steps.ts'
import { expect, type JourneyMember, openPageWithSocket, test } from './fixtures.ts'
import { followMemberViaApi, publishPostViaApi } from './post-steps.ts'

const people = (page: Page) => page.getByRole('region', { name: 'People in this post' })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Tag someone' })

async function nameViaApi(author: JourneyMember, person: JourneyMember, post: Post): Promise<PhotoTag> {
  await followMemberViaApi(person, author)
  const answer = await author.request.post(`/v1/posts/${post.$id}/people`, {
    data: { imageId: post.imageId, personId: person.$id, x: 0.5, y: 0.4 },
  })
  expect(answer.status()).toBe(201)
  return answer.json()
}

test('PICT-01 PICT-03 PICT-04 lucia tags camila by tapping a photo; camila accepts, and removes the tag later @quick', async ({
  signedUp,
  member,
}) => {
  const [lucia, camila] = [await signedUp('Lucía Ferrer'), await signedUp('Camila Duarte')]
  const bea = await member('Bea')
  await followMemberViaApi(camila, lucia)
  const post = await publishPostViaApi(lucia)
  const { page } = lucia
  await page.goto(`/posts/${post.$id}`)
  await page.getByRole('button', { name: 'Tag someone' }).click()
  await expect(dialog(page).getByRole('button', { name: 'Ask her' })).toBeDisabled()
  const photo = dialog(page).getByRole('img', { name: 'Your photo' })
  await photo.click({ position: { x: 20, y: 20 } })
  await dialog(page).getByRole('radio', { name: 'Camila Duarte' }).check()
  expect(await findAxeProblems(page)).toEqual([])
  await dialog(page).getByRole('button', { name: 'Ask her' }).click()
  await expect(dialog(page)).toBeHidden()
  await expect(people(page)).toContainText('Waiting for Camila Duarte')

  const seenBy = async (who: JourneyMember): Promise<PhotoTag[]> =>
    (await (await who.request.get(`/v1/posts/${post.$id}`)).json()).people ?? []
  expect(await seenBy(bea)).toEqual([])
  const [asked] = await seenBy(lucia)
  expect(asked?.x).toBeLessThan(0.5)

  await camila.page.goto('/photos-of-you')
  const question = camila.page.getByRole('article', { name: 'Lucía Ferrer tagged you' })
  await expect(question).toContainText('Is it all right to show your name here?')
  await expect(question).toContainText('Everyone on Juntas could see your name on this photo.')
  expect(await findAxeProblems(camila.page)).toEqual([])
  await question.getByRole('button', { name: 'Show my name' }).click()
  const row = camila.page.getByRole('listitem').filter({ hasText: 'Your name is shown' })
  await expect(row).toBeVisible()
  await expect(people(page)).not.toContainText('Waiting')
  await expect(people(page).getByRole('link', { name: 'Camila Duarte' })).toBeVisible()
  expect(await seenBy(bea)).toHaveLength(1)
  await row.getByRole('button', { name: 'Remove my name' }).click()
  await expect(camila.page.getByText('Nobody has tagged you.')).toBeVisible()
  await expect(people(page).getByRole('link', { name: 'Camila Duarte' })).toBeHidden()
  expect(await seenBy(bea)).toEqual([])
})

test("PICT-06 PICT-07 PICT-08 PICT-10 camila hides the only photo of lucia's post: the post disappears for others, and lucia sees her options", async ({
  signedUp,
}) => {
  const [lucia, camila, bea] = [await signedUp('Lucía'), await signedUp('Camila'), await signedUp('Bea')]
  const post = await publishPostViaApi(lucia)
  await nameViaApi(lucia, camila, post)
  await openPageWithSocket(bea.page, `/posts/${post.$id}`)
  await expect(bea.page.getByText(post.caption)).toBeVisible()
  await lucia.page.goto(`/posts/${post.$id}`)
  await expect(people(lucia.page)).toContainText('Waiting for Camila')
  await expect(lucia.page.getByText('Shared with everyone')).toBeVisible()
  await camila.page.goto('/photos-of-you')
  // The text is readable on any photo.
  const pill = camila.page.getByText('Camila', { exact: true }).and(camila.page.locator('.rounded-full'))
  await expect(pill).toHaveCSS('background-color', /^rgba\(18, 10, 16, 0\.7/)
  await expect(pill).toHaveCSS('color', 'rgb(255, 255, 255)')
  await camila.page.getByRole('button', { name: /^Hide this photo/ }).click()
  const hidden = camila.page.getByRole('listitem').filter({ hasText: 'Hidden because you asked' })
  await expect(hidden).toBeVisible()
  await expect(bea.page.getByText(post.caption)).toBeHidden()
  const notice = lucia.page.getByRole('note')
  await expect(notice).toContainText('Someone in this photo asked to hide it.')
  await expect(people(lucia.page)).not.toContainText('Camila')
  await expect(lucia.page.getByText('Shared with everyone')).toBeHidden()
  await expect(notice.getByRole('link', { name: 'Crop' })).toHaveAttribute('href', `/update-post/${post.$id}`)
  await expect(notice.getByRole('link', { name: 'Replace' })).toBeVisible()
  await expect(notice.getByRole('button', { name: 'Remove' })).toBeVisible()
  expect(await findAxeProblems(lucia.page)).toEqual([])

  await hidden.getByRole('button', { name: 'Show it again' }).click()
  await expect(camila.page.getByRole('article', { name: 'Lucía tagged you' })).toBeVisible()
  await expect(notice).toBeHidden()
  await bea.page.goto(`/posts/${post.$id}`)
  await expect(bea.page.getByText(post.caption)).toBeVisible()
})
