/** Comments under a post: written, answered, taken back, and seen by others at once. */
import type { Page } from '@playwright/test'
import type { Comment } from '#contract/comments/comments.ts'
import type { Post } from '#contract/posts/posts.ts'
import { expectNoAxeProblems } from './axe-steps.ts'
import { expect, type JourneyMember, openPageWithSocket, test } from './fixtures.ts'
import { followMemberViaApi, publishPostViaApi } from './post-steps.ts'

const box = (page: Page) => page.getByRole('textbox', { name: 'Comment', exact: true })
const postButton = (page: Page) => page.getByRole('button', { name: 'Post', exact: true })
const talk = (page: Page) => page.getByRole('region', { name: /comments?$/ })
const by = (page: Page, name: string) => talk(page).getByRole('article', { name: new RegExp(`^${name}, `) })

async function commentViaApi(
  person: JourneyMember,
  post: Post,
  content: string,
  parentId?: string,
): Promise<Comment> {
  const answer = await person.request.post(`/v1/posts/${post.$id}/comments`, { data: { content, parentId } })
  expect(answer.status()).toBe(201)
  return answer.json()
}

test('CMT-01 CMT-02 CMT-20 three comments of two members stand oldest first, and one of her own is shown at once and there after a reload', async ({
  signedUp,
  member,
}) => {
  const [ana, bea, carla] = [await signedUp('Ana'), await member('Bea Sol'), await member('Carla Luna')]
  const post = await publishPostViaApi(bea)
  const { page } = ana
  await page.goto(`/posts/${post.$id}`)
  await expect(talk(page)).toContainText('No comments yet. Be the first.')
  await commentViaApi(bea, post, 'La primera')
  await commentViaApi(carla, post, 'La segunda')
  await commentViaApi(bea, post, 'La tercera')
  await page.reload()
  await expect(talk(page).getByRole('article')).toContainText(['La primera', 'La segunda', 'La tercera'])
  await expect(by(page, 'Carla Luna')).toHaveAccessibleName('Carla Luna, just now')

  await expect(postButton(page)).toBeDisabled()
  await box(page).fill('  \n ')
  await expect(postButton(page)).toBeDisabled()
  await box(page).fill('a'.repeat(1001))
  await expect(postButton(page)).toBeDisabled()
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(`**/v1/posts/${post.$id}/comments`, async (route) => {
    if (route.request().method() === 'POST') await held
    await route.continue()
  })
  await box(page).fill('La de Ana')
  await box(page).press('Enter')
  await box(page).pressSequentially('en dos líneas')
  await box(page).press('ControlOrMeta+Enter')
  await expect(talk(page).getByRole('article').last()).toContainText('La de Ana\nen dos líneas')
  await expect(talk(page)).toContainText('Posting…')
  await expect(box(page)).toHaveValue('')
  release()
  await expect(talk(page)).not.toContainText('Posting…')
  await page.reload()
  await expect(talk(page).getByRole('article').last()).toContainText('La de Ana')
  await expect(page.getByRole('link', { name: '4 comments' })).toBeVisible()
})

test('CMT-01 the number of comments on a card leads to the comments, and Back to the card @phone', async ({
  signedUp,
}) => {
  const ana = await signedUp('Ana')
  const post = await publishPostViaApi(ana)
  for (let nth = 1; nth <= 9; nth += 1) await commentViaApi(ana, post, `${nth}\n`.repeat(9))
  const { page } = ana
  await page.goto('/')
  const number = page.getByRole('link', { name: '9 comments' })
  await number.scrollIntoViewIfNeeded()
  const before = await page.evaluate(() => scrollY)
  await number.click()
  const heading = talk(page).getByRole('heading', { name: '9 comments' })
  const top = () => heading.evaluate((element) => element.getBoundingClientRect().top)
  await expect(heading).toBeFocused()
  await expect.poll(top).toBeLessThan(100)
  await page.evaluate(() => scrollTo(0, 0))
  await expect.poll(top).toBeGreaterThan(300)
  await number.click()
  await expect.poll(top).toBeLessThan(100)
  await page.goBack()
  await expect(number).toBeFocused()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(before)
})

test('CMT-07 CMT-08 CMT-09 CMT-10 ana chooses who may comment, for new posts and for one; whoever is typing keeps the words', async ({
  signedUp,
  member,
}) => {
  const [ana, carla, bea] = [await signedUp('Ana Roca'), await signedUp('Carla'), await member('Bea')]
  await followMemberViaApi(ana, bea)
  const post = await publishPostViaApi(ana)
  await commentViaApi(bea, post, 'Antes')
  await openPageWithSocket(carla.page, `/posts/${post.$id}`)
  await box(carla.page).fill('Estaba escribiendo')
  const { page } = ana
  await page.goto(`/posts/${post.$id}`)
  await page.getByRole('button', { name: 'Everyone can comment' }).click()
  const dialog = page.getByRole('dialog', { name: 'Who can comment' })
  await expect(dialog).toContainText('What was said stays, unless you remove it.')
  await expect(
    dialog.getByRole('radio', { name: /^Everyone who can see this post/ }),
  ).toHaveAccessibleDescription('Any member of Juntas, because this post is public')
  await expect(dialog.getByText('1 person, and you')).toBeVisible()
  await dialog.getByRole('radio', { name: 'People I follow' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'People you follow can comment' })).toBeVisible()
  await expect(box(page)).toBeVisible()
  // At once, while she is typing.
  await expect(carla.page.getByText('Only people Ana Roca follows can comment.')).toBeVisible()
  await expect(box(carla.page)).toHaveCount(0)
  await expect(carla.page.getByRole('textbox', { name: 'What you wrote' })).toHaveValue('Estaba escribiendo')

  await page.getByRole('button', { name: 'People you follow can comment' }).click()
  await dialog.getByRole('radio', { name: 'Nobody' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Comments are closed.', { exact: true })).toBeVisible()
  await expect(by(page, 'Bea')).toContainText('Antes')

  await page.goto('/settings/privacy')
  const choice = page.getByRole('radiogroup', { name: 'Who can comment' })
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await choice.getByRole('radio', { name: 'Nobody' }).click()
  await expect(choice.getByRole('radio', { name: 'Nobody' })).toBeChecked()
  expect((await saved).ok()).toBe(true)
  expect((await publishPostViaApi(ana)).commentsFrom).toBe('nobody')
  await page.goto('/create-post')
  await expect(page.getByRole('button', { name: 'Nobody', exact: true })).toBeVisible()
  await page.goto(`/update-post/${post.$id}`)
  await page.getByRole('button', { name: 'Nobody', exact: true }).click()
  await dialog.getByRole('radio', { name: 'Everyone who can see this post' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Update Post' }).click()
  await expect(page).toHaveURL(/\/posts\/|\/$/)
  await expect
    .poll(async () => (await (await ana.request.get(`/v1/posts/${post.$id}`)).json()).commentsFrom)
    .toBe('everyone')
})

test('CMT-11 CMT-13 CMT-16 bea sees at once what carla says and takes back; the author of the post removes a thread after a question @quick', async ({
  signedUp,
  member,
}) => {
  const [ana, bea, carla] = [await signedUp('Ana'), await signedUp('Bea Paz'), await member('Carla Flor')]
  const post = await publishPostViaApi(ana)
  await openPageWithSocket(bea.page, `/posts/${post.$id}`)
  await expect(talk(bea.page)).toContainText('No comments yet.')
  const thread = await commentViaApi(carla, post, 'Para todas')
  await expect(by(bea.page, 'Carla Flor')).toContainText('Para todas')
  await expect(bea.page.getByRole('log', { name: 'New comments' })).toContainText('Carla Flor commented')
  for (const content of ['Una', 'Dos', 'Tres']) await commentViaApi(carla, post, content, thread.$id)
  await expect(by(bea.page, 'Carla Flor')).toHaveCount(4)
  const other = await commentViaApi(carla, post, 'Me arrepiento')
  await commentViaApi(bea, post, 'No pasa nada', other.$id)
  await expect(talk(bea.page)).toContainText('No pasa nada')
  expect((await carla.request.delete(`/v1/comments/${other.$id}`)).ok()).toBe(true)
  await expect(talk(bea.page)).toContainText('Comment removed')
  await expect(talk(bea.page)).not.toContainText('Me arrepiento')

  const { page } = ana
  await page.goto(`/posts/${post.$id}`)
  await by(page, 'Carla Flor').first().getByRole('button', { name: 'Remove' }).click()
  const question = page.getByRole('alertdialog', { name: 'Remove this comment and its 3 answers?' })
  await question.getByRole('button', { name: 'Keep' }).click()
  await expect(by(page, 'Carla Flor')).toHaveCount(4)
  await by(page, 'Carla Flor').first().getByRole('button', { name: 'Remove' }).click()
  await question.getByRole('button', { name: 'Remove' }).click()
  await expect(by(page, 'Carla Flor')).toHaveCount(0)
  await expect(by(bea.page, 'Carla Flor')).toHaveCount(0)
})

test('CMT-16 the number on a card of Home follows what is said and taken back under the post', async ({
  signedUp,
  member,
}) => {
  const [ana, bea] = [await signedUp('Ana'), await member('Bea')]
  const post = await publishPostViaApi(bea)
  await followMemberViaApi(ana, bea)
  const { page } = ana
  await openPageWithSocket(page, '/')
  const count = (name: string) => page.getByRole('link', { name, exact: true })
  await expect(count('0 comments')).toBeVisible()
  const { $id } = await commentViaApi(bea, post, 'Mira')
  await expect(count('1 comment')).toBeVisible()
  expect((await bea.request.delete(`/v1/comments/${$id}`)).ok()).toBe(true)
  await expect(count('0 comments')).toBeVisible()
})

test('CMT-13 the author of a post takes away the comment of who blocked her, which stands there as removed', async ({
  signedUp,
  member,
}) => {
  const [ana, bea, carla] = [await signedUp('Ana'), await member('Bea'), await member('Carla Mora')]
  const post = await publishPostViaApi(ana)
  await commentViaApi(bea, post, 'Para herir')
  expect((await bea.request.put(`/v1/people/${ana.$id}/block`, { data: {} })).ok()).toBe(true)
  const { page } = ana
  await page.goto(`/posts/${post.$id}`)
  await expect(talk(page)).toContainText('Comment removed')
  await expect(talk(page)).not.toContainText('Para herir')
  await talk(page).getByRole('button', { name: 'Remove' }).click()
  await page
    .getByRole('alertdialog', { name: 'Remove this comment?' })
    .getByRole('button', { name: 'Remove' })
    .click()
  await expect(talk(page)).toContainText('No comments yet.')
  const left = await (await carla.request.get(`/v1/posts/${post.$id}/comments`)).json()
  expect(left.documents).toEqual([])
})

test('CMT-20 axe finds nothing among comments, where one is written, edited or removed, nor in the choice of who may comment @both', async ({
  signedUp,
  member,
}) => {
  const [ana, bea] = [await signedUp('Ana'), await member('Bea de nombre largo '.repeat(5))]
  const post = await publishPostViaApi(ana)
  const thread = await commentViaApi(bea, post, `${'palabra '.repeat(60)}${'x'.repeat(200)}`)
  await commentViaApi(ana, post, 'Gracias', thread.$id)
  const removed = await commentViaApi(bea, post, 'Se va')
  await commentViaApi(ana, post, 'Se queda', removed.$id)
  expect((await bea.request.delete(`/v1/comments/${removed.$id}`)).ok()).toBe(true)
  const { page } = ana
  const check = (what: string) => expectNoAxeProblems(page, what)
  await page.goto(`/posts/${post.$id}`)
  await expect(talk(page)).toContainText('Comment removed')
  await expect(box(page)).toBeVisible()
  await check('comments')
  const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth
  expect(await page.evaluate(overflow)).toBe(0)
  await talk(page).getByRole('button', { name: 'Reply' }).first().click()
  await by(page, ana.name).first().getByRole('button', { name: 'Edit' }).click()
  await expect(page.getByRole('textbox', { name: 'Edit comment' })).toBeFocused()
  await check('answering and editing')
  await page.getByRole('button', { name: 'Everyone can comment' }).click()
  await expect(page.getByRole('dialog', { name: 'Who can comment' })).toBeVisible()
  await check('who can comment')
})
