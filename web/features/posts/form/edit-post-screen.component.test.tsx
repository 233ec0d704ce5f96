import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { deleteFileOperation, uploadFileOperation } from '#contract/files/files.ts'
import { getGroupOperation, listGroupPostsOperation } from '#contract/groups/groups.ts'
import { getPostOperation, updatePostOperation } from '#contract/posts/posts.ts'
import { makeGroup, makePost } from '#tests/support/component/fixtures.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'
import { createPicture } from '#tests/support/component/pictures.ts'
import {
  answerPostForm,
  answerPostPage,
  caption,
  choosePhotos,
  fillPost,
  location,
  openEditPostForm,
  pathname,
  toasts,
  updateButton,
} from '#tests/support/component/post-form.ts'

const main = page.getByRole('main')
const article = main.getByRole('article').first()
const group = main.getByLabelText('Group')
const own = { edit: true, delete: true }
const post = (given: Parameters<typeof makePost>[0] = {}) =>
  makePost({ caption: 'Una tarde', location: 'Tonalá', tags: ['sol', 'mar'], can: own, ...given })
const updates = () => api.callsOf(updatePostOperation)
const options = () =>
  group
    .getByRole('option')
    .elements()
    .map(({ textContent }) => textContent)

test('PEDT-01 PEDT-02 PEDT-03 PEDT-07 the form shows the post, and saves a changed caption without a new upload', async () => {
  const shown = post()
  await openEditPostForm(shown)
  await expect.element(main.getByRole('heading', { level: 1 })).toMatchTextContent('Edit Post')
  await expect.element(caption).toHaveValue('Una tarde')
  await expect.element(location).toHaveValue('Tonalá')
  await expect.element(main.getByLabelText('Tags')).toHaveValue('sol, mar')
  await expect.element(group).toHaveValue('')
  await expect.element(main.getByRole('button', { name: 'Click or drag photo to replace' })).toBeVisible()
  await caption.fill('Una noche')
  await updateButton.click()
  await expect.poll(pathname).toBe(`/posts/${shown.$id}`)
  await expect.element(article).toMatchTextContent('Una noche')
  expect(updates()).toMatchObject([{ postId: shown.$id, caption: 'Una noche' }])
  expect(api.callsOf(uploadFileOperation)).toEqual([])
})

test('PEDT-08 PEDT-09 a new photo is uploaded first, and then a single request replaces the old photo', async () => {
  const shown = post()
  const { uploads } = await openEditPostForm(shown)
  await choosePhotos(await createPicture())
  const upload = api.hold(uploadFileOperation)
  await updateButton.click()
  await upload.arrived
  expect(updates()).toEqual([])
  upload.release()
  await expect.poll(pathname).toBe(`/posts/${shown.$id}`)
  await expect.poll(() => updates()[0]?.photos?.map(({ imageId }) => imageId)).toEqual(uploads.ids())
  await expect.poll(() => updates()).toHaveLength(1)
  expect(api.callsOf(deleteFileOperation)).toEqual([])
})

test("PEDT-04 PEDT-05 PEDT-10 a refused edit shows the unchanged post, and Edit reopens the form with ana's changes", async () => {
  const shown = post()
  const { keepChange, uploads } = await openEditPostForm(shown)
  api.refuse(updatePostOperation, 500)
  await caption.fill('Lo que no se guarda')
  await choosePhotos(await createPicture())
  await updateButton.click()
  await expect.element(toasts.getByText('Update post failed. Please try again.')).toBeVisible()
  await expect.poll(() => pathname()).toBe(`/posts/${shown.$id}`)
  await expect.element(article).toMatchTextContent('Una tarde')
  await expect.poll(() => uploads.deleted).toEqual(uploads.ids())
  await expect.poll(() => uploads.ids()).toHaveLength(1)
  api.answer(updatePostOperation, keepChange)
  await toasts.getByRole('button', { name: 'Edit again' }).click()
  await expect.poll(pathname).toBe(`/update-post/${shown.$id}`)
  await expect.element(caption).toHaveValue('Lo que no se guarda')
  await updateButton.click()
  await expect.poll(pathname).toBe(`/posts/${shown.$id}`)
  await expect.element(article).toMatchTextContent('Lo que no se guarda')
  expect(
    updates()
      .at(-1)
      ?.photos?.map(({ imageId }) => imageId),
  ).toEqual(uploads.ids().slice(1))
})

test('PEDT-11 the edit form shows the same validation messages as the form for new posts', async () => {
  await openEditPostForm(post())
  await fillPost('Cuat', ' ')
  await updateButton.click()
  await expect.element(main.getByText('Minimum 5 characters.')).toBeVisible()
  await expect.element(main.getByText('This field is required')).toBeVisible()
  await expect.element(caption).toHaveFocus()
  await caption.fill('a'.repeat(2201))
  await expect.element(main.getByText('Maximum 2,200 caracters')).toBeVisible()
  expect(updates()).toEqual([])
})

test('PEDT-13 PERM-03 ana cannot open the edit form of a post that she may not edit', async () => {
  const foreign = post({ can: { edit: false, delete: false } })
  answerPostForm({ posts: [foreign] })
  answerPostPage()
  const { navigate } = await openApp(`/update-post/${foreign.$id}`)
  await expect.poll(pathname).toBe(`/posts/${foreign.$id}`)
  await expect.element(article).toMatchTextContent('Una tarde')
  navigate('/update-post/nope')
  await expect.element(main.getByRole('heading', { name: 'Post not found' })).toBeVisible()
  await expect.poll(() => api.callsOf(getPostOperation).at(-1)).toMatchObject({ postId: 'nope' })
})

test('PEDT-01 the form asks before it moves a post out of its group', async () => {
  const club = makeGroup({ membership: 'member' })
  const shown = post({ groupId: club.$id, group: { $id: club.$id, name: club.name } })
  await openEditPostForm(shown, { groups: [club] })
  await expect.element(group).toHaveValue(club.$id)
  await group.selectOptions('')
  await updateButton.click()
  const question = page.getByRole('alertdialog', { name: 'Make this post public?' })
  await expect.element(question).toMatchTextContent('This post will become visible to everyone.')
  await question.getByRole('button', { name: 'Keep in the group' }).click()
  await expect.poll(() => pathname()).toBe(`/update-post/${shown.$id}`)
  expect(updates()).toEqual([])
  await updateButton.click()
  await question.getByRole('button', { name: 'Make public' }).click()
  await expect.poll(pathname).toBe(`/posts/${shown.$id}`)
  expect(updates()).toMatchObject([{ groupId: null }])
})

test('PCRE-04 the form opened from a group’s page has the group selected', async () => {
  const club = makeGroup({ membership: 'member' })
  answerPostForm({ groups: [club] })
  api.answer(getGroupOperation, club)
  api.answer(listGroupPostsOperation, { documents: [], next: null })
  await openApp(`/groups/${club.$id}`)
  await main
    .getByRole('link', { name: /^Create( First)? Post$/ })
    .first()
    .click()
  await expect.element(group).toHaveValue(club.$id)
  expect(options()).toEqual(['Public Post', club.name])
})

test('PRIV-14 a private member is asked before her post leaves its group, and reads that her followers will see it', async () => {
  const sew = makeGroup({ membership: 'member' })
  const shown = post({ groupId: sew.$id, group: { $id: sew.$id, name: sew.name } })
  await openEditPostForm(shown, { groups: [sew], me: { isPrivate: true } })
  await group.selectOptions('')
  await updateButton.click()
  const ask = page.getByRole('alertdialog')
  await expect.element(ask).toMatchTextContent('This post will become visible to your followers.')
  expect(updates()).toEqual([])
  await ask.getByRole('button', { name: 'Remove' }).click()
  await expect.element(ask).not.toBeInTheDocument()
  await expect.poll(updates).toMatchObject([{ postId: shown.$id, groupId: null }])
})
