import type { Page } from '@playwright/test'
import type { Post } from '#contract/posts/posts.ts'
import { expect, type JourneyMember, test } from './fixtures.ts'
import { publishPostViaApi } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

async function change(author: JourneyMember, { $id }: Post, words: object): Promise<Post> {
  const answer = await author.request.patch(`/v1/posts/${$id}`, { data: words })
  expect(answer.status()).toBe(200)
  return answer.json()
}

test('EDIT-04 if ana edits a post in two forms, the form saved last shows that the post changed, and can save anyway', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  const post = await publishPostViaApi(ana, { caption: 'La primera' })
  const { page } = ana
  await page.goto(`/update-post/${post.$id}`)
  await page.getByLabel('Caption').fill('La de este formulario')
  await change(ana, post, { caption: 'La del teléfono' })
  const submit = main(page).getByRole('button', { name: 'Update Post' })
  await submit.click()
  const notice = page.getByRole('alert').filter({ hasText: 'This post was changed in the meantime.' })
  await expect(notice).toBeVisible()
  await expect(page.getByLabel('Caption')).toHaveValue('La de este formulario')
  await notice.getByRole('button', { name: 'Show' }).click()
  await expect(dialog(page, 'The post as it is now')).toContainText('La del teléfono')
  await page.keyboard.press('Escape')
  await notice.getByRole('button', { name: 'Save anyway' }).click()
  await expect(page).toHaveURL(`/posts/${post.$id}`)
  await expect(main(page).getByRole('article')).toContainText('La de este formulario')
})
