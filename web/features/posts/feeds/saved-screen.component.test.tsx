import { expect, test } from 'vitest'
import { listSavedPostsOperation } from '#contract/posts/posts.ts'
import { makePersonSummary, makePost } from '#tests/support/component/fixtures.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'
import { inPages, main, title } from '#tests/support/component/people.ts'

const links = main.getByRole('listitem').getByRole('link')
const names = () => links.elements().map((link) => link.textContent)

test('SAV-01 SAV-04 a member without saved posts reads “No available posts”', async () => {
  api.answer(listSavedPostsOperation, { documents: [], next: null })
  await openApp('/saved')
  await expect.element(title).toHaveTextContent('Saved Posts')
  await expect.element(main.getByRole('heading', { name: 'No available posts' })).toBeVisible()
})

test('SAV-02 SAV-03 SAV-05 saved posts are pictures without author or likes, in the server’s order', async () => {
  const creator = makePersonSummary({ name: 'Bea Ortiz' })
  const [older, newer] = [
    makePost({ creator, caption: 'La más vieja', likeCount: 3 }),
    makePost({ creator, caption: 'La más nueva' }),
  ]
  api.answer(listSavedPostsOperation, { documents: [older, newer], next: null })
  await openApp('/saved')
  await expect.poll(() => names().length).toBe(2)
  await expect.element(links.first()).toMatchTextContent('La más vieja')
  await expect.element(links.first()).toHaveAttribute('href', `/posts/${older.$id}`)
  expect(main.getByText(/like/).elements()).toEqual([])
  expect(main.getByText('Bea Ortiz').elements()).toEqual([])
})

test('SAV-02 further saved posts load as ana scrolls', async () => {
  const posts = Array.from({ length: 22 }, (_, at) => makePost({ caption: `Foto ${at}` }))
  api.answer(listSavedPostsOperation, inPages(posts))
  await openApp('/saved')
  await expect.poll(() => names().length).toBe(20)
  links.last().element().scrollIntoView()
  await expect.poll(() => names().length).toBe(22)
  await expect.poll(() => names().at(-1)).toContain('Foto 21')
})
