import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import {
  getGroupMembershipOperation,
  handOverGroupOperation,
  leaveGroupOperation,
  listGroupMembersOperation,
  removeGroupMemberOperation,
} from '#contract/groups/group-members.ts'
import {
  deleteGroupOperation,
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
import { answerPostForm, pathname, toasts } from '#tests/support/component/post-form.ts'

const main = page.getByRole('main')
const title = main.getByRole('heading', { level: 1 })
const posts = main.getByRole('article')
const question = (name: string) => page.getByRole('alertdialog', { name })
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

const servePosts = (captions: string[]) =>
  api.answer(listGroupPostsOperation, {
    documents: captions.map((caption) =>
      makePost({ caption, groupId: group.$id, group: { $id: group.$id, name: group.name } }),
    ),
    next: null,
  })

test('GPAGE-01 a missing group shows “Group not found” and a link back to Groups', async () => {
  api.refuse(getGroupOperation, 'group_not_found')
  await openApp(`/groups/${newId('nowhere')}`)
  await expect.element(title).toMatchTextContent('Group not found')
  await main.getByRole('link', { name: 'Back to Groups' }).click()
  expect(location.pathname).toBe('/groups')
})

test('GPAGE-05 GPAGE-06 GPAGE-07 the admin sees the pending requests and the members', async () => {
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
  await expect.poll(() => dialog.getByRole('listitem').elements()).toHaveLength(2)
  expect(row('ana').getByRole('button').elements()).toEqual([])
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(button).toHaveFocus()
})

test('GPAGE-02 GPAGE-03 GPAGE-05 CARD-08 a member sees the group and its posts, but no controls of the admin', async () => {
  servePosts(['Solo entre nosotras'])
  const { navigate } = await openApp(path)
  await expect.element(title).toMatchTextContent(group.name)
  await expect.poll(() => document.title).toBe(`${group.name} · Juntas`)
  await expect.element(main.getByText('Los jueves, con paciencia.')).toBeVisible()
  await expect.element(main.getByText('Private Group')).toBeVisible()
  await expect.element(main.getByText('2 members')).toBeVisible()
  await expect.element(posts).toMatchTextContent('Solo entre nosotras')
  await expect.element(posts.getByRole('link', { name: `Posted in ${group.name}` })).toBeVisible()
  expect(main.getByText("You're Admin").elements()).toEqual([])
  expect(main.getByRole('link', { name: /Requests|Edit Group/ }).elements()).toEqual([])
  expect(main.getByRole('button', { name: /Members/ }).elements()).toEqual([])
  navigate(`/update-group/${group.$id}`)
  await expect.element(title).toHaveTextContent('Access Denied')
})

for (const link of ['Create First Post', 'Create Post'])
  test(`GPAGE-08 GPAGE-09 PCRE-04 in an empty group ‘${link}’ opens the post form with the group selected`, async () => {
    answerPostForm({ groups: [group] })
    await openApp(path)
    await expect.element(main.getByRole('heading', { name: 'No posts yet' })).toBeVisible()
    await main.getByRole('link', { name: link, exact: true }).click()
    await expect.element(page.getByRole('combobox', { name: 'Group' })).toHaveValue(group.$id)
    expect(pathname()).toBe('/create-post')
  })

test('GPAGE-10 GPAGE-11 GPAGE-12 GPAGE-13 GPAGE-19 a member outside the group sees only its summary, and requests no posts or members', async () => {
  serve(makeGroup({ memberCount: 2 }))
  const { navigate } = await openApp(path)
  await expect.element(title).toMatchTextContent(group.name)
  await expect.element(main.getByRole('heading', { name: 'This is a private group' })).toBeVisible()
  await expect
    .element(main.getByText("You need to be a member to see the group's posts and content."))
    .toBeVisible()
  await expect.element(main.getByRole('button', { name: 'Join Group' })).toBeVisible()
  navigate(`${path}?list=members`)
  await expect.element(main.getByText('2 members')).toBeVisible()
  expect(main.getByRole('link', { name: '2 members' }).elements()).toEqual([])
  expect(page.getByRole('dialog').elements()).toEqual([])
  expect(posts.elements()).toEqual([])
  expect(api.callsOf(listGroupPostsOperation)).toEqual([])
  expect(api.callsOf(listGroupMembersOperation)).toEqual([])
  await main.getByRole('link', { name: 'Back to Groups' }).click()
  await expect.poll(() => pathname()).toBe('/groups')
})

test('GPAGE-19 a member opens the list of members from the member count, without the admin’s buttons', async () => {
  const admin = makePersonSummary({ name: 'Ana Paz' })
  api.answer(listGroupMembersOperation, {
    documents: [makeGroupMember(), makeGroupMember({ user: admin, role: 'admin' })],
    next: null,
  })
  await openApp(path)
  await main.getByRole('link', { name: '2 members' }).click()
  const rows = page.getByRole('dialog', { name: 'Members' }).getByRole('listitem')
  await expect.poll(() => rows.elements().length).toBe(2)
  const row = rows.filter({ hasText: 'Ana Paz' })
  await expect.element(row).toMatchTextContent('Admin')
  expect(rows.getByRole('button', { name: /admin|Remove/ }).elements()).toEqual([])
  await expect.element(row.getByRole('link')).toHaveAttribute('href', `/profile/${admin.$id}`)
})

const memberCan = { edit: false, delete: false, decide: false, leave: true, decline: false }
const left = makeGroup({ memberCount: 1 })

test('ana confirms before leaving a group, and then no longer sees its posts', async () => {
  serve({ ...group, can: memberCan })
  servePosts(['Solo entre nosotras'])
  api.answer(getGroupMembershipOperation, { isMember: true, isAdmin: false, postCount: 0 })
  api.answer(leaveGroupOperation, () => {
    serve({ ...left, $id: group.$id })
    return group
  })
  await openApp(path)
  const leave = main.getByRole('button', { name: 'Leave Group' })
  await leave.click()
  const ask = question('Leave this group?')
  await expect.element(ask.getByRole('button', { name: 'Stay' })).toHaveFocus()
  await ask.getByRole('button', { name: 'Stay' }).click()
  await expect.element(ask).not.toBeInTheDocument()
  expect(api.callsOf(leaveGroupOperation)).toEqual([])
  await leave.click()
  await ask.getByRole('button', { name: 'Leave', exact: true }).click()
  await expect.element(toasts).toMatchTextContent('You left the group')
  await expect.element(main.getByRole('heading', { name: 'This is a private group' })).toBeVisible()
  expect(posts.elements()).toEqual([])
  await expect.element(main.getByText('1 member', { exact: true })).toBeVisible()
  await expect.element(main.getByRole('button', { name: 'Join Group' })).toBeVisible()
})

test('EXIT-08 if ana’s posts cannot be counted, she can still take them with her', async () => {
  serve({ ...group, can: memberCan })
  api.refuse(getGroupMembershipOperation, 500)
  api.answer(leaveGroupOperation, () => {
    serve({ ...left, $id: group.$id })
    return group
  })
  await openApp(path)
  await main.getByRole('button', { name: 'Leave Group' }).click()
  const ask = question(`Leave ${group.name}?`)
  await expect.element(ask.getByRole('radio', { name: 'Leave my posts in the group' })).toBeChecked()
  await ask.getByRole('radio', { name: 'Take my posts with me' }).click()
  await ask.getByRole('button', { name: 'Leave', exact: true }).click()
  await expect.element(toasts).toMatchTextContent('You left the group')
  await expect
    .poll(() => api.callsOf(leaveGroupOperation))
    .toMatchObject([{ groupId: group.$id, posts: 'take' }])
})

test('PERM-04 the admin removes one member and makes another member admin', async () => {
  const me = makePersonSummary({ name: 'Ana' })
  const [bea, cleo] = [makePersonSummary({ name: 'Bea' }), makePersonSummary({ name: 'Cleo' })]
  serve(makeGroup({ membership: 'admin', adminId: me.$id, memberCount: 3, can: adminCan }))
  let members = [
    makeGroupMember({ user: bea, can: { remove: true, handOver: true } }),
    makeGroupMember({ user: cleo, can: { remove: true, handOver: true } }),
    makeGroupMember({ user: me, role: 'admin' }),
  ]
  api.answer(listGroupMembersOperation, () => ({ documents: members, next: null }))
  api.answer(removeGroupMemberOperation, ({ memberId }) => {
    members = members.filter(({ user }) => user.$id !== memberId)
    serve({ ...group, memberCount: 2 })
    return group
  })
  api.answer(handOverGroupOperation, ({ memberId }) => {
    serve({ ...group, membership: 'member', adminId: memberId, can: memberCan })
    return group
  })
  await openApp(path, { me })
  await main.getByRole('button', { name: 'Members (3)' }).click()
  const row = (username: string) =>
    page
      .getByRole('dialog', { name: 'Members' })
      .getByRole('listitem')
      .filter({ hasText: `@${username}` })
  const remove = row('bea').getByRole('button', { name: 'Remove Bea' })
  await remove.click()
  await question('Remove Bea?').getByRole('button', { name: 'Keep member' }).click()
  await expect.element(question('Remove Bea?')).not.toBeInTheDocument()
  expect(api.callsOf(removeGroupMemberOperation)).toEqual([])
  await remove.click()
  await question('Remove Bea?').getByRole('button', { name: 'Remove', exact: true }).click()
  await expect.element(row('bea')).not.toBeInTheDocument()
  await expect.element(toasts).toMatchTextContent('Bea is no longer in the group.')

  await row('cleo').getByRole('button', { name: 'Make admin: Cleo' }).click()
  await question('Make Cleo the admin?').getByRole('button', { name: 'Make admin' }).click()
  await expect.element(main.getByText("You're Admin")).not.toBeInTheDocument()
  await expect.element(main.getByRole('button', { name: 'Leave Group' })).toBeInTheDocument()
  await expect.poll(() => api.callsOf(handOverGroupOperation)).toMatchObject([{ memberId: cleo.$id }])
})

test('the admin deletes the group only after typing its name', async () => {
  serve(makeGroup({ membership: 'admin', can: adminCan }))
  api.answer(deleteGroupOperation, undefined)
  await openApp(`/update-group/${group.$id}`)
  await main.getByRole('button', { name: 'Delete Group' }).click()
  const ask = question('Delete this group?')
  const confirm = ask.getByRole('button', { name: 'Delete group' })
  await ask.getByRole('textbox').fill('Otro nombre')
  await confirm.click()
  await expect.element(ask.getByText('This is not the group’s name')).toBeVisible()
  expect(api.callsOf(deleteGroupOperation)).toEqual([])
  await ask.getByRole('textbox').fill(group.name)
  api.answer(listGroupsOperation, { documents: [], next: null })
  await confirm.click()
  await expect.poll(pathname).toBe('/groups')
  await expect.element(toasts).toMatchTextContent('Group deleted')
  await expect.element(main.getByRole('heading', { name: 'No groups yet' })).toBeVisible()
  await expect
    .poll(() => api.callsOf(deleteGroupOperation))
    .toMatchObject([{ groupId: group.$id, name: group.name }])
})

test('GPAGE-17 the next page of posts loads as ana scrolls', async () => {
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
  await expect.poll(() => posts.elements().at(-1)?.textContent).toContain('Pieza número 1')
})

test('the group and its posts can each be retried after a failure', async () => {
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

test('the admin’s form refuses an empty name and saves a changed name', async () => {
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
  await expect.poll(() => api.callsOf(updateGroupOperation)).toMatchObject([{ name: 'Tejer los viernes' }])
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

test('on a phone the tooltip of a button at the edge of a card is shown whole', async () => {
  serve(makeGroup())
  await openApp(path, { size: phone })
  const button = main.getByRole('button', { name: 'Report group…' })
  // Tooltips ignore the pointer, so a hit test would skip them.
  const style = document.createElement('style')
  style.textContent = 'button::before { pointer-events: auto !important; animation: none !important }'
  document.head.append(style)
  const drawn = () => {
    const { bottom } = button.element().getBoundingClientRect()
    return Array.from({ length: phone.width }, (_, x) => x).filter(
      (x) => document.elementFromPoint(x, bottom + 14) === button.element(),
    )
  }
  const width = () => Number.parseFloat(getComputedStyle(button.element(), '::before').width)
  // By keyboard, because Chromium has no hover after another test emulated a touch screen.
  await expect.element(button).toBeVisible()
  await userEvent.keyboard('{Tab}')
  ;(button.element() as HTMLElement).focus()
  await expect.poll(width).toBeGreaterThan(60)
  await expect.poll(() => drawn().length).toBeGreaterThanOrEqual(Math.floor(width()) - 1)
  expect(drawn()[0]).toBeLessThan(button.element().getBoundingClientRect().left)
  style.remove()
})

test('on a phone a post is as wide as the page, and its links are at least 24 px high', async () => {
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
