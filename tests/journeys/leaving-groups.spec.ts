/** What becomes of a member's posts when she leaves a group, or after she was removed from it. */
import type { Page } from '@playwright/test'
import { expect, fulfillWithServerError, openPageWithSocket, test, toastRegion } from './fixtures.ts'
import { createGroupViaApi, removeMemberFromGroup } from './group-steps.ts'
import { publishPostViaApi } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const tile = (page: Page, post: { $id: string }) =>
  main(page)
    .getByRole('listitem')
    .filter({ has: page.locator(`a[href="/posts/${post.$id}"]`) })
const leaveGroup = (page: Page) => main(page).getByRole('button', { name: 'Leave Group' })

test('EXIT-07 EXIT-08 bea leaves with her posts: an open page of another loses them, and on her profile they are hers alone', async ({
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('Ana'), await signedUp('Bea')]
  const group = await createGroupViaApi(ana, {}, [bea])
  const post = await publishPostViaApi(bea, { caption: 'Aquel domingo', groupId: group.$id })
  await publishPostViaApi(bea, { groupId: group.$id })
  await openPageWithSocket(ana.page, `/posts/${post.$id}`)
  await expect(main(ana.page).getByRole('article')).toContainText(post.caption)

  const { page } = bea
  await page.goto(`/groups/${group.$id}`)
  await leaveGroup(page).click()
  const question = page.getByRole('alertdialog', { name: `Leave ${group.name}?` })
  await expect(question.getByRole('radio', { name: 'Leave my 2 posts in the group' })).toBeChecked()
  await question.getByRole('radio', { name: 'Take my 2 posts with me' }).check()
  await question.getByRole('button', { name: 'Leave', exact: true }).click()
  await expect(toastRegion(page)).toContainText('You left the group')

  await expect(main(ana.page).getByRole('heading', { level: 1 })).toHaveText('Post not found')
  await expect(ana.page.locator(`img[src*="${post.imageId}"]`)).toHaveCount(0)
  await page.goto(`/profile/${bea.$id}`)
  await expect(tile(page, post)).toContainText('Only you')
  await page.goto(`/posts/${post.$id}`)
  await expect(main(page).getByRole('region', { name: 'Only you see this post' })).toBeVisible()
})

test('EXIT-08 bea’s posts cannot be counted: she chooses all the same, and takes them with her', async ({
  signedUp,
  member,
}) => {
  const [ana, bea] = [await member('Ana'), await signedUp('Bea')]
  const group = await createGroupViaApi(ana, {}, [bea])
  const post = await publishPostViaApi(bea, { groupId: group.$id })
  const { page } = bea
  await page.route(`**/v1/groups/${group.$id}/membership`, (route) =>
    route.request().method() === 'GET' ? fulfillWithServerError(route) : route.fallback(),
  )
  await page.goto(`/groups/${group.$id}`)
  await leaveGroup(page).click()
  const question = page.getByRole('alertdialog', { name: `Leave ${group.name}?` })
  await expect(question.getByRole('radio', { name: 'Leave my posts in the group' })).toBeChecked()
  await question.getByRole('radio', { name: 'Take my posts with me' }).check()
  await question.getByRole('button', { name: 'Leave', exact: true }).click()
  await expect(toastRegion(page)).toContainText('You left the group')
  expect((await ana.request.get(`/v1/posts/${post.$id}`)).status()).toBe(404)
})

test('EXIT-09 removed, bea takes one post out of the group, then all of them', async ({
  signedUp,
  member,
}) => {
  const [ana, bea] = [await member('Ana'), await signedUp('Bea')]
  const group = await createGroupViaApi(ana, {}, [bea])
  const [one, other] = [
    await publishPostViaApi(bea, { groupId: group.$id }),
    await publishPostViaApi(bea, { groupId: group.$id }),
  ]
  await removeMemberFromGroup(group, ana, bea)
  const { page } = bea
  const hidden = main(page).getByRole('region', { name: 'Only you see this post' })
  const take = (name: string) => main(page).getByRole('button', { name, exact: true })
  const seenByAna = async (post: { $id: string }) => (await ana.request.get(`/v1/posts/${post.$id}`)).status()

  await page.goto(`/posts/${one.$id}`)
  await take('Take out of the group').click()
  const question = page.getByRole('alertdialog', { name: `Take this post out of ${group.name}?` })
  await question.getByRole('button', { name: 'Take out', exact: true }).click()
  await expect(hidden).toBeVisible()
  await expect(take('Take out of the group')).toHaveCount(0)
  expect([await seenByAna(one), await seenByAna(other)]).toEqual([404, 200])

  await page.goto(`/posts/${other.$id}`)
  await take(`Take all my posts out of ${group.name}`).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Take all out' }).click()
  await expect(hidden).toBeVisible()
  expect(await seenByAna(other)).toBe(404)
})
