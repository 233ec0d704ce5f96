import type { Page } from '@playwright/test'
import type { Comment } from '#contract/comments/comments.ts'
import type { Post } from '#contract/posts/posts.ts'
import { expect, type JourneyMember, openPageWithSocket, test } from './fixtures.ts'
import { followMemberViaApi, publishPostViaApi } from './post-steps.ts'

const box = (page: Page) => page.getByRole('textbox', { name: 'Comment', exact: true })
const conversation = (page: Page) => page.getByRole('region', { name: /comments?$/ })
const by = (page: Page, name: string) =>
  conversation(page).getByRole('article', { name: new RegExp(`^${name}, `) })

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

test('CMT-01 the comment count on a card opens the comments, and Back returns to the card @phone', async ({
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
  const heading = conversation(page).getByRole('heading', { name: '9 comments' })
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

test("CMT-07 CMT-08 CMT-09 CMT-10 ana chooses who can comment on new posts and on one post; carla's unfinished comment keeps its text", async ({
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
  await expect(dialog).toContainText('Existing comments stay unless you remove them.')
  await expect(
    dialog.getByRole('radio', { name: /^Everyone who can see this post/ }),
  ).toHaveAccessibleDescription('Any member of Juntas, because this post is public')
  await expect(dialog.getByText('1 person, and you')).toBeVisible()
  await dialog.getByRole('radio', { name: 'People I follow' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'People you follow can comment' })).toBeVisible()
  await expect(box(page)).toBeVisible()
  // The comment box disappears even while Carla is typing.
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

test("CMT-11 CMT-13 CMT-16 bea sees carla's comment and its removal live; the post's author confirms before removing a comment with its replies @quick", async ({
  signedUp,
  member,
}) => {
  const [ana, bea, carla] = [await signedUp('Ana'), await signedUp('Bea Paz'), await member('Carla Flor')]
  const post = await publishPostViaApi(ana)
  await openPageWithSocket(bea.page, `/posts/${post.$id}`)
  await expect(conversation(bea.page)).toContainText('No comments yet.')
  const thread = await commentViaApi(carla, post, 'Para todas')
  await expect(by(bea.page, 'Carla Flor')).toContainText('Para todas')
  await expect(bea.page.getByRole('log', { name: 'New comments' })).toContainText('Carla Flor commented')
  for (const content of ['Una', 'Dos', 'Tres']) await commentViaApi(carla, post, content, thread.$id)
  await expect(by(bea.page, 'Carla Flor')).toHaveCount(4)
  const other = await commentViaApi(carla, post, 'Me arrepiento')
  await commentViaApi(bea, post, 'No pasa nada', other.$id)
  await expect(conversation(bea.page)).toContainText('No pasa nada')
  expect((await carla.request.delete(`/v1/comments/${other.$id}`)).ok()).toBe(true)
  await expect(conversation(bea.page)).toContainText('Comment removed')
  await expect(conversation(bea.page)).not.toContainText('Me arrepiento')

  const { page } = ana
  await page.goto(`/posts/${post.$id}`)
  await by(page, 'Carla Flor').first().getByRole('button', { name: 'Remove' }).click()
  const question = page.getByRole('alertdialog', { name: 'Remove this comment and its 3 replies?' })
  await question.getByRole('button', { name: 'Keep' }).click()
  await expect(by(page, 'Carla Flor')).toHaveCount(4)
  await by(page, 'Carla Flor').first().getByRole('button', { name: 'Remove' }).click()
  await question.getByRole('button', { name: 'Remove' }).click()
  await expect(by(page, 'Carla Flor')).toHaveCount(0)
  await expect(by(bea.page, 'Carla Flor')).toHaveCount(0)
})
