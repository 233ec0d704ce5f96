import type { Page } from '@playwright/test'
import { expect, type JourneyMember, type JourneyMemberWithPage, test, toastRegion } from './fixtures.ts'
import { createGroupViaApi, submitJoinRequest } from './group-steps.ts'
import { holdRequestsToUrl } from './network-steps.ts'

const main = (page: Page) => page.getByRole('main')
const toast = (page: Page) => toastRegion(page).getByRole('listitem')
const row = (page: Page, person: JourneyMember) =>
  main(page)
    .getByRole('listitem')
    .filter({ hasText: `@${person.username}` })
const button = (page: Page, what: 'Approve' | 'Reject', person: JourneyMember) =>
  row(page, person).getByRole('button', { name: `${what} ${person.name}` })

/** Ana's group, and bea and cleo who wait for her answer. */
async function waiting(signedUp: (name: string) => Promise<JourneyMemberWithPage>) {
  const [ana, bea, cleo] = [await signedUp('ana'), await signedUp('bea'), await signedUp('cleo')]
  const group = await createGroupViaApi(ana)
  const requests = { bea: await submitJoinRequest(bea, group), cleo: await submitJoinRequest(cleo, group) }
  return { ana, bea, cleo, group, requests, path: `/groups/${group.$id}/requests` }
}

test('GREQ-05 GREQ-08 GREQ-09 GREQ-10 GREQ-17 ana approves one, rejects the other, and nobody waits any more @quick', async ({
  signedUp,
}) => {
  const { ana, bea, cleo, group, path } = await waiting(signedUp)
  const { page } = ana
  await page.goto(path)
  const release = await holdRequestsToUrl(page, '**/approve')
  const sent = page.waitForRequest('**/approve')
  await button(page, 'Approve', bea).click()
  await expect(button(page, 'Approve', bea)).toBeDisabled()
  await expect(button(page, 'Reject', bea)).toBeDisabled()
  await expect(button(page, 'Approve', cleo)).toBeEnabled()
  expect((await sent).postDataJSON()).toEqual({ currentUserId: ana.$id })
  release()
  await expect(toast(page)).toContainText('Request approved!')
  await expect(toast(page)).toContainText('The user has been added to the group.')
  await expect(row(page, bea)).toHaveCount(0)

  await button(page, 'Reject', cleo).click()
  await expect(toast(page)).toContainText('Request rejected')
  await expect(toast(page)).toContainText('The join request has been declined.')
  await expect(main(page).getByRole('heading', { name: 'No pending requests' })).toBeVisible()

  await main(page).getByRole('link', { name: 'Back to the group' }).click()
  await expect(main(page).getByRole('button', { name: 'Members (2)' })).toBeVisible()
  await cleo.page.goto('/groups')
  await expect(main(cleo.page).getByRole('article', { name: group.name }).getByRole('button')).toHaveText(
    'Request Rejected',
  )
})

test('GREQ-20 GPAGE-06 GREQ-17 without a reload: the admin’s badge counts up, the requester’s button turns into View Group @quick', async ({
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('ana'), await signedUp('bea')]
  const group = await createGroupViaApi(ana)
  await ana.page.goto(`/groups/${group.$id}`)
  await bea.page.goto('/groups')
  const card = main(bea.page).getByRole('article', { name: group.name })
  await card.getByRole('button', { name: 'Join Group' }).click()
  await expect(card.getByRole('button', { name: 'Pending' })).toBeVisible()

  await main(ana.page).getByRole('link', { name: 'Requests 1 pending' }).click()
  await button(ana.page, 'Approve', bea).click()
  await expect(card.getByRole('link', { name: 'View Group' })).toBeVisible()
  await expect(card.getByText('2 members')).toBeVisible()
})
