/** Private accounts, follow requests, followers and lists: what each of two browsers shows, at once. */
import type { Page } from '@playwright/test'
import type { PrivacySettings } from '#contract/people/privacy-settings.ts'
import {
  expect,
  fulfillWithServerError,
  type JourneyMember,
  openPageWithSocket,
  test,
  toastRegion,
} from './fixtures.ts'
import { createGroupViaApi } from './group-steps.ts'
import { holdRequestsToUrl, refuseRequestsUntilClick } from './network-steps.ts'
import { followMemberViaApi, publishPostViaApi } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const title = (page: Page) => main(page).getByRole('heading', { level: 1 })
const button = (page: Page, name: string) => main(page).getByRole('button', { name, exact: true })
const dialog = (page: Page, name: string) => page.getByRole('alertdialog', { name })
const privateSwitch = (page: Page) => main(page).getByRole('switch', { name: 'Private account' })
const tile = (page: Page, post: { $id: string }) => main(page).locator(`a[href="/posts/${post.$id}"]`)
const request = (page: Page, name: string) => main(page).getByRole('listitem', { name })

async function setPrivacy(person: JourneyMember, data: object): Promise<PrivacySettings> {
  const answer = await person.request.patch('/v1/me/privacy', { data })
  expect(answer.status()).toBe(200)
  return answer.json()
}

const goPrivate = (person: JourneyMember) => setPrivacy(person, { isPrivate: true })
const privacyOf = async (person: JourneyMember): Promise<PrivacySettings> =>
  (await person.request.get('/v1/me/privacy')).json()

test('PRIV-02 PRIV-03 petra makes her account private by keyboard; the question counts who stays, and Cancel and Escape change nothing', async ({
  signedUp,
  member,
}) => {
  const [petra, bea, ana] = [await signedUp('Petra'), await member('Bea'), await member('Ana')]
  const { page } = petra
  const ask = dialog(page, 'Make your account private?')
  await page.goto('/settings/privacy')
  await expect(privateSwitch(page)).not.toBeChecked()
  await expect(main(page)).toContainText(
    'People ask to follow you. Only who you approve sees your posts and their photos. Posts in groups stay the group’s.',
  )
  await privateSwitch(page).press('Enter')
  await expect(ask).toContainText('From now on you decide who follows you.')
  await expect(ask.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(ask).toBeHidden()
  await expect(privateSwitch(page)).toBeFocused()

  await followMemberViaApi(bea, petra)
  await privateSwitch(page).press('Enter')
  await expect(ask.getByText('Your 1 follower stays.', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(ask).toBeHidden()
  expect((await privacyOf(petra)).isPrivate).toBe(false)

  await followMemberViaApi(ana, petra)
  await privateSwitch(page).press('Space')
  await expect(ask).toContainText('Your 2 followers stay. You can remove any of them.')
  await expect(ask.getByRole('link', { name: 'See your followers' })).toHaveAttribute(
    'href',
    `/profile/${petra.$id}?list=followers`,
  )
  await page.keyboard.press('Tab')
  await expect(ask.getByRole('button', { name: 'Make private' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(ask).toBeHidden()
  await expect(privateSwitch(page)).toBeChecked()
  expect((await privacyOf(petra)).isPrivate).toBe(true)
  await page.reload()
  await expect(privateSwitch(page)).toBeChecked()
})

test('PRIV-06 PRIV-12 switched to private, open pages of a stranger lose posts and pictures at once; a follower’s keep them @quick', async ({
  signedUp,
  member,
}) => {
  const [petra, ana, bea] = [await member('Petra Sol'), await signedUp('Ana'), await signedUp('Bea')]
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
  await explore.goto('/explore')
  await expect(tile(explore, post)).toHaveCount(1)
  await openPageWithSocket(bea.page, `/profile/${petra.$id}`)
  await expect(tile(bea.page, post)).toHaveCount(1)

  await goPrivate(petra)
  await expect(main(profile).getByRole('heading', { name: 'This account is private' })).toBeVisible()
  await expect(main(profile)).toContainText('Ask to follow Petra to see her posts. She decides who does.')
  await expect(main(profile).getByRole('definition')).toHaveCount(0)
  await expect(title(page)).toHaveText('Post not found')
  await expect(tile(explore, post)).toHaveCount(0)
  for (const shown of [profile, page, explore])
    await expect(shown.locator(`img[src*="${post.imageId}"]`)).toHaveCount(0)
  await expect(main(bea.page).getByText('Private', { exact: true })).toBeVisible()
  await expect(tile(bea.page, post)).toHaveCount(1)
})

test('PRIV-06 what the account of somebody closed while a page was loading goes once it can hear', async ({
  signedUp,
  member,
}) => {
  const [petra, ana] = [await member('Petra'), await signedUp('Ana')]
  const post = await publishPostViaApi(petra)
  const { page } = ana
  const closed = Promise.withResolvers<void>()
  await page.routeWebSocket('**/v1/live', async (socket) => {
    await closed.promise
    socket.connectToServer()
  })
  await page.goto('/explore')
  await expect(tile(page, post)).toHaveCount(1)
  await goPrivate(petra)
  closed.resolve()
  await expect(tile(page, post)).toHaveCount(0)
})

test('PRIV-08 PRIV-10 REQ-08 petra makes her account public: she says who sees earlier posts, and who waited follows at once', async ({
  signedUp,
  member,
}) => {
  const [petra, ana, carla] = [await signedUp('Petra'), await signedUp('Ana'), await signedUp('Carla')]
  await goPrivate(petra)
  const post = await publishPostViaApi(petra, { caption: 'Del tiempo cerrado' })
  await followMemberViaApi(ana, petra)
  await followMemberViaApi(await member('Dora'), petra)
  await openPageWithSocket(ana.page, `/profile/${petra.$id}`)
  await expect(main(ana.page).getByRole('heading', { name: 'You asked to follow Petra' })).toBeVisible()
  await openPageWithSocket(carla.page, `/profile/${petra.$id}`)
  await expect(main(carla.page).getByRole('heading', { name: 'This account is private' })).toBeVisible()

  const { page } = petra
  const ask = dialog(page, 'Make your account public?')
  const confirm = ask.getByRole('button', { name: 'Make public' })
  await page.goto('/settings/privacy')
  await privateSwitch(page).click()
  await expect(ask).toContainText(
    'From now on every member can see what you post and follow you. The 2 people who are waiting will follow you.',
  )
  await expect(ask.getByRole('radio')).toHaveCount(2)
  for (const radio of await ask.getByRole('radio').all()) await expect(radio).not.toBeChecked()
  await expect(confirm).toBeDisabled()
  await ask.getByRole('radio', { name: 'Show my earlier posts to everyone' }).check()
  await expect(ask).toContainText('1 post, with its photo and place.')
  await ask.getByRole('button', { name: 'Stay private' }).click()
  await expect(ask).toBeHidden()
  expect((await privacyOf(petra)).isPrivate).toBe(true)

  await privateSwitch(page).click()
  for (const radio of await ask.getByRole('radio').all()) await expect(radio).not.toBeChecked()
  await expect(confirm).toBeDisabled()
  await ask.getByText('Keep my earlier posts for my followers').click()
  await confirm.click()
  await expect(ask).toBeHidden()
  await expect(privateSwitch(page)).not.toBeChecked()
  expect(await privacyOf(petra)).toMatchObject({ isPrivate: false, followerCount: 2, followRequestCount: 0 })

  await expect(button(ana.page, 'Unfollow')).toBeVisible()
  await expect(tile(ana.page, post)).toHaveCount(1)
  await expect(main(carla.page).getByText('Private', { exact: true })).toHaveCount(0)
  await expect(tile(carla.page, post)).toHaveCount(0)

  await goPrivate(petra)
  await page.reload()
  await privateSwitch(page).click()
  await ask.getByRole('radio', { name: 'Show my earlier posts to everyone' }).check()
  await confirm.click()
  await expect(privateSwitch(page)).not.toBeChecked()
  await carla.page.reload()
  await expect(tile(carla.page, post)).toHaveCount(1)
})

test('PRIV-11 where the proof is old the password is asked for; given up or wrong, nothing changes', async ({
  signedUp,
}) => {
  const petra = await signedUp('Petra')
  await goPrivate(petra)
  const { page } = petra
  let demanded = 0
  await page.route('**/v1/me/privacy', (route) => {
    if (demanded === 2 || route.request().method() === 'GET') return route.fallback()
    demanded += 1
    const json = { message: 'prove it', code: 401, type: 'user_challenge_required' }
    return route.fulfill({ status: 401, json })
  })
  const ask = dialog(page, 'Make your account public?')
  const proof = page.getByRole('dialog', { name: 'Show that it is you' })
  await page.goto('/settings/privacy')
  await privateSwitch(page).click()
  await ask.getByRole('radio', { name: 'Keep my earlier posts for my followers' }).check()
  await ask.getByRole('button', { name: 'Make public' }).click()
  await proof.getByRole('button', { name: 'Cancel' }).click()
  await expect(proof).toBeHidden()
  await expect(ask.getByRole('alert')).toHaveCount(0)
  expect((await privacyOf(petra)).isPrivate).toBe(true)

  await ask.getByRole('button', { name: 'Make public' }).click()
  await proof.getByLabel('Password', { exact: true }).fill('no es la mía')
  await proof.getByRole('button', { name: 'Continue' }).click()
  await expect(proof).toContainText('That is not your password.')
  expect((await privacyOf(petra)).isPrivate).toBe(true)
  await proof.getByLabel('Password', { exact: true }).fill(petra.password)
  await proof.getByRole('button', { name: 'Continue' }).click()
  await expect(ask).toBeHidden()
  await expect(privateSwitch(page)).not.toBeChecked()
  expect((await privacyOf(petra)).isPrivate).toBe(false)
})

test('PRIV-03 PRIV-08 MUTE-12 what fails, offline too, is said where it was asked, changes nothing and can be tried again', async ({
  signedUp,
}) => {
  const petra = await signedUp('Petra')
  const { page, context } = petra
  const ask = dialog(page, 'Make your account private?')
  await page.goto('/settings/privacy')
  await privateSwitch(page).click()
  await context.setOffline(true)
  await ask.getByRole('button', { name: 'Make private' }).click()
  await expect(ask.getByRole('alert')).toHaveText('Something went wrong. Please try again.')
  await context.setOffline(false)
  await ask.getByRole('button', { name: 'Make private' }).click()
  await expect(ask).toBeHidden()
  await expect(privateSwitch(page)).toBeChecked()

  await page.route('**/v1/me/privacy', (route) =>
    route.request().method() === 'GET' ? route.fallback() : fulfillWithServerError(route),
  )
  const onlyMe = main(page).getByRole('radio', { name: 'Only me' })
  await onlyMe.click()
  await expect(toastRegion(page)).toContainText('Something went wrong. Please try again.')
  await expect(onlyMe).not.toBeChecked()

  await refuseRequestsUntilClick(page, '**/v1/me/privacy')
  await page.reload()
  const retry = main(page).getByRole('button', { name: 'Try again' })
  await expect(retry).toBeVisible()
  await expect(main(page).getByRole('link', { name: 'Blocked' })).toBeVisible()
  await retry.click()
  await expect(privateSwitch(page)).toBeChecked()
})

test('REQ-01 REQ-02 the request shows everywhere she is, and is withdrawn after a question', async ({
  signedUp,
  member,
}) => {
  const [ana, petra] = [await signedUp('Ana'), await member('Petra Sol')]
  await goPrivate(petra)
  const { page } = ana
  const count = async () => (await (await petra.request.get('/v1/me/follow-requests/count')).json()).count
  await page.goto(`/profile/${petra.$id}`)
  const release = await holdRequestsToUrl(page, `**/v1/people/${petra.$id}/follow`)
  await button(page, 'Follow').click()
  await expect(button(page, 'Follow')).toHaveText('...')
  release()
  await expect(toastRegion(page)).toContainText('Request sent')
  await expect(toastRegion(page)).toContainText('Petra Sol decides whether you follow her.')
  await expect(button(page, 'Requested')).toBeVisible()
  await expect(main(page).getByRole('heading', { name: 'You asked to follow Petra' })).toBeVisible()
  await expect(main(page)).toContainText('You’ll see her posts here when she says yes.')
  expect(await count()).toBe(1)

  const ask = dialog(page, 'Withdraw your request?')
  await button(page, 'Requested').click()
  await expect(ask.getByRole('button', { name: 'Keep it' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(ask).toBeHidden()
  expect(await count()).toBe(1)

  for (const [path, place] of [
    ['/', main(page).getByRole('complementary', { name: 'People' }).getByRole('listitem')],
    ['/all-users', main(page).getByRole('listitem')],
  ] as const) {
    await page.goto(path)
    const row = place.filter({ hasText: `@${petra.username}` })
    await expect(row.getByRole('button', { name: 'Requested' })).toBeVisible()
  }
  await main(page)
    .getByRole('listitem')
    .filter({ hasText: `@${petra.username}` })
    .getByRole('button', { name: 'Requested' })
    .click()
  await ask.getByRole('button', { name: 'Withdraw' }).click()
  await expect(
    main(page)
      .getByRole('listitem')
      .filter({ hasText: `@${petra.username}` })
      .getByRole('button', { name: 'Follow', exact: true }),
  ).toBeVisible()
  expect(await count()).toBe(0)
})

test('REQ-03 REQ-04 REQ-05 REQ-06 REQ-09 the number comes live, the list says why, approving shows the posts at once, declining is silent @quick', async ({
  signedUp,
  member,
}) => {
  const [petra, ana, carla] = [await signedUp('Petra Sol'), await signedUp('Ana Ruiz'), await member('Carla')]
  await goPrivate(petra)
  const post = await publishPostViaApi(petra)
  await createGroupViaApi(petra, {}, [ana])
  await followMemberViaApi(petra, carla)
  const { page } = petra
  await openPageWithSocket(page, '/all-users')
  const link = main(page).getByRole('link', { name: /^Follow requests/ })
  await expect(title(page)).toHaveText('People')
  await expect(link).toHaveCount(0)
  await followMemberViaApi(carla, petra)
  await expect(link).toHaveText(/1$/)
  await openPageWithSocket(ana.page, `/profile/${petra.$id}`)
  await button(ana.page, 'Follow').click()
  await expect(link).toHaveText(/2$/)
  await page.goto(`/profile/${petra.$id}`)
  await expect(link).toHaveText(/2$/)
  await page.goto('/settings/privacy')
  await expect(link).toHaveText(/2$/)
  await link.click()

  await expect(page).toHaveURL('/follow-requests')
  await expect(title(page)).toHaveText('Follow requests')
  await expect(
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'People' }),
  ).toHaveAttribute('aria-current', 'page')
  await expect(main(page)).toContainText(
    'Your account is private. Who you approve sees your posts, the old ones too. Nobody is told when you decline.',
  )
  const rows = main(page).getByRole('region', { name: 'Requests' }).getByRole('listitem')
  await expect(rows).toHaveCount(2)
  await expect(rows.first()).toContainText(`Ana Ruiz@${ana.username}`)
  await expect(rows.first()).toContainText('1 group in common')
  await expect(rows.first()).toContainText('Joined just now')
  await expect(rows.last()).toContainText('You follow her')
  await expect(rows.last()).not.toContainText('in common')

  await expect(main(ana.page).getByRole('heading', { name: 'You asked to follow Petra' })).toBeVisible()
  await button(page, 'Approve Ana Ruiz').click()
  await expect(toastRegion(page)).toContainText('Approved')
  await expect(toastRegion(page)).toContainText('Ana Ruiz follows you now.')
  await expect(request(page, 'Ana Ruiz')).toHaveCount(0)
  await expect(tile(ana.page, post)).toHaveCount(1)
  await expect(button(ana.page, 'Unfollow')).toBeVisible()

  await button(page, 'Decline Carla').click()
  await expect(toastRegion(page)).toContainText('Declined')
  await expect(toastRegion(page)).toContainText('She isn’t told.')
  await expect(main(page).getByRole('heading', { name: 'No pending requests' })).toBeVisible()
  const seen = await (await carla.request.get(`/v1/people/${petra.$id}`)).json()
  expect([seen.requested, seen.following]).toEqual([true, false])
})

test('REQ-03 REQ-12 the list goes on as she scrolls; a request that is withdrawn meanwhile goes; a failure can be tried again', async ({
  signedUp,
  member,
}) => {
  const petra = await signedUp('Petra')
  await goPrivate(petra)
  const { page } = petra
  const fans: JourneyMember[] = []
  for (let number = 0; number < 21; number += 1) fans.push(await member(`Fan ${number}`))
  for (const fan of fans) await followMemberViaApi(fan, petra)
  await page.goto('/follow-requests')
  const rows = main(page).getByRole('region', { name: 'Requests' }).getByRole('listitem')
  await expect(rows.first()).toContainText('Fan 20')
  await rows.last().scrollIntoViewIfNeeded()
  await expect(rows).toHaveCount(21)

  await page.route('**/v1/me/follow-requests/*/approve', fulfillWithServerError)
  await button(page, 'Approve Fan 20').click()
  await expect(toastRegion(page)).toContainText('Something went wrong. Please try again.')
  await expect(request(page, 'Fan 20')).toBeVisible()
  await page.unroute('**/v1/me/follow-requests/*/approve')
  await openPageWithSocket(page, '/follow-requests')
  await expect(request(page, 'Fan 20')).toBeVisible()
  const last = fans[20] as JourneyMember
  expect((await last.request.delete(`/v1/people/${petra.$id}/follow`, { data: {} })).ok()).toBe(true)
  await expect(request(page, 'Fan 20')).toHaveCount(0)

  await refuseRequestsUntilClick(page, '**/v1/me/follow-requests')
  await page.reload()
  await main(page).getByRole('button', { name: 'Try again' }).click()
  await expect(rows.first()).toContainText('Fan 19')
})

test('MUTE-10 MUTE-11 petra removes followers from the menu and from her list; the posts leave their open page at once', async ({
  signedUp,
  member,
}) => {
  const [petra, bea, carla] = [await signedUp('Petra Sol'), await signedUp('Bea'), await member('Carla')]
  for (const fan of [bea, carla]) await followMemberViaApi(fan, petra)
  await goPrivate(petra)
  const post = await publishPostViaApi(petra)
  await openPageWithSocket(bea.page, `/profile/${petra.$id}`)
  await expect(tile(bea.page, post)).toHaveCount(1)

  const { page } = petra
  const more = (name: string) => page.getByRole('button', { name: `More about ${name}` })
  const item = page.getByRole('menuitem', { name: /^Remove as follower/ })
  await page.goto(`/profile/${bea.$id}`)
  await more('Bea').click()
  await expect(item).toContainText('She isn’t told.')
  await item.click()
  await expect(toastRegion(page)).toContainText('Removed')
  await expect(toastRegion(page)).toContainText('Bea doesn’t follow you any more.')
  await expect(tile(bea.page, post)).toHaveCount(0)
  await expect(main(bea.page).getByRole('heading', { name: 'This account is private' })).toBeVisible()
  await more('Bea').click()
  await expect(page.getByRole('menuitem', { name: /^Block/ })).toBeVisible()
  await expect(item).toHaveCount(0)
  await page.keyboard.press('Escape')

  await page.goto('/settings/privacy')
  const followers = main(page).getByRole('link', { name: /^Your followers/ })
  await expect(followers).toContainText('Remove anyone without telling her.')
  await expect(followers).toContainText('1')
  await followers.click()
  const list = page.getByRole('dialog', { name: 'Followers' })
  await list.getByRole('button', { name: 'Remove Carla as follower' }).click()
  await expect(toastRegion(page)).toContainText('Carla doesn’t follow you any more.')
  await expect(list.getByText('No followers yet')).toBeVisible()
  await list.getByRole('button', { name: 'Close' }).click()
  await expect(page).toHaveURL('/settings/privacy')
  await expect(followers).toContainText('0')
  // Of others' followers nobody is removed.
  await page.goto(`/profile/${bea.$id}?list=following`)
  await expect(page.getByRole('dialog').getByRole('button', { name: /^Remove/ })).toHaveCount(0)
})

test('MUTE-12 MUTE-13 MUTE-14 who sees the lists is kept, closed ones say who may, and who is not listed is not in People', async ({
  signedUp,
  member,
}) => {
  const [petra, ana, bea] = [await signedUp('Petra Sol'), await signedUp('Ana'), await member('Bea')]
  await followMemberViaApi(bea, petra)
  const { page } = petra
  const choose = main(page).getByRole('radiogroup', { name: 'Who can see my followers and who I follow' })
  const saved = async (name: string) => {
    const stored = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
    await choose.getByRole('radio', { name }).click()
    await expect(choose.getByRole('radio', { name })).toBeChecked()
    await stored
  }
  await page.goto('/settings/privacy')
  await expect(choose.getByRole('radio', { name: 'Everyone' })).toBeChecked()
  for (const [name, words] of [
    ['My followers', 'Only followers of Petra Sol can see this.'],
    ['Only me', 'Only Petra Sol can see this.'],
  ] as const) {
    await saved(name)
    await page.reload()
    await expect(choose.getByRole('radio', { name })).toBeChecked()
    await ana.page.goto(`/profile/${petra.$id}`)
    await expect(main(ana.page).getByRole('term')).toHaveText(['Posts'])
    for (const list of ['followers', 'following']) {
      await ana.page.goto(`/profile/${petra.$id}?list=${list}`)
      await expect(ana.page.getByRole('dialog').getByText(words)).toBeVisible()
    }
  }
  await expect(main(page)).toContainText('The numbers are hidden too.')
  await page.goto(`/profile/${petra.$id}`)
  await expect(main(page).getByRole('link', { name: '1 Followers' })).toBeVisible()

  await page.goto('/settings/privacy')
  await expect(main(page)).toContainText('When off, only people with the link to your profile find it.')
  const listed = main(page).getByRole('switch', { name: 'Show me in People and search' })
  await expect(listed).toBeChecked()
  const stored = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await listed.press('Space')
  await stored
  await expect(listed).not.toBeChecked()
  await ana.page.goto('/all-users')
  await expect(main(ana.page).getByText(`@${bea.username}`)).toBeVisible()
  await expect(main(ana.page).getByText(`@${petra.username}`)).toHaveCount(0)
  await ana.page.goto(`/profile/${petra.$id}`)
  await expect(title(ana.page)).toHaveText('Petra Sol')

  await goPrivate(petra)
  await page.reload()
  await expect(listed).not.toBeChecked()
  await expect(choose.getByRole('radio', { name: 'Everyone' })).toBeDisabled()
})

test('PRIV-14 a private member is told that a post out of its group is for her followers', async ({
  signedUp,
}) => {
  const petra = await signedUp('Petra')
  await goPrivate(petra)
  const group = await createGroupViaApi(petra)
  const post = await publishPostViaApi(petra, { groupId: group.$id })
  const { page } = petra
  await page.goto(`/update-post/${post.$id}`)
  await main(page).getByRole('combobox').selectOption('')
  await main(page).getByRole('button', { name: 'Update Post' }).click()
  const ask = page.getByRole('alertdialog')
  await expect(ask).toContainText('This post will become visible to your followers.')
  await ask.getByRole('button', { name: 'Take it out' }).click()
  await expect(ask).toBeHidden()
  await expect.poll(async () => (await privacyOf(petra)).followersOnlyPostCount).toBe(1)
})
