import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { listGroupMembersOperation } from '#contract/groups/group-members.ts'
import {
  type Group,
  getGroupOperation,
  listGroupPostsOperation,
  listGroupsOperation,
  updateGroupOperation,
} from '#contract/groups/groups.ts'
import { refusal } from '#tests/support/component/fake-api.ts'
import {
  makeGroup,
  makeGroupMember,
  makePersonSummary,
  makePost,
  newId,
} from '#tests/support/component/fixtures.ts'
import { api, openApp, phone } from '#tests/support/component/open-app.tsx'

const main = page.getByRole('main')
const title = main.getByRole('heading', { level: 1 })
const posts = main.getByRole('article')
const adminCan = { edit: true, delete: true, decide: true, leave: false, decline: false }

let group: Group
let path: string

beforeEach(() => {
  serve(makeGroup({ membership: 'member', memberCount: 2, description: 'Los jueves, con paciencia.' }))
  api.answer(listGroupPostsOperation, { documents: [], next: null })
  api.answer(listGroupsOperation, () => ({ documents: [group], next: null }))
})

function serve(given: Group): void {
  group = given
  path = `/groups/${group.$id}`
  api.answer(getGroupOperation, () => group)
}

/** Answers the group's posts: each newer than the next. */
const servePosts = (captions: string[]) =>
  api.answer(listGroupPostsOperation, {
    documents: captions.map((caption) =>
      makePost({ caption, groupId: group.$id, group: { $id: group.$id, name: group.name } }),
    ),
    next: null,
  })

test('GPAGE-01 a group that does not exist is not found, and a link leads back', async () => {
  api.refuse(getGroupOperation, 'group_not_found')
  await openApp(`/groups/${newId('nowhere')}`)
  await expect.element(title).toMatchTextContent('Group not found')
  await main.getByRole('link', { name: 'Back to Groups' }).click()
  expect(location.pathname).toBe('/groups')
})

test('GPAGE-05 GPAGE-06 GPAGE-07 the admin sees pending requests and the members', async () => {
  const me = makePersonSummary({ name: 'Ana' })
  const bea = makePersonSummary({ name: 'Bea' })
  serve(makeGroup({ membership: 'admin', adminId: me.$id, memberCount: 2, pendingCount: 1, can: adminCan }))
  api.answer(listGroupMembersOperation, {
    documents: [
      makeGroupMember({ user: bea, can: { remove: true, handOver: true } }),
      makeGroupMember({ user: me, role: 'admin' }),
    ],
    next: null,
  })
  await openApp(path, { me })
  await expect.element(main.getByText("You're Admin")).toBeVisible()
  const requests = main.getByRole('link', { name: 'Requests 1 pending' })
  await expect.element(requests).toHaveAttribute('href', `${path}/requests`)
  const button = main.getByRole('button', { name: 'Members (2)' })
  await button.click()
  const dialog = page.getByRole('dialog', { name: 'Members' })
  const row = (username: string) => dialog.getByRole('listitem').filter({ hasText: `@${username}` })
  await expect.element(row('bea')).toMatchTextContent('Member')
  await expect.element(row('ana')).toMatchTextContent('Admin')
  expect(dialog.getByRole('listitem').elements()).toHaveLength(2)
  expect(row('ana').getByRole('button').elements()).toEqual([])
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(button).toHaveFocus()
})

test('GPAGE-17 scrolling brings the posts of the next page', async () => {
  const cursor = newId('post')
  const pageOf = (captions: string[], next: string | null) => ({
    documents: captions.map((caption) => makePost({ caption, groupId: group.$id })),
    next,
  })
  const newest = Array.from({ length: 20 }, (_, index) => `Pieza número ${21 - index}`)
  api.answer(listGroupPostsOperation, (input) =>
    input.cursor === cursor ? pageOf(['Pieza número 1'], null) : pageOf(newest, cursor),
  )
  await openApp(path)
  await expect.poll(() => posts.elements().length).toBe(20)
  posts.elements().at(-1)?.scrollIntoView()
  await expect.poll(() => posts.elements().length).toBe(21)
  expect(posts.elements().at(-1)?.textContent).toContain('Pieza número 1')
})

test('the group and its posts are each loaded again on demand', async () => {
  servePosts(['Solo entre nosotras'])
  const failing = () => refusal('general_query_invalid')
  api.answer(getGroupOperation, failing)
  api.answer(listGroupPostsOperation, failing)
  await openApp(path)
  await expect.element(main.getByRole('alert')).toMatchTextContent('We couldn’t load this.')
  api.answer(getGroupOperation, () => group)
  await main.getByRole('button', { name: 'Try again' }).click()
  await expect.element(title).toMatchTextContent(group.name)
  await expect.element(main.getByRole('alert')).toMatchTextContent('We couldn’t load this.')
  servePosts(['Solo entre nosotras'])
  await main.getByRole('button', { name: 'Try again' }).click()
  await expect.element(posts).toMatchTextContent('Solo entre nosotras')
})

test('the admin’s form refuses an empty name and saves the changed one', async () => {
  serve(makeGroup({ membership: 'admin', description: 'Los jueves', can: adminCan }))
  api.answer(updateGroupOperation, ({ name, description }) => {
    serve({ ...group, name: name ?? group.name, description: description ?? group.description })
    return group
  })
  await openApp(path)
  await main.getByRole('link', { name: 'Edit Group' }).click()
  const name = page.getByLabelText('Name')
  const submit = main.getByRole('button', { name: 'Update Group' })
  await expect.element(page.getByLabelText('Description')).toHaveValue('Los jueves')
  await name.fill('')
  await submit.click()
  await expect.element(name).toHaveAccessibleDescription('Group name is required')
  await name.fill('Tejer los viernes')
  await submit.click()
  await expect.element(title).toMatchTextContent('Tejer los viernes')
  expect(location.pathname).toBe(path)
  expect(api.callsOf(updateGroupOperation)).toMatchObject([{ name: 'Tejer los viernes' }])
})

test('on a phone the members dialog covers the navigation', async () => {
  serve(makeGroup({ membership: 'admin', can: adminCan }))
  api.answer(listGroupMembersOperation, { documents: [makeGroupMember()], next: null })
  await openApp(path, { size: phone })
  await main.getByRole('button', { name: /^Members/ }).click()
  const dialog = page.getByRole('dialog')
  await expect.element(dialog).toBeVisible()
  await expect.poll(() => Math.round(dialog.element().getBoundingClientRect().bottom)).toBe(phone.height)
  expect(dialog.element().getBoundingClientRect()).toMatchObject({
    x: 0,
    width: document.documentElement.clientWidth,
  })
})

test('on a phone a post is as wide as the page, and its links are 24 px high', async () => {
  api.answer(listGroupPostsOperation, {
    documents: [
      makePost({
        caption: 'm'.repeat(200),
        location: 'Parque Nacional de la Sierra de Guadarrama, Rascafría, Madrid',
        groupId: group.$id,
        group: { $id: group.$id, name: group.name },
      }),
    ],
    next: null,
  })
  await openApp(path, { size: phone })
  await expect.element(posts).toMatchTextContent('Guadarrama')
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(phone.width)
  expect(posts.element().getBoundingClientRect().right).toBeLessThanOrEqual(phone.width)
  const heights = posts
    .getByRole('link')
    .elements()
    .map((link) => link.getBoundingClientRect().height)
  expect(heights.length).toBeGreaterThan(2)
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(24)
})
