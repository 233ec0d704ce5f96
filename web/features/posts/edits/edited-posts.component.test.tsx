import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { listPostEditsOperation } from '#contract/posts/post-edits.ts'
import { makePersonSummary, makePost } from '#tests/support/component/fixtures.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'
import { answerPostForm, answerPostPage } from '#tests/support/component/post-form.ts'

const main = page.getByRole('main')
const dialog = page.getByRole('dialog', { name: 'Earlier versions' })
const opener = main.getByRole('button', { name: 'Earlier versions' })
const editedAt = '2026-11-02T18:30:00.000Z'
const edits = {
  documents: ['Segunda versión', 'Primera versión'].map((caption, at) => ({
    caption,
    location: 'Soria',
    tags: at === 1 ? ['sol'] : [],
    until: `2026-11-02T1${8 - at}:30:00.000Z`,
  })),
}

async function openOwnPost() {
  const ana = makePersonSummary({ name: 'Ana' })
  const post = makePost({ creator: ana, editedAt, can: { edit: true, delete: true } })
  answerPostForm({ posts: [post] })
  answerPostPage()
  await openApp(`/posts/${post.$id}`, { me: ana })
}

test('EDIT-01 the card and the page of an edited post say “Edited”, with the time as tooltip', async () => {
  const [edited, other] = [makePost({ caption: 'La abuela y su lata', editedAt }), makePost()]
  answerPostForm({ posts: [edited, other] })
  answerPostPage()
  const { navigate } = await openApp('/')
  const card = (caption: string) => main.getByRole('article').filter({ hasText: caption })
  const mark = card(edited.caption).getByText('Edited', { exact: true })
  await expect.element(mark).toHaveAttribute('title', 'Nov 2, 2026 at 6:30 PM')
  await expect.element(mark).toHaveAttribute('datetime', editedAt)
  expect(card(other.caption).getByText('Edited').elements()).toEqual([])
  navigate(`/posts/${edited.$id}`)
  await expect.element(main.getByRole('button', { name: 'Back' })).toBeVisible()
  await expect.element(main.getByText('Edited', { exact: true })).toHaveAttribute('datetime', editedAt)
  expect(opener.elements()).toEqual([])
})

test('EDIT-03 the author reads the earlier versions of a post, newest first', async () => {
  await openOwnPost()
  api.answer(listPostEditsOperation, edits)
  await opener.click()
  const versions = dialog.getByRole('listitem')
  await expect.element(versions.nth(0)).toMatchTextContent('Segunda versión')
  await expect.element(versions.nth(1)).toMatchTextContent('Primera versión')
  await expect.element(versions.nth(1)).toMatchTextContent('#sol')
  await expect.element(versions.nth(1)).toMatchTextContent(/^Until Nov 2/)
  await expect.poll(() => versions.elements()).toHaveLength(2)
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(opener).toHaveFocus()
})

test('EDIT-03 earlier versions that cannot be loaded say so and can be retried', async () => {
  await openOwnPost()
  api.refuse(listPostEditsOperation, 500)
  await expect.element(opener).toBeVisible()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  ;(opener.element() as HTMLElement).click()
  const again = dialog.getByRole('button', { name: 'Try again' })
  await expect
    .poll(() => {
      vi.advanceTimersByTime(4000)
      return again.elements().length
    })
    .toBe(1)
  vi.useRealTimers()
  api.answer(listPostEditsOperation, edits)
  await again.click()
  await expect.element(dialog).toMatchTextContent('Primera versión')
})
