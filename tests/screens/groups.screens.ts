import type { Group } from '#contract/groups/groups.ts'
import { readDemoPictureJpeg } from '#scripts/seed/create-demo-data.ts'
import type { JourneyMemberWithPage } from '#tests/journeys/fixtures.ts'
import { createGroupViaApi, removeMemberFromGroup } from '#tests/journeys/group-steps.ts'
import { publishPostViaApi } from '#tests/journeys/post-steps.ts'
import {
  defineScreenStateScreenshots,
  expect,
  findDemoDocument,
  takeResponsiveScreenshots,
  test,
} from './screenshot-fixtures.ts'

const groupOf = (me: JourneyMemberWithPage, called: string) =>
  findDemoDocument<Group>(me, '/v1/groups', ({ name }) => name.includes(called))
const ceramics = async (me: JourneyMemberWithPage) => `/groups/${(await groupOf(me, 'Cerámica')).$id}`

defineScreenStateScreenshots({ name: 'groups', by: 'lucia.ferrer', address: '/groups', asks: /groups/ })
defineScreenStateScreenshots({ name: 'group', by: 'lucia.ferrer', address: ceramics, asks: /groups/ })
defineScreenStateScreenshots({
  name: 'requests',
  by: 'rosamaria',
  address: async (me) => `/groups/${(await groupOf(me, 'Lectoras')).$id}/requests`,
  asks: /group-requests/,
})

test('Groups', async ({ neighbour }) => {
  const { page } = await neighbour('lucia.ferrer')
  await page.goto('/groups')
  await expect(page.getByRole('article').first()).toBeVisible()
  await takeResponsiveScreenshots(page, 'groups', 'loaded')
  await takeResponsiveScreenshots(page, 'groups', 'whole', { whole: true })
  await page.getByRole('searchbox', { name: 'Search groups...' }).fill('nada que exista')
  await expect(page.getByText('No groups found')).toBeVisible()
  await takeResponsiveScreenshots(page, 'groups', 'not-found')
})

test('Groups when no groups exist', async ({ neighbour }) => {
  const { page } = await neighbour('lucia.ferrer')
  await page.route('**/v1/groups', (route) => route.fulfill({ json: { documents: [], next: null } }))
  await page.goto('/groups')
  await expect(page.getByText('No groups yet')).toBeVisible()
  await takeResponsiveScreenshots(page, 'groups', 'empty')
})

test('Create Group', async ({ neighbour }) => {
  const { page } = await neighbour('lucia.ferrer')
  await page.goto('/groups/create')
  await expect(page.getByLabel('Description')).toBeVisible()
  await takeResponsiveScreenshots(page, 'create-group', 'loaded')
  await takeResponsiveScreenshots(page, 'create-group', 'whole', { whole: true })
  await page.getByRole('main').getByRole('button', { name: 'Create Group' }).click()
  await expect(page.getByLabel('Name', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await takeResponsiveScreenshots(page, 'create-group', 'invalid', { whole: true })
  const oranges = {
    name: 'oranges.jpg',
    mimeType: 'image/jpeg',
    buffer: await readDemoPictureJpeg('oranges'),
  }
  await page.getByLabel('Photo').setInputFiles(oranges)
  await page.getByLabel('Description').fill('a'.repeat(201))
  await expect(page.getByText('Click or drag photo to replace')).toBeVisible()
  await takeResponsiveScreenshots(page, 'create-group', 'filled', { whole: true })
})

test('a group, for a member', async ({ neighbour }) => {
  const me = await neighbour('marisol.barro')
  const { page } = me
  await page.goto(await ceramics(me))
  await expect(page.getByRole('article').first()).toBeVisible()
  await takeResponsiveScreenshots(page, 'group', 'member')
  await page.getByRole('button', { name: 'Leave Group' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await takeResponsiveScreenshots(page, 'group', 'leave')
})

test('a group, for its admin', async ({ neighbour }) => {
  const me = await neighbour('lucia.ferrer')
  const { page } = me
  await page.goto(await ceramics(me))
  await expect(page.getByRole('article').first()).toBeVisible()
  await takeResponsiveScreenshots(page, 'group', 'admin')
  await page.getByRole('button', { name: /^Members/ }).click()
  await expect(page.getByRole('dialog').getByRole('listitem').first()).toBeVisible()
  await takeResponsiveScreenshots(page, 'group', 'members')
  await page
    .getByRole('button', { name: /^Remove / })
    .first()
    .click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await takeResponsiveScreenshots(page, 'group', 'remove')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep member' }).click()
  await page
    .getByRole('button', { name: /^Make / })
    .first()
    .click()
  await takeResponsiveScreenshots(page, 'group', 'hand-over')
})

test('a group, for people who are not members', async ({ neighbour }) => {
  const stranger = await neighbour('helenaprado')
  const where = await ceramics(stranger)
  await stranger.page.goto(where)
  await expect(stranger.page.getByRole('button', { name: 'Join Group' })).toBeVisible()
  await takeResponsiveScreenshots(stranger.page, 'group', 'stranger')
  const requester = await neighbour('valeossa')
  await requester.page.goto(where)
  await expect(requester.page.getByRole('button', { name: 'Pending' })).toBeVisible()
  await takeResponsiveScreenshots(requester.page, 'group', 'requester')
  await stranger.page.goto(`${where}/requests`)
  await expect(stranger.page.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
  await takeResponsiveScreenshots(stranger.page, 'requests', 'denied')
  await stranger.page.goto('/groups/nowhere')
  await expect(stranger.page.getByRole('heading', { name: 'Group not found' })).toBeVisible()
  await takeResponsiveScreenshots(stranger.page, 'group', 'not-found')
})

test('a group without posts, and a group whose viewer is removed', async ({ neighbour }) => {
  const [ines, vale] = [await neighbour('inesrobledo'), await neighbour('valeossa')]
  const group = await createGroupViaApi(
    ines,
    { name: 'Nadadoras de Invierno', description: 'Cada domingo.' },
    [vale],
  )
  const { page } = vale
  await page.goto(`/groups/${group.$id}`)
  await expect(page.getByText('No posts yet')).toBeVisible()
  await takeResponsiveScreenshots(page, 'group', 'empty')
  await publishPostViaApi(ines, { groupId: group.$id, picture: await readDemoPictureJpeg('pool') })
  await removeMemberFromGroup(group, ines, vale)
  await expect(page.getByText(/You’re no longer a member/)).toBeVisible()
  await takeResponsiveScreenshots(page, 'group', 'removed')
})

test('Requests', async ({ neighbour }) => {
  const me = await neighbour('rosamaria')
  const { page } = me
  await page.goto(`/groups/${(await groupOf(me, 'Lectoras')).$id}/requests`)
  await expect(page.getByRole('button', { name: /^Approve/ }).first()).toBeVisible()
  await takeResponsiveScreenshots(page, 'requests', 'loaded')
})

test('Requests when the list is empty', async ({ neighbour }) => {
  const me = await neighbour('inesrobledo')
  const { page } = me
  await page.goto(`/groups/${(await groupOf(me, 'Senderistas')).$id}/requests`)
  await expect(page.getByText('No pending requests')).toBeVisible()
  await takeResponsiveScreenshots(page, 'requests', 'empty')
})

test('Edit Group', async ({ neighbour }) => {
  const me = await neighbour('marisol.barro')
  const { page } = me
  await page.goto((await ceramics(me)).replace('/groups/', '/update-group/'))
  await expect(page.getByLabel('Description')).not.toBeEmpty()
  await takeResponsiveScreenshots(page, 'edit-group', 'loaded')
  await takeResponsiveScreenshots(page, 'edit-group', 'whole', { whole: true })
  await page.getByRole('button', { name: 'Delete Group' }).click()
  await page.getByRole('alertdialog').getByRole('textbox').fill('Otro nombre')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete group' }).click()
  await takeResponsiveScreenshots(page, 'edit-group', 'delete')
})
