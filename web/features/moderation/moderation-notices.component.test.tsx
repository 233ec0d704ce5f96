import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  listModerationNoticesOperation,
  type ModerationNotice,
  markModerationNoticeReadOperation,
} from '#contract/moderation/moderation-notices-and-appeals.ts'
import { getHomeFeedOperation } from '#contract/posts/posts.ts'
import { makePost, newId } from '#tests/support/component/fixtures.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'
import { ana, answerPeople, main } from '#tests/support/component/people.ts'
import { answerPostForm, answerPostPage } from '#tests/support/component/post-form.ts'

const note = page.getByRole('alertdialog', { name: 'A note from the moderators' })
const caption = 'Buscamos a Marta. Vive en la calle de las Flores.'

const makeNotice = (given: Partial<ModerationNotice>): ModerationNotice => ({
  $id: newId('notice'),
  $createdAt: new Date().toISOString(),
  kind: 'hidden',
  text: 'Busca a una persona',
  about: 'post',
  post: null,
  words: null,
  caseId: newId('case'),
  can: { appeal: true },
  ...given,
})

function answerNotices(...notices: ModerationNotice[]) {
  api.answer(listModerationNoticesOperation, () => ({ documents: notices }))
  api.answer(markModerationNoticeReadOperation, ({ noticeId }) => {
    notices.splice(
      notices.findIndex(({ $id }) => $id === noticeId),
      1,
    )
  })
}

beforeEach(() => {
  answerPeople([])
  api.answer(getHomeFeedOperation, { documents: [], next: null })
})

test('MOD-12 MOD-14 the notice about a hidden post names the post and the reason, and links to the post', async () => {
  const post = makePost({
    creator: ana,
    caption,
    hidden: { by: 'moderator', reason: 'Busca a una persona', caseId: null, can: { appeal: false } },
  })
  answerPostForm({ posts: [post] })
  answerPostPage()
  answerNotices(makeNotice({ post: { $id: post.$id, caption } }))
  await openApp('/explore', { me: ana })
  await expect.element(note.getByText(caption)).toBeVisible()
  await expect.element(note.getByText('Reason', { exact: true })).toBeVisible()
  await expect.element(note.getByText('Busca a una persona')).toBeVisible()
  await note.getByRole('link', { name: 'See the post' }).click()
  await expect.element(note).not.toBeInTheDocument()
  await expect.element(main.getByRole('region', { name: 'Hidden by the moderators' })).toBeVisible()
  await expect.poll(() => location.pathname).toBe(`/posts/${post.$id}`)
  expect(api.callsOf(markModerationNoticeReadOperation)).toHaveLength(1)
})

test('MOD-14 the notice stays over the post if the server cannot record that ana read it', async () => {
  const post = makePost({ creator: ana, caption })
  answerPostForm({ posts: [post] })
  answerPostPage()
  answerNotices(makeNotice({ kind: 'warning', post: { $id: post.$id, caption } }))
  api.refuse(markModerationNoticeReadOperation, 500)
  await openApp('/', { me: ana })
  await note.getByRole('link', { name: 'See the post' }).click()
  await expect.element(note.getByRole('alert')).toHaveTextContent('Something went wrong. Please try again.')
  await expect.poll(() => location.pathname).toBe(`/posts/${post.$id}`)
})

test('MOD-14 a notice about a post that ana has since deleted names no post', async () => {
  answerNotices(makeNotice({}))
  await openApp('/', { me: ana })
  await expect.element(note.getByText('Busca a una persona')).toBeVisible()
  expect(note.getByRole('link').elements()).toEqual([])
})
