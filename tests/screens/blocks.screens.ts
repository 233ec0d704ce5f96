import { openConversationViaApi } from '#tests/journeys/chat-steps.ts'
import { createGroupViaApi } from '#tests/journeys/group-steps.ts'
import { expect, takeResponsiveScreenshots, test } from './screenshot-fixtures.ts'

test('blocking a member: the menu, the confirmation, the list and the conversation', async ({
  neighbour,
}) => {
  const { page, request, ...lucia } = await neighbour('lucia.ferrer')
  const paloma = await neighbour('paloma.r')
  await createGroupViaApi({ ...lucia, request }, { name: 'Club de Cerámica' }, [paloma])
  await createGroupViaApi(paloma, { name: 'Lectoras de Domingo' }, [{ ...lucia, request }])
  const conversation = await openConversationViaApi({ ...lucia, request }, paloma)
  await page.goto(`/profile/${paloma.$id}`)
  await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
  await page.getByRole('button', { name: /^More about/ }).click()
  const block = page.getByRole('menuitem', { name: /^Block/ })
  await expect(block).toBeVisible()
  await takeResponsiveScreenshots(page, 'block', 'menu')
  await block.click()
  const question = page.getByRole('alertdialog')
  await expect(question.getByRole('region')).toBeVisible()
  await takeResponsiveScreenshots(page, 'block', 'question')
  await question.getByRole('button', { name: 'Block', exact: true }).click()
  await expect(page.getByRole('switch')).toBeVisible()
  await takeResponsiveScreenshots(page, 'block', 'list')
  await page.goto(`/chat/${conversation}`)
  await expect(page.getByText('You can’t send messages in this conversation.')).toBeVisible()
  await takeResponsiveScreenshots(page, 'block', 'conversation')
})

test('Settings, and an empty list of blocked members', async ({ signedUp }) => {
  const { page } = await signedUp('Ana Sol')
  await page.goto('/settings')
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  await takeResponsiveScreenshots(page, 'settings', 'sections')
  await page.goto('/settings/privacy')
  await expect(page.getByRole('heading', { name: 'People' })).toBeVisible()
  await takeResponsiveScreenshots(page, 'settings', 'privacy')
  await page.goto('/settings/blocked')
  await expect(page.getByText('You haven’t blocked anyone.')).toBeVisible()
  await takeResponsiveScreenshots(page, 'block', 'list-empty')
})
