/** Words and addresses in messages: finding the ones, and following the others. */
import { findAxeProblems } from './axe-steps.ts'
import {
  locateMessageBubble,
  locateMessageThread,
  openConversationPage,
  openConversationViaApi,
  sendMessageViaApi,
  typeAndSendMessage,
} from './chat-steps.ts'
import { expect, fulfillWithServerError, type JourneyMember, test } from './fixtures.ts'
import { createGroupViaApi } from './group-steps.ts'
import { followMemberViaApi, publishPostViaApi } from './post-steps.ts'

test('CHPH-09 @both she searches her messages, goes to what was found far up, and back to her conversations @quick', async ({
  signedUp,
  member,
}, info) => {
  const [ana, bea] = [await signedUp('ana'), await member('bea')]
  const talk = await openConversationViaApi(ana, bea)
  await followMemberViaApi(ana, bea)
  await sendMessageViaApi(bea, talk, 'La receta del café de olla')
  for (let number = 1; number <= 70; number++) await sendMessageViaApi(bea, talk, `otra cosa ${number}`)
  const { page } = ana
  await page.goto('/chat')
  const opener = page.getByRole('button', { name: 'Search messages' })
  await opener.click()
  const box = page.getByRole('searchbox', { name: 'Search messages' })
  await expect(box).toBeFocused()
  await expect(page.getByText('Type two letters or more.')).toBeVisible()
  await box.fill('palabra que no hay')
  await expect(page.getByText('No messages found.')).toBeVisible()
  await box.fill('CAFE')
  const found = page.getByRole('list', { name: 'Found messages' }).getByRole('listitem')
  await expect(found).toHaveCount(1)
  await expect(found).toContainText('La receta del café de olla')
  expect(await findAxeProblems(page)).toEqual([])
  await found.getByRole('link').click()
  const message = locateMessageThread(page).locator('[data-marked]')
  await expect(message).toContainText('La receta del café de olla')
  await expect(message).toBeInViewport()
  if (info.project.name === 'phone') await page.getByRole('button', { name: 'Open sidebar' }).click()
  await page.getByRole('button', { name: 'Back to conversations' }).click()
  await expect(opener).toBeFocused()
  await expect(page.getByRole('list', { name: 'Conversations' })).toBeVisible()
})

test('CHPH-09 a search that fails says so and is repeated; the next page is asked for by its button', async ({
  signedUp,
  member,
}) => {
  const [ana, bea] = [await signedUp('ana'), await member('bea')]
  const talk = await openConversationViaApi(ana, bea)
  await followMemberViaApi(ana, bea)
  for (let number = 1; number <= 25; number++) await sendMessageViaApi(bea, talk, `naranja ${number}.`)
  const { page } = ana
  await page.goto('/chat')
  await page.getByRole('button', { name: 'Search messages' }).click()
  await page.route('**/v1/search/messages**', fulfillWithServerError)
  await page.getByRole('searchbox', { name: 'Search messages' }).fill('naranja')
  await expect(page.getByText('We couldn’t search.')).toBeVisible({ timeout: 20_000 })
  await page.unroute('**/v1/search/messages**')
  await page.getByRole('button', { name: 'Try again' }).click()
  const found = page.getByRole('list', { name: 'Found messages' }).getByRole('listitem')
  await expect(found).toHaveCount(20)
  await page.getByRole('button', { name: 'Search further back' }).click()
  await expect(found).toHaveCount(25)
  await expect(page.getByRole('button', { name: 'Search further back' })).toBeHidden()
  await expect(found.last()).toContainText('naranja 1.')
})

test('CHPH-07 a link names its host as the network does, and nothing is asked of it until it is pressed', async ({
  signedUp,
  member,
}) => {
  const [ana, bea] = [await signedUp('ana'), await member('bea')]
  const talk = await openConversationViaApi(ana, bea)
  const { page } = ana
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).host))
  await sendMessageViaApi(bea, talk, 'paga en https://раураl.com/cuenta')
  await openConversationPage(ana, talk)
  const bubble = locateMessageBubble(page, 'paga en')
  await expect(bubble.getByText(/· xn--\S+\.com/)).toBeVisible()
  await expect(bubble.getByRole('link')).toHaveAttribute('rel', 'noopener noreferrer nofollow')
  await bubble.getByRole('link').hover()
  expect(new Set(asked)).toEqual(new Set([new URL(page.url()).host]))
})

test('CHPH-08 links to what is here show cards, and of what the reader may not see no more than that', async ({
  signedUp,
  member,
}) => {
  const [ana, bea] = [await signedUp('ana'), await member('bea')]
  const talk = await openConversationViaApi(ana, bea)
  await followMemberViaApi(ana, bea)
  const open = await publishPostViaApi(bea)
  const group = await createGroupViaApi(bea as JourneyMember)
  const closed = await publishPostViaApi(bea, { groupId: group.$id })
  const { page } = ana
  await openConversationPage(ana, talk)
  const { origin } = new URL(page.url())
  const cardIn = (text: string) => locateMessageBubble(page, text)
  await sendMessageViaApi(bea, talk, `mira ${origin}/posts/${open.$id}`)
  await expect(cardIn('mira').getByRole('link').last()).toContainText(open.caption)
  await sendMessageViaApi(bea, talk, `esta ${origin}/posts/${closed.$id}`)
  await expect(cardIn('esta')).toContainText('This post isn’t available to you.')
  await expect(cardIn('esta')).not.toContainText(closed.caption)
  await sendMessageViaApi(bea, talk, `ninguna ${origin}/posts/nowhere`)
  await expect(cardIn('ninguna')).toContainText('This post isn’t available to you.')
  await sendMessageViaApi(bea, talk, `ella ${origin}/profile/${bea.$id} y ${origin}/groups/${group.$id}`)
  await expect(cardIn('ella')).toContainText(`@${bea.username}`)
  await expect(cardIn('ella')).toContainText(group.name)
  expect(await findAxeProblems(page)).toEqual([])
  await cardIn('mira').getByRole('link').last().click()
  await expect(page).toHaveURL(new RegExp(`/posts/${open.$id}$`))
})

test('CHPH-08 a card that does not come says so, and comes when asked again', async ({
  signedUp,
  member,
}) => {
  const [ana, bea] = [await signedUp('ana'), await member('bea')]
  const talk = await openConversationViaApi(ana, bea)
  const post = await publishPostViaApi(bea)
  const { page } = ana
  await page.route(`**/v1/posts/${post.$id}`, fulfillWithServerError)
  await openConversationPage(ana, talk)
  await typeAndSendMessage(page, `mira ${new URL(page.url()).origin}/posts/${post.$id}`)
  const bubble = locateMessageBubble(page, 'mira')
  await expect(bubble).toContainText('We couldn’t load this.')
  await page.unroute(`**/v1/posts/${post.$id}`)
  await bubble.getByRole('button', { name: 'Try again' }).click()
  await expect(bubble.getByRole('link').last()).toContainText(post.caption)
})
