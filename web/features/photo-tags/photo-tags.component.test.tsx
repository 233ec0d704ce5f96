import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { getPrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import type { PhotoTag } from '#contract/photo-tags/photo-tag-schema.ts'
import {
  listPhotosOfMeOperation,
  listTaggablePeopleOperation,
  removePhotoTagOperation,
  tagPersonOperation,
} from '#contract/photo-tags/photo-tags.ts'
import { makePersonSummary, makePost, makePrivacySettings, newId } from '#tests/support/component/fixtures.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'
import { answerPostForm, answerPostPage } from '#tests/support/component/post-form.ts'

const main = page.getByRole('main')
const people = page.getByRole('region', { name: 'People in this post' })
const dialog = page.getByRole('dialog', { name: 'Tag someone' })
const opener = page.getByRole('button', { name: 'Tag someone' })
const nobody = main.getByText('Nobody has tagged you.')
const camila = makePersonSummary({ name: 'Camila' })

test('PICT-01 by keyboard ana tags someone from the list, without choosing a position in the photo', async () => {
  const post = makePost({ can: { edit: true, delete: true, name: true }, people: [] })
  const { feed } = answerPostForm({ posts: [post] })
  answerPostPage()
  api.answer(listTaggablePeopleOperation, ({ term = '' }) => ({
    documents: camila.username.includes(term) ? [camila] : [],
  }))
  api.answer(tagPersonOperation, ({ imageId, x, y }) => {
    const tag: PhotoTag = { $id: newId(), person: camila, imageId, x, y, state: 'waiting' }
    feed[0] = { ...post, people: [tag] }
    return tag
  })
  await openApp(`/posts/${post.$id}`)
  await expect.element(opener).toBeVisible()
  ;(opener.element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await dialog.getByRole('searchbox', { name: 'Search people' }).fill('cami')
  const choice = dialog.getByRole('radio', { name: 'Camila' })
  await expect.element(choice).toBeVisible()
  ;(choice.element() as HTMLElement).focus()
  await userEvent.keyboard(' ')
  const ask = dialog.getByRole('button', { name: 'Ask her' })
  await expect.element(ask).toBeEnabled()
  ;(ask.element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(people).toMatchTextContent('Waiting for Camila')
  await expect
    .poll(() => api.callsOf(tagPersonOperation))
    .toMatchObject([{ personId: camila.$id, x: 0.5, y: 0.5 }])
})

test('PICT-01 if nobody can be tagged, the dialog says so', async () => {
  const post = makePost({ can: { edit: true, delete: true, name: true }, people: [] })
  answerPostForm({ posts: [post] })
  answerPostPage()
  api.answer(listTaggablePeopleOperation, { documents: [] })
  await openApp(`/posts/${post.$id}`)
  await opener.click()
  await expect.element(dialog).toMatchTextContent('Nobody can be tagged here yet.')
})

test('PICT-04 after ana declines a tag, she is not asked again and can still hide the photo', async () => {
  const post = makePost()
  const tag: PhotoTag = {
    $id: newId(),
    person: makePersonSummary({ name: 'Ana' }),
    imageId: post.imageId,
    x: 0.5,
    y: 0.5,
    state: 'waiting',
    me: true,
  }
  const { feed } = answerPostForm({ posts: [{ ...post, people: [tag] }] })
  answerPostPage()
  api.answer(removePhotoTagOperation, () => {
    feed[0] = { ...post, people: [{ ...tag, state: 'declined' }] }
  })
  await openApp(`/posts/${post.$id}`)
  await expect.element(people).toMatchTextContent('Is it all right to show your name here?')
  await people.getByRole('button', { name: 'No', exact: true }).click()
  await expect.element(people).not.toMatchTextContent('Is it all right to show your name here?')
  await expect.element(people.getByRole('button', { name: /^Hide this photo/ })).toBeVisible()
})

test('PICT-05 the page of ana’s photos links to the setting for who can tag her', async () => {
  api.answer(listPhotosOfMeOperation, { documents: [], next: null, waiting: 0 })
  api.answer(getPrivacySettingsOperation, makePrivacySettings())
  await openApp('/photos-of-you')
  await expect.element(nobody).toBeVisible()
  await main.getByRole('link', { name: 'Who can tag me' }).click()
  await expect.element(main.getByRole('radiogroup', { name: 'Who can tag me' })).toBeVisible()
})

test('PICT-10 photos of ana that cannot be loaded can be retried', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  api.refuse(listPhotosOfMeOperation, 'network')
  await openApp('/photos-of-you', { waits: false })
  const again = main.getByRole('button', { name: 'Try again' })
  await expect
    .poll(() => {
      vi.advanceTimersByTime(4000)
      return again.elements().length
    })
    .toBe(1)
  vi.useRealTimers()
  api.answer(listPhotosOfMeOperation, { documents: [], next: null, waiting: 0 })
  await again.click()
  await expect.element(nobody).toBeVisible()
})
