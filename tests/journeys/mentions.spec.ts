/** Mentioning members in comments and captions, from the list of those who can see the post. */
import type { Page } from '@playwright/test'
import { findAxeProblems } from './axe-steps.ts'
import { expect, fulfillWithServerError, test } from './fixtures.ts'
import { publishPostViaApi } from './post-steps.ts'

const box = (page: Page) => page.getByRole('textbox', { name: 'Comment', exact: true })
const list = (page: Page) => page.getByRole('listbox', { name: 'People' })
const chosen = (page: Page) => list(page).getByRole('option', { selected: true })

test('MEN-01 @both an @ and a letter in a comment suggest by name and username; arrows choose, Enter takes, Escape closes @quick', async ({
  signedUp,
  member,
}) => {
  const { page } = await signedUp('Ana')
  const [bea, berta] = [await member('Bea Sol'), await member('Berta Zafra')]
  const post = await publishPostViaApi(bea)
  await page.goto(`/posts/${post.$id}`)
  await box(page).pressSequentially('hola @')
  await expect(list(page)).toBeHidden()
  await box(page).pressSequentially('be')
  // Whoever is in the thread stands before others.
  await expect(list(page).getByRole('option').first()).toContainText(bea.username)
  expect(await list(page).getByRole('option').count()).toBeLessThanOrEqual(8)
  await expect(chosen(page)).toContainText(bea.username)
  const active = () =>
    box(page).evaluate(
      (area) => document.getElementById(area.getAttribute('aria-activedescendant') ?? '')?.textContent,
    )
  expect(await active()).toContain(bea.username)
  await expect(chosen(page)).toBeInViewport({ ratio: 1 })
  expect(await findAxeProblems(page)).toEqual([])

  await box(page).press('ArrowUp')
  await expect(chosen(page)).not.toContainText(bea.username)
  await box(page).press('ArrowDown')
  await expect(chosen(page)).toContainText(bea.username)
  await box(page).press('Escape')
  await expect(list(page)).toBeHidden()
  await expect(box(page)).toHaveValue('hola @be')
  // Closed, Enter is a new line again, and the next name has its list.
  await box(page).press('Enter')
  await box(page).pressSequentially('@zafra')
  await expect(chosen(page)).toContainText(berta.username)
  await box(page).press('Enter')
  await expect(box(page)).toHaveValue(`hola @be\n@${berta.username} `)
  await box(page).pressSequentially('mira')
  await expect(list(page)).toBeHidden()

  await box(page).fill('')
  await box(page).pressSequentially(`@${bea.username.slice(0, 5)}`)
  await list(page).getByRole('option').filter({ hasText: bea.username }).click()
  await expect(box(page)).toBeFocused()
  await expect(box(page)).toHaveValue(`@${bea.username} `)
  await box(page).press('ControlOrMeta+Enter')
  await expect(page.getByRole('article').getByRole('link', { name: `@${bea.username}` })).toBeVisible()
})

test('MEN-01 a caption has them too, and a comment that is edited', async ({ signedUp, member }) => {
  const { page } = await signedUp('Ana')
  const bea = await member('Bea Sol')
  await page.goto('/create-post')
  const caption = page.getByRole('textbox', { name: 'Caption' })
  await caption.pressSequentially(`con @${bea.username}`)
  await expect(chosen(page)).toContainText(bea.username)
  await caption.press('Tab')
  await expect(caption).toBeFocused()
  await expect(caption).toHaveValue(`con @${bea.username} `)
  await caption.pressSequentially('hoy')
  await expect(caption).toHaveValue(`con @${bea.username} hoy`)
  expect(await findAxeProblems(page)).toEqual([])

  const post = await publishPostViaApi(bea)
  await page.goto(`/posts/${post.$id}`)
  await box(page).fill('hola')
  await box(page).press('ControlOrMeta+Enter')
  const comment = page.getByRole('article', { name: /^Ana, / })
  await comment.getByRole('button', { name: 'Edit' }).click()
  const edit = page.getByRole('textbox', { name: 'Edit comment' })
  await edit.press('End')
  await edit.pressSequentially(` @${bea.username.slice(0, 6)}`)
  await expect(list(page)).toBeVisible()
  await list(page).getByRole('option').filter({ hasText: bea.username }).click()
  await expect(edit).toHaveValue(`hola @${bea.username} `)
})

test('MEN-01 where no list comes the name is typed as any word', async ({ signedUp, member }) => {
  const { page } = await signedUp('Ana')
  const bea = await member('Bea Sol')
  const post = await publishPostViaApi(bea)
  await page.route('**/v1/mentionable**', fulfillWithServerError)
  await page.goto(`/posts/${post.$id}`)
  const asked = page.waitForResponse('**/v1/mentionable**')
  await box(page).pressSequentially(`@${bea.username}`)
  await asked
  await expect(list(page)).toBeHidden()
  await box(page).press('ControlOrMeta+Enter')
  await expect(page.getByRole('article').getByRole('link', { name: `@${bea.username}` })).toBeVisible()
})

test('MEN-01 the name in a caption leads to its profile from a card as from the post', async ({
  signedUp,
  member,
}) => {
  const [ana, bea] = [await signedUp('Ana'), await member('Bea Sol')]
  const caption = `El horno, con @${bea.username}. Y @nadie.`
  await publishPostViaApi(ana, { caption })
  const { page } = ana
  await page.goto('/')
  const card = page.getByRole('main').getByRole('article').filter({ hasText: 'El horno' })
  await expect(card).toContainText(caption)
  await expect(card.getByRole('link', { name: '@nadie', exact: true })).toHaveCount(0)
  await card.getByRole('link', { name: `@${bea.username}`, exact: true }).click()
  await expect(page).toHaveURL(`/profile/${bea.$id}`)
})
