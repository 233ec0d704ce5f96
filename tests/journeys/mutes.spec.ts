/** Muting somebody: what leaves sight at once, what stays, and that it is taken back. */
import type { Page } from '@playwright/test'
import { locateConversationList, openConversationViaApi, sendMessageViaApi } from './chat-steps.ts'
import { expect, fulfillWithServerError, type JourneyMember, test, toastRegion } from './fixtures.ts'
import { createGroupViaApi } from './group-steps.ts'
import { followMemberViaApi, publishPostViaApi } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const title = (page: Page) => main(page).getByRole('heading', { level: 1 })
const more = (page: Page, name: string) => page.getByRole('button', { name: `More about ${name}` })
const item = (page: Page, name: RegExp) => page.getByRole('menuitem', { name })

const mute = async (person: JourneyMember, other: JourneyMember) =>
  expect((await person.request.put(`/v1/people/${other.$id}/mute`, { data: {} })).ok()).toBe(true)

test('MUTE-01 MUTE-02 ana mutes iria from a post: the posts leave Home and Explore at once and stay on the profile; the menu says Unmute and takes it back @quick', async ({
  signedUp,
  member,
}) => {
  const [ana, iria, bea] = [await signedUp('Ana'), await member('Iria Montes'), await member('Bea')]
  const group = await createGroupViaApi(bea, {}, [ana, iria])
  await followMemberViaApi(ana, iria)
  await publishPostViaApi(bea)
  await followMemberViaApi(ana, bea)
  const post = await publishPostViaApi(iria)
  await publishPostViaApi(iria, { groupId: group.$id })
  const { page } = ana
  const ofIria = main(page).getByRole('article', { name: 'Post by Iria Montes' })
  const tile = main(page).locator(`a[href="/posts/${post.$id}"]`)
  await page.goto('/explore')
  await expect(tile).toHaveCount(1)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click()
  await expect(ofIria).toHaveCount(2)

  await more(page, 'Iria Montes').first().click()
  await expect(item(page, /^Mute/)).toContainText('Her posts leave your Home and Explore.')
  await item(page, /^Mute/).click()
  await expect(toastRegion(page)).toContainText('Muted')
  await expect(toastRegion(page)).toContainText('You won’t see Iria Montes in Home and Explore.')
  await expect(ofIria).toHaveCount(0)
  await expect(main(page).getByRole('article', { name: 'Post by Bea' })).toHaveCount(1)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Explore' }).click()
  await expect(title(page)).toHaveText('Explore')
  await expect(tile).toHaveCount(0)
  await page.goto(`/groups/${group.$id}`)
  await expect(ofIria).toHaveCount(1)

  await page.goto(`/profile/${iria.$id}`)
  await expect(tile).toHaveCount(1)
  await more(page, 'Iria Montes').focus()
  await page.keyboard.press('Enter')
  await expect(item(page, /^Unmute/)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(toastRegion(page)).toContainText('Unmuted')
  await expect(more(page, 'Iria Montes')).toBeFocused()
  await page.goto('/')
  await expect(ofIria).toHaveCount(2)
})

test('MUTE-03 muted iria’s conversation has no dot and no number, and stays in the list', async ({
  signedUp,
  member,
}) => {
  const [ana, iria] = [await signedUp('Ana'), await member('Iria')]
  const talk = await openConversationViaApi(ana, iria)
  await sendMessageViaApi(iria, talk, 'Nos vemos el jueves')
  const { page } = ana
  await page.goto('/chat')
  const chat = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Chat/ })
  const list = locateConversationList(page)
  await expect(chat).toContainText('1')
  await expect(list.getByText('Unread')).toHaveCount(1)
  await mute(ana, iria)
  await page.reload()
  await expect(list.getByText('Nos vemos el jueves')).toBeVisible()
  await expect(list.getByText('Unread')).toHaveCount(0)
  await expect(chat).not.toContainText('1')
  // A new message: what is shown of the conversation changes, and no dot comes with it.
  await sendMessageViaApi(iria, talk, 'Llevo yo el pan')
  await expect(list.getByText('Llevo yo el pan')).toBeVisible()
  await expect(list.getByText('Unread')).toHaveCount(0)
  await expect(chat).not.toContainText('1')
})

test('MUTE-09 the list of the muted: newest first, empty, unmuting, and a failure', async ({
  signedUp,
  member,
}) => {
  const [ana, iria, olga] = [await signedUp('Ana'), await member('Iria'), await member('Olga')]
  const { page } = ana
  await page.goto('/settings/privacy')
  await main(page)
    .getByRole('link', { name: /^Muted/ })
    .click()
  await expect(page).toHaveURL('/settings/quiet')
  await expect(title(page)).toHaveText('Muted and restricted')
  await expect(main(page).getByText('Nobody is muted or restricted.')).toBeVisible()

  for (const person of [iria, olga]) await mute(ana, person)
  await page.reload()
  const rows = main(page).getByRole('region', { name: 'Muted people' }).getByRole('listitem')
  await expect(rows).toHaveCount(2)
  await expect(rows.first()).toContainText(`@${olga.username}`)
  await page.route(`**/v1/people/${olga.$id}/mute`, fulfillWithServerError)
  await main(page).getByRole('button', { name: 'Unmute Olga' }).click()
  await expect(toastRegion(page)).toContainText('Something went wrong. Please try again.')
  await expect(rows).toHaveCount(2)
  await page.unroute(`**/v1/people/${olga.$id}/mute`)
  for (const name of ['Olga', 'Iria'])
    await main(page)
      .getByRole('button', { name: `Unmute ${name}` })
      .click()
  await expect(main(page).getByText('Nobody is muted or restricted.')).toBeVisible()
})
