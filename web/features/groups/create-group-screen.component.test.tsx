import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import {
  createGroupOperation,
  type Group,
  getGroupOperation,
  listGroupPostsOperation,
  listGroupsOperation,
} from '#contract/groups/groups.ts'
import { makeGroup, newId } from '#tests/support/component/fixtures.ts'
import { api, openApp, phone } from '#tests/support/component/open-app.tsx'
import { chooseFiles, createPicture } from '#tests/support/component/pictures.ts'
import { keepUploads } from '#tests/support/component/post-form.ts'

const main = page.getByRole('main')
const name = page.getByLabelText('Name')
const description = page.getByLabelText('Description')
const submit = main.getByRole('button', { name: 'Create Group' })
const toast = page.getByRole('region', { name: 'Notifications (F8)' }).getByRole('listitem')

beforeEach(() => {
  api.answer(listGroupsOperation, { documents: [], next: null })
  api.answer(createGroupOperation, (input) =>
    makeGroup({ $id: input.groupId ?? newId('group'), name: input.name }),
  )
})

test('GCRE-01 GCRE-02 GCRE-03 GCRE-04 the form names its required fields and limits, and says that the group is private', async () => {
  await openApp('/groups/create')
  await expect.element(main.getByRole('heading', { level: 1 })).toMatchTextContent('Create Group')
  const labels = [...main.element().querySelectorAll('label')].map(({ textContent }) => textContent)
  expect(labels).toEqual(['Name', 'Description', 'Photo'])
  await expect.element(main.getByText(/This group is private\. People ask to join/)).toBeVisible()
  await submit.click()
  await expect.element(name).toHaveFocus()
  await expect.element(name).toHaveAccessibleDescription('Group name is required')
  await name.fill('a'.repeat(51))
  await expect.element(page.getByText('Maximum 50 characters', { exact: true })).toBeVisible()
  await name.fill('a'.repeat(50))
  await description.fill('b'.repeat(201))
  await expect.element(page.getByText('Maximum 200 characters', { exact: true })).toBeVisible()
  await description.fill('b'.repeat(200))
  await expect.element(page.getByText('Maximum 200 characters', { exact: true })).not.toBeInTheDocument()
  expect(api.callsOf(createGroupOperation)).toEqual([])
})

test('GCRE-05 GCRE-06 GCRE-07 a group needs only a name, and a new group is first in the list', async () => {
  const groups = [makeGroup({ name: 'La de antes' })]
  api.answer(listGroupsOperation, () => ({ documents: groups, next: null }))
  api.answer(createGroupOperation, ({ name }) => {
    const created = makeGroup({ name, membership: 'admin', memberCount: 1 })
    groups.unshift(created)
    return created
  })
  await openApp('/groups')
  await main.getByRole('link', { name: 'Create Group' }).click()
  await name.fill('Tejer')
  await submit.click()
  await expect.poll(() => location.pathname).toBe('/groups')
  await expect.element(toast).toMatchTextContent('Group created successfully!')
  const first = main.getByRole('article').first()
  await expect.element(first).toMatchTextContent('Tejer')
  await expect.element(first).toMatchTextContent('1 member')
  const [created] = groups
  api.answer(getGroupOperation, created as Group)
  api.answer(listGroupPostsOperation, { documents: [], next: null })
  await toast.getByRole('button', { name: 'View group' }).click()
  await expect.poll(() => location.pathname).toBe(`/groups/${created?.$id}`)
})

test('GCRE-08 GCRE-11 after a failure the form keeps its contents and photo, and the next attempt sends both', async () => {
  const uploads = keepUploads()
  await openApp('/groups/create')
  await name.fill('Barro')
  chooseFiles(page.getByLabelText('Photo'), await createPicture())
  api.refuse(createGroupOperation, 500)
  await submit.click()
  await expect.element(toast).toMatchTextContent('Failed to create group. Please try again.')
  await expect.element(toast).toMatchTextContent('Error')
  expect(location.pathname).toBe('/groups/create')
  await expect.element(name).toHaveValue('Barro')
  await expect.element(main.getByRole('button', { name: 'Click or drag photo to replace' })).toBeVisible()
  api.answer(createGroupOperation, () => makeGroup({ name: 'Barro' }))
  await submit.click()
  await expect.poll(() => location.pathname).toBe('/groups')
  const sent = api.callsOf(createGroupOperation).at(-1)
  expect(sent).toMatchObject({ name: 'Barro', isPrivate: true })
  await expect.poll(() => uploads.ids()).toContain(sent?.imageId)
})

test('GCRE-07 pressing the button twice at once creates one group', async () => {
  await openApp('/groups/create')
  await name.fill('Barro')
  const button = submit.element() as HTMLButtonElement
  button.click()
  button.click()
  await expect.poll(() => location.pathname).toBe('/groups')
  await expect.poll(() => api.callsOf(createGroupOperation)).toHaveLength(1)
})

test('GCRE-07 GCRE-08 pressing the button again after a lost response requests the same group', async () => {
  await openApp('/groups/create')
  await name.fill('Barro')
  api.refuse(createGroupOperation, 'network')
  await submit.click()
  await expect.element(toast).toMatchTextContent('Failed to create group. Please try again.')
  api.answer(createGroupOperation, () => makeGroup({ name: 'Barro' }))
  await submit.click()
  await expect.element(toast).toMatchTextContent('Group created successfully!')
  const [first, second] = api.callsOf(createGroupOperation)
  expect(first?.groupId).toBeTruthy()
  expect(second).toEqual(first)
})

test('GCRE-05 GCRE-08 the error of a refused photo stays after the request fails', async () => {
  await openApp('/groups/create')
  await name.fill('Barro')
  await userEvent.upload(
    page.getByLabelText('Photo'),
    new File(['no es una foto'], 'rota.gif', { type: 'image/gif' }),
  )
  const reason = main.getByText(/^File type must be one of/)
  await expect.element(reason).toBeVisible()
  api.refuse(createGroupOperation, 'network')
  await submit.click()
  await expect.element(toast).toMatchTextContent('Failed to create group. Please try again.')
  await expect.element(reason).toBeVisible()
})

test('on a phone the toast does not cover the form’s button', async () => {
  await openApp('/groups/create', { size: phone })
  await name.fill('Barro')
  api.refuse(createGroupOperation, 'network')
  for (const top of [0, document.body.scrollHeight]) {
    scrollTo(0, top)
    await submit.click()
    await expect.element(toast).toMatchTextContent('Failed to create group')
    await submit.click({ trial: true })
    await toast.getByRole('button', { name: 'Close' }).click()
    await expect.element(toast).not.toBeInTheDocument()
  }
})
