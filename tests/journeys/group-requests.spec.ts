import { expect, openPageWithSocket, test } from './fixtures.ts'
import { createGroupViaApi } from './group-steps.ts'

test('GREQ-20 GPAGE-06 GREQ-17 a join request updates the admin’s badge live, and its approval updates the requester’s card live @quick', async ({
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('ana'), await signedUp('bea')]
  const group = await createGroupViaApi(ana)
  await openPageWithSocket(ana.page, `/groups/${group.$id}`)
  await openPageWithSocket(bea.page, '/groups')
  const hers = bea.page.getByRole('main').getByRole('article', { name: group.name })
  await hers.getByRole('button', { name: 'Join Group' }).click()
  await expect(hers.getByRole('button', { name: 'Pending' })).toBeVisible()

  const main = ana.page.getByRole('main')
  await main.getByRole('link', { name: 'Requests 1 pending' }).click()
  await main.getByRole('button', { name: `Approve ${bea.name}` }).click()
  await expect(hers.getByRole('link', { name: 'View Group' })).toBeVisible()
  await expect(hers.getByText('2 members')).toBeVisible()
  await main.getByRole('link', { name: 'Back to the group' }).click()
  await expect(main.getByRole('button', { name: 'Members (2)' })).toBeVisible()
})
