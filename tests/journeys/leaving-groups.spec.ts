import type { Page } from '@playwright/test'
import { expect, openPageWithSocket, test, toastRegion } from './fixtures.ts'
import { createGroupViaApi } from './group-steps.ts'
import { publishPostViaApi } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const tile = (page: Page, post: { $id: string }) =>
  main(page)
    .getByRole('listitem')
    .filter({ has: page.locator(`a[href="/posts/${post.$id}"]`) })
const leaveGroup = (page: Page) => main(page).getByRole('button', { name: 'Leave Group' })

test("EXIT-07 EXIT-08 bea leaves a group with her posts: ana's open page loses them, and on bea's profile only bea sees them", async ({
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
