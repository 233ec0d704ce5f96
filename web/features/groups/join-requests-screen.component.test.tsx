import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  approveJoinRequestOperation,
  listPendingJoinRequestsOperation,
  rejectJoinRequestOperation,
} from '#contract/groups/group-requests.ts'
import { getGroupOperation, listGroupPostsOperation, listGroupsOperation } from '#contract/groups/groups.ts'
import { makeGroup, makeJoinRequest, makePersonSummary } from '#tests/support/component/fixtures.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'

const main = page.getByRole('main')
const title = main.getByRole('heading', { level: 1 })
const toast = page.getByRole('region', { name: 'Notifications (F8)' }).getByRole('listitem')
const row = (username: string) => main.getByRole('listitem').filter({ hasText: `@${username}` })
const button = (what: 'Approve' | 'Reject', name: string) =>
  row(name.toLowerCase()).getByRole('button', { name: `${what} ${name}` })

const group = makeGroup({
  membership: 'admin',
  can: { edit: true, delete: true, decide: true, leave: false, decline: false },
})
const path = `/groups/${group.$id}/requests`
const bea = makeJoinRequest({
  group,
  user: makePersonSummary({ name: 'Bea' }),
  requestedAt: new Date().toISOString(),
})
const cleo = makeJoinRequest({ group, user: makePersonSummary({ name: 'Cleo' }) })

const serve = (...documents: (typeof bea)[]) =>
  api.answer(listPendingJoinRequestsOperation, { documents, next: null })

beforeEach(() => {
  api.answer(getGroupOperation, group)
  serve(bea, cleo)
})

test('GREQ-01 GREQ-03 GREQ-04 GREQ-18 the admin sees who asked to join, and when', async () => {
  await openApp(path)
  await expect.element(title).toMatchTextContent(`Join Requests for ${group.name}`)
  await expect.element(row('bea')).toMatchTextContent('Requested just now')
  await expect.poll(() => main.getByRole('listitem').elements()).toHaveLength(2)
  await expect.element(row('bea').getByRole('link')).toHaveAttribute('href', `/profile/${bea.userId}`)
  await expect.element(button('Approve', 'Bea')).toMatchTextContent('Approve')
  await expect.element(button('Reject', 'Bea')).toMatchTextContent('Reject')
  await expect
    .poll(() => api.callsOf(listPendingJoinRequestsOperation))
    .toMatchObject([{ groupId: group.$id }])
})

test('GREQ-02 a member who is not the admin sees Access Denied and loads no requests', async () => {
  api.answer(getGroupOperation, makeGroup({ $id: group.$id, membership: 'member' }))
  api.answer(listGroupsOperation, { documents: [], next: null })
  await openApp(path)
  await expect.element(title).toMatchTextContent('Access Denied')
  await expect.element(main.getByText('Only group administrators can manage join requests.')).toBeVisible()
  expect(api.callsOf(listPendingJoinRequestsOperation)).toEqual([])
  await main.getByRole('link', { name: 'Back to Groups' }).click()
  expect(location.pathname).toBe('/groups')
})

test('GREQ-05 GREQ-08 GREQ-09 GREQ-10 GREQ-17 the admin approves one request and rejects the other, and no request is left', async () => {
  const { me } = await openApp(path)
  api.answer(approveJoinRequestOperation, () => {
    serve(cleo)
    return { ...bea, status: 'accepted' }
  })
  api.answer(rejectJoinRequestOperation, () => {
    serve()
    return { ...cleo, status: 'rejected' }
  })
  const answer = api.hold(approveJoinRequestOperation)
  await button('Approve', 'Bea').click()
  await expect.element(button('Approve', 'Bea')).toBeDisabled()
  await expect.element(button('Reject', 'Bea')).toBeDisabled()
  await expect.element(button('Approve', 'Cleo')).toBeEnabled()
  api.answer(getGroupOperation, { ...group, memberCount: 2 })
  answer.release()
  await expect.element(toast).toMatchTextContent('Request approved!')
  await expect.element(toast).toMatchTextContent('The user has been added to the group.')
  await expect.element(row('bea')).not.toBeInTheDocument()
  await expect
    .poll(() => api.callsOf(approveJoinRequestOperation))
    .toEqual([{ requestId: bea.$id, currentUserId: me.$id }])

  await button('Reject', 'Cleo').click()
  await expect.element(toast).toMatchTextContent('Request rejected')
  await expect.element(toast).toMatchTextContent('The join request has been declined.')
  await expect.element(main.getByRole('heading', { name: 'No pending requests' })).toBeVisible()
  await expect.poll(() => api.callsOf(rejectJoinRequestOperation)).toMatchObject([{ requestId: cleo.$id }])

  api.answer(listGroupPostsOperation, { documents: [], next: null })
  await main.getByRole('link', { name: 'Back to the group' }).click()
  await expect.element(main.getByRole('button', { name: 'Members (2)' })).toBeVisible()
})

test("GREQ-11 GREQ-15 GREQ-16 a failed decision shows the server’s message, or the app's own", async () => {
  await openApp(path)
  api.refuse(approveJoinRequestOperation, 'network')
  await button('Approve', 'Bea').click()
  await expect.element(toast).toMatchTextContent('Failed to approve request.')
  await expect.element(toast).toMatchTextContent('Error')
  api.refuse(rejectJoinRequestOperation, 'network')
  await expect.element(button('Reject', 'Bea')).toBeEnabled()
  await button('Reject', 'Bea').click()
  await expect.element(toast).toMatchTextContent('Failed to reject request.')

  api.refuse(approveJoinRequestOperation, 'group_request_processed')
  serve(cleo)
  await expect.element(button('Approve', 'Bea')).toBeEnabled()
  await button('Approve', 'Bea').click()
  await expect.element(toast).toMatchTextContent('Esta solicitud ya fue procesada')
  expect(toast.element().querySelector('[lang=es]')).not.toBeNull()
  await expect.element(row('bea')).not.toBeInTheDocument()
})
