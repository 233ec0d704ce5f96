import type { Page } from '@playwright/test'
import { Client } from 'pg'
import type { Post } from '#contract/posts/posts.ts'
import type { RunningServer } from '#scripts/harness/server-process.ts'
import { expect, type JourneyMember, test, uploadExpectTimeoutOptions } from './fixtures.ts'
import { followMemberViaApi, publishPostViaApi } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

/** As if the post had been made two hours ago. */
async function age(server: RunningServer, { $id }: Post): Promise<void> {
  const client = new Client({ connectionString: server.databaseUrl() })
  await client.connect()
  await client.query(
    "update posts set created_at = clock_timestamp() - interval '2 hours' where public_id = $1",
    [$id],
  )
  await client.end()
}

async function change(author: JourneyMember, { $id }: Post, words: object): Promise<Post> {
  const answer = await author.request.patch(`/v1/posts/${$id}`, { data: words })
  expect(answer.status()).toBe(200)
  return answer.json()
}

test('EDIT-01 card and details say that a post was edited, with when as the title', async ({
  server,
  signedUp,
  member,
}) => {
  const [ana, bea] = [await signedUp('ana'), await member('bea')]
  await followMemberViaApi(ana, bea)
  const post = await publishPostViaApi(bea, { caption: 'La abuela' })
  const { page } = ana
  await page.goto('/')
  const card = main(page).getByRole('article', { name: 'Post by bea' })
  await expect(card).toBeVisible()
  await expect(card.getByText('Edited')).toHaveCount(0)
  await age(server, post)
  const { editedAt } = await change(bea, post, { caption: 'La abuela y su lata' })
  await page.goto('/')
  const mark = card.getByText('Edited', { exact: true })
  await expect(mark).toHaveAttribute('title', /^\w{3} \d{1,2}, \d{4} at \d{1,2}:\d\d [AP]M$/)
  await expect(mark).toHaveAttribute('datetime', editedAt ?? '')
  await page.goto(`/posts/${post.$id}`)
  await expect(main(page).getByRole('article')).toContainText('Edited', uploadExpectTimeoutOptions)
  await expect(main(page).getByText('Edited', { exact: true })).toHaveAttribute('datetime', editedAt ?? '')
  await expect(main(page).getByRole('button', { name: 'Earlier versions' })).toHaveCount(0)
})

test('EDIT-03 the author reads what the post said before, newest first', async ({ server, signedUp }) => {
  const ana = await signedUp('ana')
  const post = await publishPostViaApi(ana, { caption: 'Primera versión', tags: ['sol'] })
  await age(server, post)
  await change(ana, post, { caption: 'Segunda versión' })
  await change(ana, post, { caption: 'Tercera versión', location: 'Soria' })
  const { page } = ana
  await page.goto(`/posts/${post.$id}`)
  const opener = main(page).getByRole('button', { name: 'Earlier versions' })
  await opener.click()
  const versions = dialog(page, 'Earlier versions').getByRole('listitem')
  await expect(versions).toHaveCount(2)
  await expect(versions.nth(0)).toContainText('Segunda versión')
  await expect(versions.nth(1)).toContainText('Primera versión')
  await expect(versions.nth(1)).toContainText('#sol')
  await expect(versions.nth(1)).toContainText(/^Until \w{3} \d/)
  await page.keyboard.press('Escape')
  await expect(versions).toHaveCount(0)
  await expect(opener).toBeFocused()
})

test('EDIT-03 where the earlier versions do not come the dialog says so, and asks again', async ({
  server,
  signedUp,
}) => {
  const ana = await signedUp('ana')
  const post = await publishPostViaApi(ana, { caption: 'Primera versión' })
  await age(server, post)
  await change(ana, post, { caption: 'Segunda versión' })
  const { page } = ana
  await page.clock.install()
  const edits = '**/v1/posts/*/edits'
  await page.route(edits, (route) => route.fulfill({ status: 503, json: { message: 'Busy', code: 503 } }))
  await page.goto(`/posts/${post.$id}`)
  await main(page).getByRole('button', { name: 'Earlier versions' }).click()
  const again = dialog(page, 'Earlier versions').getByRole('button', { name: 'Try again' })
  await expect(async () => {
    await page.clock.runFor(4000)
    await expect(again).toBeVisible({ timeout: 100 })
  }).toPass()
  await page.unroute(edits)
  await again.click()
  await expect(dialog(page, 'Earlier versions')).toContainText('Primera versión')
})

test('EDIT-04 of two forms the later says that the post was changed, shows it, and saves anyway @quick', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  const post = await publishPostViaApi(ana, { caption: 'La primera' })
  const { page } = ana
  await page.goto(`/update-post/${post.$id}`)
  await page.getByLabel('Caption').fill('La de este formulario')
  // From her phone.
  await change(ana, post, { caption: 'La del teléfono' })
  const submit = main(page).getByRole('button', { name: 'Update Post' })
  await submit.click()
  const told = page.getByRole('alert').filter({ hasText: 'This post was changed meanwhile.' })
  await expect(told).toBeVisible()
  await expect(page.getByLabel('Caption')).toHaveValue('La de este formulario')
  await told.getByRole('button', { name: 'Show' }).click()
  await expect(dialog(page, 'The post as it is now')).toContainText('La del teléfono')
  await page.keyboard.press('Escape')
  await told.getByRole('button', { name: 'Save anyway' }).click()
  await expect(page).toHaveURL(`/posts/${post.$id}`)
  await expect(main(page).getByRole('article')).toContainText('La de este formulario')
})
