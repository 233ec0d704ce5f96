import type { Page } from '@playwright/test'
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
  type JourneyMember,
  type JourneyMemberWithPage,
  openPageWithSocket,
  test,
} from './fixtures.ts'
import { followMemberViaApi, publishPostViaApi } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const title = (page: Page) => main(page).getByRole('heading', { level: 1 })
const rowOf = (page: Page, name: string) => main(page).getByRole('listitem', { name })
const closed = (page: Page) => main(page).getByText('You can’t send messages in this conversation.')

async function block(person: JourneyMember, other: JourneyMember) {
  const answer = await person.request.put(`/v1/people/${other.$id}/block`, { data: {} })
  expect(answer.ok()).toBe(true)
}

const listening = (person: JourneyMemberWithPage, path: string, page = person.page): Promise<Page> =>
  openPageWithSocket(page, path)

test("BLK-19 when one member blocks another, each disappears from the other's open pages: profile, post, lists, Back and Forward", async ({
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

test("BLK-19 ana disappears from iria's loaded pages and lists as soon as they receive the block", async ({
  signedUp,
  member,
}) => {
  const [iria, ana] = [await signedUp('Iria'), await member('Ana')]
  const hers = await publishPostViaApi(ana)
  await followMemberViaApi(iria, ana)
  const blocked = Promise.withResolvers<void>()
  const open = async (path: string) => {
    const page = await iria.context.newPage()
    await page.routeWebSocket('**/v1/live', async (socket) => {
      await blocked.promise
      socket.connectToServer()
    })
    await page.goto(path)
    return page
  }
  const [profile, post, home, explore] = [
    await open(`/profile/${ana.$id}`),
    await open(`/posts/${hers.$id}`),
    await open('/'),
    await open('/explore'),
  ]
  const links = (page: Page) => main(page).locator(`a[href*="${hers.$id}"]`)
  await expect(title(profile)).toHaveText('Ana')
  await expect(title(post)).toHaveText('Post by Ana')
  for (const page of [home, explore]) await expect(links(page).first()).toBeVisible()
  await block(ana, iria)
  blocked.resolve()
  await expect(title(profile)).toHaveText('Profile not found')
  await expect(title(post)).toHaveText('Post not found')
  for (const page of [home, explore]) await expect(links(page)).toHaveCount(0)
})

test("BLK-04 BLK-16 BLK-17 BLK-27 ana blocks iria: the conversation closes for both, iria sees ana's old name, and ana opens it from the blocked list @quick", async ({
  signedUp,
}) => {
  const [ana, iria] = [await signedUp('Ana Ruiz'), await signedUp('Iria Montes')]
  const conversation = await openConversationViaApi(ana, iria)
  await sendMessageViaApi(ana, conversation, 'Nos vemos el jueves')
  await sendMessageViaApi(iria, conversation, 'Llevo yo el pan')
  await listening(ana, '/')
  const unread = ana.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Chat/ })
  await expect(unread).toContainText('1')
  await openConversationPage(iria, conversation)
  await expect(locateMessageInput(iria.page)).toBeVisible()

  await ana.page.goto(`/profile/${iria.$id}`)
  await ana.page.getByRole('button', { name: 'More about Iria Montes' }).click()
  await ana.page.getByRole('menuitem', { name: /^Block / }).click()
  await ana.page.getByRole('alertdialog').getByRole('button', { name: 'Block', exact: true }).click()
  await expect(ana.page).toHaveURL('/settings/blocked')
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

  await page.goto('/settings/blocked')
  await main(page).getByRole('button', { name: 'Unblock Iria Montes' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Unblock' }).click()
  await expect(main(page).getByText('You haven’t blocked anyone.')).toBeVisible()
  await page.goto(`/profile/${iria.$id}`)
  await expect(main(page).getByRole('button', { name: 'Follow', exact: true })).toBeVisible()
})
