import type { Page } from '@playwright/test'
import { apiOperations } from '#contract/index.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { clickCreateAccountButton, fillSignUp } from './auth-form-steps.ts'
import {
  locateMessageBubble,
  locateMessageInput,
  openConversationViaApi,
  sendMessageViaApi,
} from './chat-steps.ts'
import { expect, signUpFormFixture, test } from './fixtures.ts'
import { createGroupViaApi, submitJoinRequest } from './group-steps.ts'
import {
  fetchHomeFeedPosts,
  openCreatePostForm,
  toUploadFilePayload,
  uploadPhotoInForm,
} from './post-steps.ts'

test.use({ withAppwrite: false })

const main = (page: Page) => page.getByRole('main')

const operations = apiOperations.map(({ path }) => new RegExp(`^/v1${path.replace(/:\w+/g, '[^/]+')}$`))

function foreignRequests(page: Page): string[] {
  const foreign: string[] = []
  const check = (url: string) => {
    const { pathname } = new URL(url)
    if (
      pathname.startsWith('/v1') &&
      pathname !== '/v1/live' &&
      !operations.some((path) => path.test(pathname))
    )
      foreign.push(pathname)
  }
  page.on('request', (request) => check(request.url()))
  page.on('websocket', (socket) => check(socket.url()))
  return foreign
}

test('ana signs up, posts a photo and lets bea into her group; bea likes the photo and receives ana’s message live', async ({
  page,
  signedUp,
}) => {
  const foreign = foreignRequests(page)
  await page.goto('/sign-up')
  await fillSignUp(page, signUpFormFixture('ana'))
  await clickCreateAccountButton(page)
  await expect(main(page).getByRole('heading', { name: 'No posts available' })).toBeVisible()
  const me = await (await page.request.get('/v1/me')).json()
  const ana = { ...me, page, request: page.request, context: page.context() }

  await openCreatePostForm(ana)
  await page.getByLabel('Caption').fill('Una tarde juntas')
  await uploadPhotoInForm(page, toUploadFilePayload(await createJpeg(), 'foto.jpg', 'image/jpeg'))
  await page.getByLabel('Location').fill('Tonalá')
  await main(page).getByRole('button', { name: 'Create Post' }).click()
  await expect(page).toHaveURL('/')
  await expect(main(page).locator('[data-picture=shown]').first()).toBeVisible()

  const bea = await signedUp('bea')
  const foreignToo = foreignRequests(bea.page)
  const [post] = await fetchHomeFeedPosts(ana)
  await bea.page.goto(`/posts/${post?.$id}`)
  const seen = main(bea.page).getByRole('article').first()
  await expect(seen.locator('[data-picture=shown]')).toBeVisible()
  await seen.getByRole('button', { name: /^Like, / }).click()
  await expect(seen.getByRole('button', { name: /^Like, / })).toHaveAccessibleName('Like, 1 like')

  const group = await createGroupViaApi(ana)
  await submitJoinRequest(bea, group)
  await page.goto(`/groups/${group.$id}/requests`)
  await main(page)
    .getByRole('button', { name: `Approve ${bea.name}` })
    .click()
  await expect(main(page).getByRole('listitem')).toHaveCount(0)
  await bea.page.goto(`/groups/${group.$id}`)
  await expect(main(bea.page).getByText('2 members')).toBeVisible()

  const conversation = await openConversationViaApi(ana, bea)
  await bea.page.goto(`/chat/${conversation}`)
  await expect(locateMessageInput(bea.page)).toBeVisible()
  await sendMessageViaApi(ana, conversation, 'Hola, bea')
  await expect(locateMessageBubble(bea.page, 'Hola, bea')).toBeVisible()
  expect([...foreign, ...foreignToo]).toEqual([])
})
