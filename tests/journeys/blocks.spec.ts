/** Blocking somebody and everything it takes out of sight, for the two at once, each in a browser of her own. */
import type { Locator, Page } from '@playwright/test'
import {
  locateConversationList,
  locateConversationRow,
  locateMessageBubble,
  locateMessageInput,
  openConversationPage,
  openConversationViaApi,
  sendMessageViaApi,
} from './chat-steps.ts'
import {
  expect,
  fulfillWithServerError,
  type JourneyMember,
  type JourneyMemberWithPage,
  openPageWithSocket,
  test,
  toastRegion,
} from './fixtures.ts'
import { createGroupViaApi } from './group-steps.ts'
import { holdRequestsToUrl } from './network-steps.ts'
import { followMemberViaApi, publishPostViaApi } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const title = (page: Page) => main(page).getByRole('heading', { level: 1 })
const more = (page: Page, name: string) => page.getByRole('button', { name: `More about ${name}` })
const item = (page: Page) => page.getByRole('menuitem', { name: /^Block / })
const report = (page: Page) => page.getByRole('menuitem', { name: /^Report / })
const mute = (page: Page) => page.getByRole('menuitem', { name: /^Mute/ })
const restrict = (page: Page) => page.getByRole('menuitem', { name: /^Restrict/ })
const dialog = (page: Page) => page.getByRole('alertdialog')
const confirm = (page: Page) => dialog(page).getByRole('button', { name: 'Block', exact: true })
const rowOf = (page: Page, name: string) => main(page).getByRole('listitem', { name })
const closed = (page: Page) => main(page).getByText('You can’t send messages in this conversation.')

async function block(person: JourneyMember, other: JourneyMember) {
  const answer = await person.request.put(`/v1/people/${other.$id}/block`, { data: {} })
  expect(answer.ok()).toBe(true)
}

const listening = (person: JourneyMemberWithPage, path: string, page = person.page): Promise<Page> =>
  openPageWithSocket(page, path)

/** Three presses, the last once the dialog has learned which groups both are in. */
async function pressThrice(page: Page, name: string, press: (target: Locator) => Promise<void>) {
  await press(more(page, name))
  await press(item(page))
  await expect(confirm(page)).not.toHaveAttribute('aria-busy')
  await press(confirm(page))
}

test('BLK-01 BLK-02 BLK-03 BLK-04 by keyboard alone ana blocks iria from her profile, removes her from her own group, and takes it back @quick', async ({
  signedUp,
  member,
}) => {
  const [ana, iria, bea] = [await signedUp('Ana Ruiz'), await member('Iria Montes'), await member('bea')]
  const hers = await createGroupViaApi(ana, { name: `Cerámica ${ana.username}` }, [iria])
  const other = await createGroupViaApi(bea, { name: `Lectoras ${bea.username}` }, [ana, iria])
  await followMemberViaApi(ana, iria)
  const { page } = ana
  await page.goto(`/profile/${ana.$id}`)
  await expect(title(page)).toHaveText('Ana Ruiz')
  await expect(page.getByRole('button', { name: /^More about/ })).toHaveCount(0)

  const choose = async () => {
    await page.keyboard.press('Enter')
    await expect(mute(page)).toBeFocused()
    await page.keyboard.press('End')
    await expect(item(page)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(dialog(page)).toBeVisible()
  }
  await page.goto(`/profile/${iria.$id}`)
  await more(page, 'Iria Montes').focus()
  await page.keyboard.press('Enter')
  await expect(mute(page)).toBeFocused()
  await expect(item(page)).toHaveText(/^Block Iria…/)
  for (const [key, reached] of [
    ['ArrowDown', restrict],
    ['ArrowDown', report],
    ['ArrowDown', item],
    ['ArrowDown', mute],
    ['ArrowUp', item],
    ['Home', mute],
    ['End', item],
  ] as const) {
    await page.keyboard.press(key)
    await expect(reached(page)).toBeFocused()
  }
  await page.keyboard.press('Escape')
  await expect(item(page)).toBeHidden()
  await expect(more(page, 'Iria Montes')).toBeFocused()

  await choose()
  await expect(dialog(page)).toHaveAccessibleName('Block Iria Montes?')
  await expect(dialog(page).getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expect(dialog(page)).toContainText(
    'She can’t see you, your posts or your photos, and you don’t see hers. Not in groups either.',
  )
  await expect(dialog(page)).toContainText('She isn’t told. To her it looks as if your account were closed.')
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  await expect(title(page)).toHaveText('Iria Montes')
  await expect(more(page, 'Iria Montes')).toBeFocused()

  await choose()
  const groups = dialog(page).getByRole('region', { name: 'You are both in 2 groups' })
  await expect(groups.getByRole('listitem').filter({ hasText: other.name })).toContainText(
    'You stay, and don’t see each other there',
  )
  await expect(
    groups.getByRole('checkbox', { name: `${hers.name} Your group. Remove her from it too` }),
  ).toBeChecked()
  await expect(groups.getByRole('checkbox')).toHaveCount(1)
  await page.keyboard.press('Tab')
  await expect(confirm(page)).toBeFocused()
  await page.keyboard.press('Enter')

  await expect(page).toHaveURL('/settings/blocked')
  await expect(toastRegion(page)).toContainText('Blocked')
  await expect(toastRegion(page)).toContainText('You won’t see Iria Montes any more.')
  await expect(rowOf(page, 'Iria Montes')).toBeVisible()
  const membership = async (groupId: string) =>
    (await (await bea.request.get(`/v1/groups/${groupId}/membership?userId=${iria.$id}`)).json()).isMember
  expect(await membership(other.$id)).toBe(true)
  expect((await (await iria.request.get(`/v1/groups/${hers.$id}/membership`)).json()).isMember).toBe(false)

  await toastRegion(page).getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(toastRegion(page)).toContainText('Unblocked')
  await expect(main(page).getByText('You haven’t blocked anyone.')).toBeVisible()
  await page.goto(`/profile/${iria.$id}`)
  await expect(main(page).getByRole('button', { name: 'Follow', exact: true })).toBeVisible()
})

test('BLK-03 ana keeps iria in her own group where she unchecks it, on a phone in three taps @phone', async ({
  signedUp,
  member,
}) => {
  const [ana, iria] = [await signedUp('Ana'), await member('Iria Montes')]
  const group = await createGroupViaApi(ana, {}, [iria])
  const { page } = ana
  await page.goto(`/profile/${ana.$id}`)
  await main(page).getByRole('link', { name: 'Settings' }).tap()
  await expect(title(page)).toHaveText('Settings')
  await page.goto(`/profile/${iria.$id}`)
  await more(page, 'Iria Montes').tap()
  await item(page).tap()
  await dialog(page).getByRole('checkbox').tap()
  await confirm(page).tap()
  await expect(page).toHaveURL('/settings/blocked')
  expect((await (await iria.request.get(`/v1/groups/${group.$id}/membership`)).json()).isMember).toBe(true)
  await main(page).getByRole('button', { name: 'Unblock Iria Montes' }).tap()
  await dialog(page).getByRole('button', { name: 'Unblock' }).tap()
  await expect(main(page).getByText('You haven’t blocked anyone.')).toBeVisible()

  await page.goto(`/profile/${iria.$id}`)
  let taps = 0
  await pressThrice(page, 'Iria Montes', (target) => {
    taps += 1
    return target.tap()
  })
  await expect(page).toHaveURL('/settings/blocked')
  expect(taps).toBe(3)
})

test('BLK-19 with the block the open pages of both lose the other: profile, post, lists, and Back and Forward', async ({
  signedUp,
}) => {
  const [ana, iria] = [await signedUp('Ana'), await signedUp('Iria')]
  const [hers, irias] = [await publishPostViaApi(ana), await publishPostViaApi(iria)]
  await followMemberViaApi(iria, ana)
  const [home, profile, post, explore] = [
    iria.page,
    await iria.context.newPage(),
    await iria.context.newPage(),
    await iria.context.newPage(),
  ]
  await listening(iria, '/', home)
  const articles = main(home).getByRole('article', { name: 'Post by Ana' })
  await expect(articles).toHaveCount(1)
  await profile.goto('/')
  await main(profile).getByRole('link', { name: 'Ana', exact: true }).first().click()
  await expect(title(profile)).toHaveText('Ana')
  await post.goto(`/posts/${hers.$id}`)
  await expect(main(post).getByRole('article')).toContainText(hers.caption)
  await explore.goto('/explore')
  await expect(main(explore).locator(`a[href="/posts/${hers.$id}"]`)).toHaveCount(1)
  await listening(ana, `/posts/${irias.$id}`)
  await expect(main(ana.page).getByRole('article')).toContainText(irias.caption)
  const second = await ana.context.newPage()
  await second.goto(`/profile/${iria.$id}`)
  await expect(title(second)).toHaveText('Iria')

  await block(ana, iria)
  await Promise.all([
    expect(title(profile)).toHaveText('Profile not found'),
    expect(title(post)).toHaveText('Post not found'),
    expect(articles).toHaveCount(0),
    expect(main(explore).locator(`a[href="/posts/${hers.$id}"]`)).toHaveCount(0),
    expect(title(ana.page)).toHaveText('Post not found'),
    expect(title(second)).toHaveText('Profile not found'),
  ])

  await profile.goBack()
  await expect(title(profile)).toHaveText('Following')
  await expect(main(profile).getByRole('article', { name: 'Post by Ana' })).toHaveCount(0)
  await expect(main(profile).getByRole('link', { name: 'Ana', exact: true })).toHaveCount(0)
  await profile.goForward()
  await expect(title(profile)).toHaveText('Profile not found')
  for (const page of [home, profile, post, explore])
    await expect(page.locator(`img[src*="${hers.imageId}"]`)).toHaveCount(0)
})

test('BLK-19 a page that loaded before it could hear of the block learns of it once it can', async ({
  signedUp,
  member,
}) => {
  const [iria, ana] = [await signedUp('Iria'), await member('Ana')]
  const hers = await publishPostViaApi(ana)
  for (const [path, shown, gone] of [
    [`/profile/${ana.$id}`, 'Ana', 'Profile not found'],
    [`/posts/${hers.$id}`, 'Post by Ana', 'Post not found'],
  ] as const) {
    const page = await iria.context.newPage()
    const blocked = Promise.withResolvers<void>()
    await page.routeWebSocket('**/v1/live', async (socket) => {
      await blocked.promise
      socket.connectToServer()
    })
    await page.goto(path)
    await expect(title(page)).toHaveText(shown)
    await block(ana, iria)
    blocked.resolve()
    await expect(title(page)).toHaveText(gone)
    await page.close()
    expect((await ana.request.delete(`/v1/people/${iria.$id}/block`)).ok()).toBe(true)
  }
})

test('BLK-19 lists that loaded before the page could hear of the block lose the member once it can', async ({
  signedUp,
  member,
}) => {
  const [iria, ana] = [await signedUp('Iria'), await member('Ana')]
  const hers = await publishPostViaApi(ana)
  for (const path of ['/', '/explore']) {
    await followMemberViaApi(iria, ana)
    const page = await iria.context.newPage()
    const blocked = Promise.withResolvers<void>()
    await page.routeWebSocket('**/v1/live', async (socket) => {
      await blocked.promise
      socket.connectToServer()
    })
    await page.goto(path)
    const post = main(page).locator(`a[href*="${hers.$id}"]`)
    await expect(post.first()).toBeVisible()
    await block(ana, iria)
    blocked.resolve()
    await expect(post).toHaveCount(0)
    await page.close()
    expect((await ana.request.delete(`/v1/people/${iria.$id}/block`)).ok()).toBe(true)
  }
})

test('BLK-16 BLK-17 the conversation closes for both: iria keeps it with the old name, ana finds it in the blocked list @quick', async ({
  signedUp,
}) => {
  const [ana, iria] = [await signedUp('Ana Ruiz'), await signedUp('Iria Montes')]
  const talk = await openConversationViaApi(ana, iria)
  await sendMessageViaApi(ana, talk, 'Nos vemos el jueves')
  await sendMessageViaApi(iria, talk, 'Llevo yo el pan')
  await listening(ana, '/')
  const unread = ana.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Chat/ })
  await expect(unread).toContainText('1')
  await openConversationPage(iria, talk)
  await expect(locateMessageInput(iria.page)).toBeVisible()

  await block(ana, iria)
  await expect(closed(iria.page)).toBeVisible()
  await expect(locateMessageInput(iria.page)).toHaveCount(0)
  await expect(unread).not.toContainText('1')
  expect((await ana.request.patch(`/v1/people/${ana.$id}`, { data: { name: 'Otra Ruiz' } })).ok()).toBe(true)

  await iria.page.reload()
  const hers = iria.page.getByRole('region', { name: 'Conversation' })
  await expect(hers).toContainText(`Ana Ruiz@${ana.username}`)
  await expect(locateMessageBubble(iria.page, 'Nos vemos el jueves')).toBeVisible()
  await expect(closed(iria.page)).toBeVisible()
  await expect(locateConversationRow(iria.page, 'Ana Ruiz')).toBeVisible()
  await expect(hers.getByRole('link', { name: /Ruiz/ })).toHaveCount(0)
  await expect(hers.locator('img')).toHaveCount(0)

  const { page } = ana
  await page.goto('/chat')
  await expect(main(page).getByText('No conversations yet')).toBeVisible()
  await expect(locateConversationList(page)).toHaveCount(0)
  await page.goto('/settings/blocked')
  await rowOf(page, 'Iria Montes').getByRole('link', { name: 'See messages' }).click()
  await expect(locateMessageBubble(page, 'Llevo yo el pan')).toBeVisible()
  await expect(closed(page)).toBeVisible()
  await expect(locateMessageInput(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'More about Iria Montes' })).toHaveCount(0)
})

test('BLK-30 BLK-28 iria blocks back from the conversation’s menu; unblocked by ana alone they stay apart', async ({
  signedUp,
  member,
}) => {
  const [iria, ana] = [await signedUp('Iria'), await member('Ana')]
  const talk = await openConversationViaApi(ana, iria)
  await sendMessageViaApi(ana, talk, 'Hola')
  await block(ana, iria)
  const { page } = iria
  await page.goto(`/chat/${talk}`)
  await expect(closed(page)).toBeVisible()
  await pressThrice(page, 'Ana', (target) => target.click())
  await expect(toastRegion(page)).toContainText('You won’t see Ana any more.')
  await expect(page).toHaveURL(`/chat/${talk}`)
  await expect(more(page, 'Ana')).toHaveCount(0)

  expect((await ana.request.delete(`/v1/people/${iria.$id}/block`)).ok()).toBe(true)
  await page.goto(`/profile/${ana.$id}`)
  await expect(title(page)).toHaveText('Profile not found')
  await page.goto('/settings/blocked')
  await main(page).getByRole('button', { name: 'Unblock Ana' }).click()
  await expect(dialog(page)).toHaveAccessibleName('Unblock Ana?')
  await expect(dialog(page)).toContainText('You can find each other again. You won’t follow each other.')
  await dialog(page).getByRole('button', { name: 'Unblock' }).click()
  await expect(toastRegion(page)).toContainText('Unblocked')
  await page.goto(`/profile/${ana.$id}`)
  await expect(title(page)).toHaveText('Ana')
})

test('BLK-23 BLK-24 in Members the admin reads how many she blocked, and marks them; a post’s menu blocks too', async ({
  signedUp,
  member,
}) => {
  const [ana, iria, olga] = [await signedUp('Ana'), await member('Iria'), await member('Olga')]
  const group = await createGroupViaApi(ana, {}, [iria, olga])
  await publishPostViaApi(iria, { groupId: group.$id })
  const { page } = ana
  await page.goto(`/groups/${group.$id}`)
  await expect(main(page).getByRole('article', { name: 'Post by Iria' })).toBeVisible()
  await more(page, 'Iria').click()
  await item(page).click()
  await dialog(page).getByRole('checkbox').uncheck()
  await confirm(page).click()
  await expect(toastRegion(page)).toContainText('You won’t see Iria any more.')

  await expect(main(page).getByText('Hidden because you blocked her.')).toBeVisible()
  await expect(main(page).getByRole('article')).toHaveCount(0)
  await main(page).getByRole('button', { name: 'Show', exact: true }).click()
  await expect(main(page).getByRole('article', { name: 'Post by Iria' })).toBeVisible()
  await expect(more(page, 'Iria')).toHaveCount(0)

  await main(page).getByRole('button', { name: 'Members (3)' }).click()
  const members = page.getByRole('dialog', { name: 'Members' })
  await expect(members.getByText('1 person you blocked is in this group.')).toBeVisible()
  const irias = members.getByRole('listitem').filter({ hasText: `@${iria.username}` })
  await expect(irias).toContainText('Blocked')
  await expect(irias.getByRole('button', { name: 'Remove Iria' })).toBeVisible()
  await expect(irias.getByRole('link')).toHaveCount(0)

  await members.getByRole('button', { name: 'More about Olga' }).click()
  await item(page).click()
  await dialog(page).getByRole('checkbox').uncheck()
  await confirm(page).click()
  await expect(members.getByText('2 people you blocked are in this group.')).toBeVisible()
})

test('BLK-27 the blocked list: newest first, names as they were, page by page, the switch for newer accounts', async ({
  signedUp,
  member,
}) => {
  const ana = await signedUp('Ana')
  const { page } = ana
  await page.goto('/')
  await page.getByRole('complementary', { name: 'Sidebar' }).getByRole('link', { name: 'Settings' }).click()
  await expect(title(page)).toHaveText('Settings')
  await main(page).getByRole('link', { name: 'Privacy and safety' }).click()
  await expect(title(page)).toHaveText('Privacy and safety')
  await main(page).getByRole('link', { name: 'Blocked' }).click()
  await expect(title(page)).toHaveText('Blocked people')
  await expect(main(page).getByText('You haven’t blocked anyone.')).toBeVisible()
  await main(page).getByRole('link', { name: 'Privacy and safety' }).click()
  await expect(page).toHaveURL('/settings/privacy')

  const people: JourneyMember[] = []
  for (let number = 0; number < 22; number++) people.push(await member(`Iria ${number}`))
  for (const person of people) await block(ana, person)
  const [first, last] = [people[0] as JourneyMember, people[21] as JourneyMember]
  expect((await last.request.patch(`/v1/people/${last.$id}`, { data: { name: 'Otra' } })).ok()).toBe(true)
  await page.goto('/settings/blocked')
  const rows = main(page).getByRole('region', { name: 'Blocked people' }).locator('li[aria-labelledby]')
  await expect(rows.first()).toContainText(`Iria 21@${last.username}`)
  await expect(rows.first()).toContainText('Blocked just now')
  await rows.last().scrollIntoViewIfNeeded()
  await expect(rows).toHaveCount(22)
  await expect(rows.last()).toContainText(`Iria 0@${first.username}`)

  const newer = rows.first().getByRole('switch', { name: 'Newer accounts from her browser' })
  await expect(newer).toBeChecked()
  await newer.press('Space')
  await expect(newer).not.toBeChecked()
  await expect(newer).not.toHaveAttribute('aria-busy')
  await page.reload()
  await expect(newer).not.toBeChecked()
  await page.route('**/v1/me/blocks/*', fulfillWithServerError)
  await newer.press('Space')
  await expect(toastRegion(page)).toContainText('Something went wrong. Please try again.')
  await expect(newer).not.toBeChecked()
})

test('BLK-27 nothing that is still to come moves Blocked away under a press', async ({ signedUp }) => {
  const { page } = await signedUp('Ana')
  const release = await holdRequestsToUrl(page, '**/v1/me/privacy')
  await page.goto('/settings/privacy')
  await expect(title(page)).toHaveText('Privacy and safety')
  const link = main(page).getByRole('link', { name: 'Blocked' })
  await expect(link).toHaveCount(0)
  release()
  await link.click()
  await expect(title(page)).toHaveText('Blocked people')
})

test('BLK-04 BLK-27 what fails, offline too, is said where it was asked, changes nothing and can be tried again', async ({
  signedUp,
  member,
}) => {
  const [ana, iria] = [await signedUp('Ana'), await member('Iria')]
  const { page, context } = ana
  await page.goto(`/profile/${iria.$id}`)
  await more(page, 'Iria').click()
  await item(page).click()
  await expect(confirm(page)).not.toHaveAttribute('aria-busy')
  await context.setOffline(true)
  await confirm(page).click()
  await expect(dialog(page).getByRole('alert')).toHaveText('Something went wrong. Please try again.')
  await context.setOffline(false)
  await confirm(page).click()
  await expect(page).toHaveURL('/settings/blocked')
  await expect(rowOf(page, 'Iria')).toBeVisible()

  await page.route('**/v1/people/*/block', fulfillWithServerError)
  await main(page).getByRole('button', { name: 'Unblock Iria' }).click()
  await dialog(page).getByRole('button', { name: 'Unblock' }).click()
  await expect(toastRegion(page)).toContainText('Something went wrong. Please try again.')
  await expect(rowOf(page, 'Iria')).toBeVisible()

  await page.route('**/v1/me/blocks', (route) => route.fulfill({ status: 403, json: {} }))
  await page.reload()
  const retry = main(page).getByRole('button', { name: 'Try again' })
  await expect(retry).toBeVisible()
  await page.unroute('**/v1/me/blocks')
  await retry.click()
  await expect(rowOf(page, 'Iria')).toBeVisible()
})
