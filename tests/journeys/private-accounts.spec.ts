import type { Page } from '@playwright/test'
import { expect, type JourneyMember, openPageWithSocket, test, toastRegion } from './fixtures.ts'
import { followMemberViaApi, publishPostViaApi } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const button = (page: Page, name: string) => main(page).getByRole('button', { name, exact: true })
const tile = (page: Page, post: { $id: string }) => main(page).locator(`a[href="/posts/${post.$id}"]`)

async function goPrivate(person: JourneyMember): Promise<void> {
  const answer = await person.request.patch('/v1/me/privacy', { data: { isPrivate: true } })
  expect(answer.status()).toBe(200)
}

test("PRIV-06 PRIV-12 MUTE-10 MUTE-11 petra’s posts leave a stranger's open pages live when her account becomes private, and a follower’s when she is removed @quick", async ({
  signedUp,
}) => {
  const [petra, ana, bea] = [await signedUp('Petra Sol'), await signedUp('Ana'), await signedUp('Bea')]
  const post = await publishPostViaApi(petra, { caption: 'Solo para quien quiera' })
  await followMemberViaApi(bea, petra)
  const [profile, page, explore] = [
    ana.page,
    await ana.context.newPage(),
    await ana.context.newPage(),
  ] as const
  await openPageWithSocket(profile, `/profile/${petra.$id}`)
  await expect(tile(profile, post)).toHaveCount(1)
  await page.goto(`/posts/${post.$id}`)
  await expect(main(page).getByRole('article')).toContainText(post.caption)
  // The page must load before it receives changes.
  const isPrivate = Promise.withResolvers<void>()
  await explore.routeWebSocket('**/v1/live', async (socket) => {
    await isPrivate.promise
    socket.connectToServer()
  })
  await explore.goto('/explore')
  await expect(tile(explore, post)).toHaveCount(1)
  await openPageWithSocket(bea.page, `/profile/${petra.$id}`)
  await expect(tile(bea.page, post)).toHaveCount(1)

  await goPrivate(petra)
  isPrivate.resolve()
  await expect(main(profile).getByRole('heading', { name: 'This account is private' })).toBeVisible()
  await expect(main(profile).getByRole('definition')).toHaveCount(0)
  await expect(main(page).getByRole('heading', { level: 1 })).toHaveText('Post not found')
  await expect(tile(explore, post)).toHaveCount(0)
  for (const shown of [profile, page, explore])
    await expect(shown.locator(`img[src*="${post.imageId}"]`)).toHaveCount(0)
  await expect(main(bea.page).getByText('Private', { exact: true })).toBeVisible()
  await expect(tile(bea.page, post)).toHaveCount(1)

  await petra.page.goto(`/profile/${bea.$id}`)
  await petra.page.getByRole('button', { name: 'More about Bea' }).click()
  await petra.page.getByRole('menuitem', { name: /^Remove as follower/ }).click()
  await expect(toastRegion(petra.page)).toContainText('Bea doesn’t follow you any more.')
  await expect(tile(bea.page, post)).toHaveCount(0)
  await expect(main(bea.page).getByRole('heading', { name: 'This account is private' })).toBeVisible()
})

test("REQ-05 REQ-08 REQ-09 PRIV-10 petra approves ana, who sees petra's posts live; when petra goes public, carla's pending request becomes a follow", async ({
  signedUp,
}) => {
  const [petra, ana, carla] = [await signedUp('Petra'), await signedUp('Ana'), await signedUp('Carla')]
  await goPrivate(petra)
  const post = await publishPostViaApi(petra)
  const { page } = petra
  await openPageWithSocket(page, '/all-users')
  const requests = main(page).getByRole('link', { name: /^Follow requests/ })
  await openPageWithSocket(ana.page, `/profile/${petra.$id}`)
  await openPageWithSocket(carla.page, `/profile/${petra.$id}`)
  await button(carla.page, 'Follow').click()
  await expect(requests).toHaveText(/1$/)
  await button(ana.page, 'Follow').click()
  await expect(requests).toHaveText(/2$/)
  await requests.click()
  await button(page, 'Approve Ana').click()
  await expect(tile(ana.page, post)).toHaveCount(1)
  await expect(button(ana.page, 'Unfollow')).toBeVisible()
  await expect(main(carla.page).getByRole('heading', { name: 'You asked to follow Petra' })).toBeVisible()

  await page.goto('/settings/privacy')
  await main(page).getByRole('switch', { name: 'Private account' }).click()
  const ask = page.getByRole('alertdialog', { name: 'Make your account public?' })
  await ask.getByRole('radio', { name: 'Keep my earlier posts for my followers' }).check()
  await ask.getByRole('button', { name: 'Make public' }).click()
  await expect(button(carla.page, 'Unfollow')).toBeVisible()
  await expect(tile(carla.page, post)).toHaveCount(1)
})
