/** Posts wait on the device, and the app sends each once. */
import type { BrowserContext, Page } from '@playwright/test'
import type { Post } from '#contract/posts/posts.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { expect, type JourneyMember, loseNextPostResponse, test, toastRegion } from './fixtures.ts'
import { createGroupViaApi, removeMemberFromGroup } from './group-steps.ts'
import { filesApiPath, toUploadFilePayload } from './post-steps.ts'
import { waitForServiceWorker, waitUntilHomeIsCached } from './service-worker-steps.ts'

// A service worker stays registered in its browser.
test.use({ serviceWorkers: 'allow', fresh: true })

const main = (page: Page) => page.getByRole('main')
const notice = (page: Page) => main(page).getByRole('status').filter({ hasText: 'waiting.' })
const waiting = (page: Page) => main(page).getByRole('region', { name: 'Waiting to be sent' })

async function openFormOffline(page: Page, context: BrowserContext): Promise<void> {
  await page.goto('/create-post')
  await waitForServiceWorker(page)
  await expect(main(page).getByLabel('Group')).toBeVisible()
  await context.setOffline(true)
}

async function fillForm(page: Page, caption: string): Promise<void> {
  await page.getByLabel('Caption').fill(caption)
  await page.getByLabel('Location').fill('Cabo de Gata')
  await page
    .getByLabel('Photo', { exact: true })
    .setInputFiles(toUploadFilePayload(await createJpeg('#3366aa', 900, 600), 'playa.jpg', 'image/jpeg'))
  await expect(main(page).getByRole('button', { name: /^Photo 1, / })).toBeVisible()
}

async function postOffline(page: Page, caption: string): Promise<void> {
  await fillForm(page, caption)
  await main(page).getByRole('button', { name: 'Create Post' }).click()
  await expect(page).toHaveURL('/')
}

function countSent(context: BrowserContext) {
  const sent = { files: 0, posts: 0 }
  context.on('requestfinished', (request) => {
    if (request.method() !== 'POST') return
    const { pathname } = new URL(request.url())
    if (pathname === filesApiPath) sent.files += 1
    if (pathname === '/v1/posts') sent.posts += 1
  })
  return sent
}

async function listCaptions(person: JourneyMember): Promise<string[]> {
  const answer = await person.request.get(`/v1/people/${person.$id}/posts`)
  return ((await answer.json()) as { documents: Post[] }).documents.map(({ caption }) => caption)
}

test('PWA-08 a post that ana writes offline is published when she is online, even if she closed the tab', async ({
  signedUp,
}) => {
  const ana = await signedUp('Ana')
  const { page, context } = ana
  const sent = countSent(context)
  await page.goto('/')
  await waitForServiceWorker(page)
  await waitUntilHomeIsCached(page, 0)
  await openFormOffline(page, context)
  await postOffline(page, 'La primera de la cala')
  await expect(notice(page)).toHaveText('1 post waiting. We’ll send it when you’re online.')
  await page.close()

  const later = await context.newPage()
  await later.goto('/')
  await expect(notice(later)).toBeVisible()
  expect(sent).toEqual({ files: 0, posts: 0 })
  await context.setOffline(false)
  await expect(toastRegion(later).getByText('Posted')).toBeVisible()
  await expect(main(later).getByText('La primera de la cala')).toBeVisible()
  await expect(notice(later)).toHaveCount(0)
  expect(await listCaptions(ana)).toEqual(['La primera de la cala'])
  expect(sent).toEqual({ files: 1, posts: 1 })
})

test('PWA-08 waiting posts are published in order, each once, although two tabs are open and a response is lost', async ({
  signedUp,
}) => {
  const ana = await signedUp('Ana')
  const { page, context } = ana
  const sent = countSent(context)
  const other = await context.newPage()
  await other.goto('/')
  await openFormOffline(page, context)
  await postOffline(page, 'Primero la cala')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Create Post' }).click()
  await postOffline(page, 'Luego el faro')
  await expect(notice(page)).toHaveText('2 posts waiting. We’ll send them when you’re online.')

  // Either tab may send the posts.
  for (const tab of [page, other]) await loseNextPostResponse(tab, '/v1/posts')
  await context.setOffline(false)
  await expect(notice(page)).toHaveCount(0)
  await expect.poll(() => listCaptions(ana)).toEqual(['Luego el faro', 'Primero la cala'])
  await other.reload()
  await expect(main(other).getByText('Luego el faro')).toBeVisible()
  expect(sent.files).toBe(2)
})

async function loseAnswerAndConnection(page: Page, context: BrowserContext): Promise<void> {
  const lost = Promise.withResolvers<void>()
  await page.route('**/v1/posts', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    expect((await route.fetch()).status()).toBe(201)
    await context.setOffline(true)
    await route.abort()
    lost.resolve()
  })
  await context.setOffline(false)
  await lost.promise
  await page.unroute('**/v1/posts')
}

test('PWA-08 a post whose response is lost, and which ana then moves to a group, appears only in that group', async ({
  signedUp,
}) => {
  const ana = await signedUp('Ana')
  const { page, context } = ana
  const group = await createGroupViaApi(ana, { name: 'Solo nosotras' })
  await openFormOffline(page, context)
  await postOffline(page, 'Para quien sea')
  await loseAnswerAndConnection(page, context)
  await main(page).getByRole('link', { name: 'See it' }).click()
  await waiting(page)
    .getByRole('button', { name: /^Para quien sea/ })
    .click()
  // Earlier input would belong to another post.
  await expect(page.getByLabel('Caption')).toHaveValue('Para quien sea')
  await page.getByLabel('Caption').fill('Para las del grupo')
  await page.getByLabel('Group').selectOption(group.name)
  await main(page).getByRole('button', { name: 'Create Post' }).click()
  await expect(notice(page)).toBeVisible()
  await context.setOffline(false)
  await expect(notice(page)).toHaveCount(0)
  const captionsAt = async (path: string) =>
    ((await (await ana.request.get(path)).json()) as { documents: Post[] }).documents.map(
      ({ caption }) => caption,
    )
  await expect.poll(() => captionsAt(`/v1/groups/${group.$id}/posts`)).toEqual(['Para las del grupo'])
  expect(await captionsAt('/v1/feed')).toEqual(['Para las del grupo'])
})

test('PWA-08 if ana deletes a waiting post whose response was lost, the post is deleted on the server too', async ({
  signedUp,
}) => {
  const ana = await signedUp('Ana')
  const { page, context } = ana
  await openFormOffline(page, context)
  await postOffline(page, 'Mejor no')
  await loseAnswerAndConnection(page, context)
  expect(await listCaptions(ana)).toEqual(['Mejor no'])
  await main(page).getByRole('link', { name: 'See it' }).click()
  await waiting(page).getByRole('button', { name: 'Delete post: Mejor no' }).click()
  await expect(toastRegion(page).getByText('This post may already be published.')).toBeVisible()
  // The post must still be waiting when she deletes it.
  await page.evaluate(() => void navigator.locks.request('post-outbox', () => new Promise(() => {})))
  await context.setOffline(false)
  await waiting(page).getByRole('button', { name: 'Delete post: Mejor no' }).click()
  await expect(waiting(page)).toHaveCount(0)
  await expect.poll(() => listCaptions(ana)).toEqual([])
})

test('PWA-08 EDIT-08 ana sees, edits and deletes waiting posts, logging out asks before deleting them, and a photo is sent once she is online', async ({
  signedUp,
}) => {
  const ana = await signedUp('Ana')
  const { page, context } = ana
  await openFormOffline(page, context)
  await postOffline(page, 'Con una falta')
  const question = page.getByRole('alertdialog', { name: 'Log out now?' })
  await page.getByRole('button', { name: 'Logout' }).first().click()
  await expect(question).toContainText('1 post waits to be sent. Logging out deletes it.')
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect(notice(page)).toHaveText('1 post waiting. We’ll send it when you’re online.')
  await main(page).getByRole('link', { name: 'See it' }).click()
  await waiting(page)
    .getByRole('button', { name: /^Con una falta/ })
    .click()
  await expect(page.getByLabel('Caption')).toHaveValue('Con una falta')
  await expect(waiting(page)).toHaveCount(0)
  await page.getByLabel('Caption').fill('Sin ninguna falta')
  await main(page).getByRole('button', { name: 'Create Post' }).click()
  await expect(notice(page)).toBeVisible()
  await main(page).getByRole('link', { name: 'See it' }).click()
  await waiting(page).getByRole('button', { name: 'Delete post: Sin ninguna falta' }).click()
  await expect(waiting(page)).toHaveCount(0)
  await context.setOffline(false)
  await page.goto('/')
  await expect(notice(page)).toHaveCount(0)
  expect(await listCaptions(ana)).toEqual([])

  await openFormOffline(page, context)
  const sent = countSent(context)
  await fillForm(page, 'Volví antes de acabar')
  await context.setOffline(false)
  await expect.poll(() => sent.files).toBe(1)
  await main(page).getByRole('button', { name: 'Create Post' }).click()
  await expect(toastRegion(page).getByText('Posted')).toBeVisible()
  expect(await listCaptions(ana)).toEqual(['Volví antes de acabar'])
  expect(sent).toEqual({ files: 1, posts: 1 })
})

test('PWA-09 after ana is removed from a group, her waiting post for it stays unsent, with its text, until she chooses another audience', async ({
  signedUp,
  member,
}) => {
  const [ana, gala] = [await signedUp('Ana'), await member('Gala')]
  const { page, context } = ana
  const group = await createGroupViaApi(gala, { name: 'Tejer en Vallecas' }, [ana])
  await openFormOffline(page, context)
  await page.getByLabel('Group').selectOption(group.name)
  await postOffline(page, 'Solo para las del grupo')
  await expect(notice(page)).toBeVisible()
  await removeMemberFromGroup(group, gala, ana)

  const sent = countSent(context)
  await context.setOffline(false)
  const refused = main(page).getByText('You are no longer in Tejer en Vallecas. Choose where to post.')
  await expect(refused).toBeVisible()
  expect(await listCaptions(ana)).toEqual([])
  // The next page starts its outbox after a delay.
  await page.clock.install()
  await page.reload()
  await expect(refused).toBeVisible()
  await page.clock.runFor(60_000)
  await page.evaluate(() => navigator.locks.request('post-outbox', () => {}))
  expect(sent.posts).toBe(1)
  expect(await listCaptions(ana)).toEqual([])

  await main(page).getByRole('link', { name: 'See it' }).click()
  await expect(waiting(page)).toContainText('You are no longer in Tejer en Vallecas. Choose where to post.')
  await waiting(page)
    .getByRole('button', { name: /^Solo para las del grupo/ })
    .click()
  await expect(page.getByLabel('Group').locator('option:checked')).toHaveText('A group you are no longer in')
  await page.getByLabel('Group').selectOption('Public Post')
  await main(page).getByRole('button', { name: 'Create Post' }).click()
  await expect(page).toHaveURL('/')
  await expect(main(page).getByText('Solo para las del grupo')).toBeVisible()
  await expect(refused).toHaveCount(0)
  expect(await listCaptions(ana)).toEqual(['Solo para las del grupo'])
})
