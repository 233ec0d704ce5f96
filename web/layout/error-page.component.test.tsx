import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { getCurrentMemberOperation } from '#contract/account/sign-up-and-sign-in.ts'
import type { Operation } from '#contract/operation.ts'
import { getPersonOperation, listPeopleOperation } from '#contract/people/people.ts'
import {
  explorePostsOperation,
  getPostOperation,
  listLikedPostsOperation,
  listPersonPostsOperation,
  listSavedPostsOperation,
} from '#contract/posts/posts.ts'
import { makePost, makeProfile, newId } from '#tests/support/component/fixtures.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'
import { answerPostPage } from '#tests/support/component/post-form.ts'
import { passQueryRetries } from '#tests/support/component/query-retries.ts'

const main = page.getByRole('main')
const broken = page.getByText('Unexpected Application Error!')
const failed = main.getByText('We couldn’t load this.')
const again = main.getByRole('button', { name: 'Try again' })

test('ERR-01 ERR-02 an unknown URL shows the error page with its status and a link to Home', async () => {
  const { navigate } = await openApp('/nowhere')
  for (const path of ['/nowhere', '/groups/knit/members/old']) {
    navigate(path)
    await expect
      .element(page.getByRole('heading', { level: 1, name: 'Unexpected Application Error!' }))
      .toBeVisible()
    await expect.element(page.getByText('404 Not Found')).toBeVisible()
  }
  await expect.element(page.getByRole('link', { name: 'Go to Home' })).toHaveAttribute('href', '/')
})

test('ERR-07 the response of a broken proxy is never shown as a page', async () => {
  api.answer(listSavedPostsOperation, { documents: [], next: null })
  const { release } = api.hold(getCurrentMemberOperation)
  const { me } = await openApp('/saved', { waits: false })
  api.answer(getCurrentMemberOperation, () => new Response('<h1>Bad gateway</h1>', { status: 502 }))
  release()
  await passQueryRetries(() => failed.elements().length > 0)
  expect(page.getByText(/Bad gateway/).elements()).toEqual([])
  api.answer(getCurrentMemberOperation, me)
  await passQueryRetries(() => {
    for (const button of again.elements()) (button as HTMLElement).click()
    return page.getByRole('heading', { level: 1, name: 'Saved Posts' }).elements().length > 0
  })
})

const ana = { $id: newId('ana'), name: 'Ana' }
const post = makePost({ caption: 'Una tarde en Tonalá' })
const lists: [name: string, path: string, list: Operation][] = [
  ['saved posts', '/saved', listSavedPostsOperation],
  ['the posts of a profile', `/profile/${ana.$id}`, listPersonPostsOperation],
  ['liked posts', `/profile/${ana.$id}/liked-posts`, listLikedPostsOperation],
  ['Explore', '/explore', explorePostsOperation],
  ['a post', `/posts/${post.$id}`, getPostOperation],
]

for (const [name, path, list] of lists)
  test(`ERR-03 ERR-04 if ${name} cannot be loaded, the page says so once and can be retried`, async () => {
    const posts = { documents: [post], next: null }
    answerPostPage()
    api.answer(getPersonOperation, makeProfile({ ...ana, postCount: 1 }))
    api.answer(listPeopleOperation, { documents: [], next: null })
    for (const operation of [
      listSavedPostsOperation,
      listPersonPostsOperation,
      listLikedPostsOperation,
      explorePostsOperation,
    ])
      api.answer(operation, posts)
    api.answer(getPostOperation, post)
    // The app does not retry this type of error.
    api.refuse(list, 'general_argument_invalid')
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    await openApp(path, { me: ana, waits: false })
    await expect.element(failed).toBeVisible()
    await expect.element(main.getByRole('heading', { level: 1 })).toBeInTheDocument()
    expect(broken.elements()).toEqual([])
    expect(logged.mock.calls.map(([error]) => String(error))).toEqual([expect.stringContaining('ApiError: ')])
    logged.mockRestore()
    if (list === getPostOperation) api.answer(getPostOperation, post)
    else api.answer(list, () => posts)
    await again.click()
    await expect.element(main.getByText(post.caption).first()).toBeInTheDocument()
  })
