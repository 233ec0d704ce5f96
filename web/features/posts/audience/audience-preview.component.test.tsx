import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { listGroupMembersOperation } from '#contract/groups/group-members.ts'
import { listFollowersOperation } from '#contract/people/people.ts'
import { previewAudienceOperation } from '#contract/posts/audience-preview.ts'
import { refusal } from '#tests/support/component/fake-api.ts'
import {
  makeGroup,
  makeGroupMember,
  makePerson,
  makePersonSummary,
  makePost,
} from '#tests/support/component/fixtures.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'
import { ana, dialog, main } from '#tests/support/component/people.ts'
import { answerPostForm, answerPostPage, openEditPostForm } from '#tests/support/component/post-form.ts'

const audience = main.getByRole('region', { name: 'Who will see this' })
const seeWho = audience.getByRole('button', { name: 'See who' })
const list = dialog('Who will see this')
const nobody = { faces: [], rounded: false, group: null }
const knit = makeGroup({ name: 'Tejer', membership: 'member' })
const [bea, carla] = [makePersonSummary({ name: 'Bea' }), makePersonSummary({ name: 'Carla' })]

const answerAudience = () =>
  api.answer(previewAudienceOperation, ({ groupId }) =>
    groupId === knit.$id
      ? { ...nobody, kind: 'group', count: 2, faces: [bea, carla], group: { $id: knit.$id, name: knit.name } }
      : { ...nobody, kind: 'everyone', count: 1200, rounded: true },
  )

async function openForm() {
  await openApp('/create-post', { me: ana })
  await expect.element(audience).toBeVisible()
}

test('AUD-01 AUD-02 AUD-04 AUD-05 the form shows who will see the post, and updates with the group', async () => {
  answerPostForm({ groups: [knit] })
  answerAudience()
  api.answer(listGroupMembersOperation, {
    documents: [bea, carla, ana].map((user) => makeGroupMember({ user })),
    next: null,
  })
  await openForm()
  await expect.element(audience.getByText('Everyone on Juntas', { exact: true })).toBeVisible()
  await expect
    .element(audience)
    .toMatchTextContent('Every member can see this post, its photo and its place.')
  await expect.element(audience).toMatchTextContent('about 1,200 people')
  expect(audience.getByRole('button').elements()).toEqual([])

  await page.getByLabelText('Group').selectOptions(knit.name)
  await expect.element(audience.getByText('2 members of Tejer', { exact: true })).toBeVisible()
  await expect
    .element(audience)
    .toMatchTextContent('will see this post, its photo and its place. Nobody outside the group.')
  await seeWho.click()
  await expect.poll(() => list.getByRole('listitem').elements().length).toBe(2)
  for (const { username } of [bea, carla]) await expect.element(list.getByText(`@${username}`)).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(seeWho).toHaveFocus()
})

test('AUD-03 AUD-05 the form of a private account counts and lists the followers', async () => {
  answerPostForm()
  api.answer(previewAudienceOperation, { ...nobody, kind: 'followers', count: 1, faces: [carla] })
  api.answer(listFollowersOperation, { documents: [makePerson(carla)], next: null })
  await openForm()
  await expect.element(audience.getByText('1 follower', { exact: true })).toBeVisible()
  await expect
    .element(audience)
    .toMatchTextContent('Only people you approved can see this post, its photo and its place.')
  await seeWho.click()
  await expect.poll(() => list.getByRole('listitem').elements().length).toBe(1)
  await expect.element(list.getByText('@carla')).toBeVisible()
})

test('AUD-01 the form of an existing post requests the audience of that post', async () => {
  answerAudience()
  const post = makePost({
    groupId: knit.$id,
    group: { $id: knit.$id, name: knit.name },
    can: { edit: true, delete: true },
  })
  await openEditPostForm(post, { groups: [knit], me: ana })
  await expect.poll(() => api.callsOf(previewAudienceOperation).length).toBeGreaterThan(0)
  await expect
    .poll(() => api.callsOf(previewAudienceOperation)[0])
    .toMatchObject({ groupId: knit.$id, postId: post.$id })
})

test('AUD-06 the form says when the audience is being checked, and when the check fails', async () => {
  answerPostForm()
  answerPostPage()
  const answer = api.hold(previewAudienceOperation)
  api.answer(previewAudienceOperation, () => refusal('document_not_found'))
  await openApp('/create-post', { me: ana, waits: false })
  await expect.element(audience.getByText('Checking who will see this…', { exact: true })).toBeVisible()
  answer.release()
  await expect
    .element(audience.getByText('We couldn’t check who will see this.', { exact: true }))
    .toBeVisible()
  answerAudience()
  await audience.getByRole('button', { name: 'Try again' }).click()
  await expect.element(audience.getByText('Everyone on Juntas', { exact: true })).toBeVisible()
})
