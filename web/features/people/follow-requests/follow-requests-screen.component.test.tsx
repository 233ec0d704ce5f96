import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  approveFollowRequestOperation,
  countFollowRequestsOperation,
  declineFollowRequestOperation,
  type FollowRequest,
  listFollowRequestsOperation,
} from '#contract/people/follow-requests.ts'
import { refusal } from '#tests/support/component/fake-api.ts'
import { makePersonSummary, newId } from '#tests/support/component/fixtures.ts'
import { sendChange } from '#tests/support/component/live-socket.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'
import { ana, answerPeople, inPages, main, title, toasts } from '#tests/support/component/people.ts'

const me = { ...ana, isPrivate: true }
const region = main.getByRole('region', { name: 'Requests' })
const rows = region.getByRole('listitem')
const request = (name: string) => rows.filter({ hasText: name })
const button = (name: string) => main.getByRole('button', { name, exact: true })

const makeFollowRequest = (name: string, why: Partial<FollowRequest['why']> = {}): FollowRequest => ({
  $id: newId('request'),
  requestedAt: new Date().toISOString(),
  person: makePersonSummary({ name }),
  why: { following: false, groupsInCommon: 0, joinedAt: null, ...why },
})

function answerRequests(...waiting: FollowRequest[]): FollowRequest[] {
  const take = (id: string) => {
    const at = waiting.findIndex(({ $id }) => $id === id)
    return at >= 0 && waiting.splice(at, 1)
  }
  answerPeople([])
  api.answer(listFollowRequestsOperation, (input) => inPages(waiting)(input))
  api.answer(countFollowRequestsOperation, () => ({ count: waiting.length }))
  api.answer(approveFollowRequestOperation, ({ requestId }) =>
    take(requestId) ? { followsMe: true } : refusal('follow_request_not_found'),
  )
  api.answer(declineFollowRequestOperation, ({ requestId }) =>
    take(requestId) ? { followsMe: false } : refusal('follow_request_not_found'),
  )
  return waiting
}

test('REQ-03 REQ-04 REQ-05 REQ-06 each request shows how ana may know the sender; ana approves one and declines the other', async () => {
  const joinedAt = new Date().toISOString()
  answerRequests(
    makeFollowRequest('Eva Ruiz', { groupsInCommon: 1, joinedAt }),
    makeFollowRequest('Carla', { following: true }),
  )
  await openApp('/follow-requests', { me })
  await expect.element(title).toHaveTextContent('Follow requests')
  await expect
    .element(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'People' }))
    .toHaveAttribute('aria-current', 'page')
  await expect
    .element(main)
    .toMatchTextContent(
      'Your account is private. People you approve see your posts, including old ones. Nobody is notified when you decline.',
    )
  await expect.poll(() => rows.elements().length).toBe(2)
  for (const text of ['Eva Ruiz@evaruiz', '1 group in common', 'Joined just now'])
    await expect.element(rows.first()).toMatchTextContent(text)
  await expect.element(rows.last()).toMatchTextContent('You follow her')
  expect(rows.last().element().textContent).not.toContain('in common')

  await button('Approve Eva Ruiz').click()
  await expect.element(toasts).toMatchTextContent('Approved')
  await expect.element(toasts).toMatchTextContent('Eva Ruiz follows you now.')
  await expect.element(request('Eva Ruiz')).not.toBeInTheDocument()
  await button('Decline Carla').click()
  await expect.element(toasts).toMatchTextContent('Declined')
  await expect.element(toasts).toMatchTextContent('She isn’t notified.')
  await expect.element(main.getByRole('heading', { name: 'No pending requests' })).toBeVisible()
  await expect.poll(() => api.callsOf(approveFollowRequestOperation)).toHaveLength(1)
  await expect.poll(() => api.callsOf(declineFollowRequestOperation)).toHaveLength(1)
})

test('REQ-03 further requests load as ana scrolls', async () => {
  answerRequests(...Array.from({ length: 21 }, (_, at) => makeFollowRequest(`Fan ${20 - at}`)))
  await openApp('/follow-requests', { me })
  await expect.poll(() => rows.elements().length).toBe(20)
  await expect.element(rows.first()).toMatchTextContent('Fan 20')
  rows.last().element().scrollIntoView()
  await expect.poll(() => rows.elements().length).toBe(21)
})

test('REQ-03 a failed approval leaves the request, and a failed list can be retried', async () => {
  answerRequests(makeFollowRequest('Eva'))
  const load = () => refusal('general_query_invalid')
  api.answer(listFollowRequestsOperation, load)
  await openApp('/follow-requests', { me })
  const again = main.getByRole('button', { name: 'Try again' })
  await expect.element(again).toBeVisible()
  answerRequests(makeFollowRequest('Eva'))
  await again.click()
  await expect.element(request('Eva')).toBeVisible()
  api.refuse(approveFollowRequestOperation, 500)
  await button('Approve Eva').click()
  await expect.element(toasts).toMatchTextContent('Something went wrong. Please try again.')
  await expect.element(request('Eva')).toBeVisible()
})

test('REQ-12 REQ-09 a withdrawn request disappears live', async () => {
  const waiting = answerRequests(makeFollowRequest('Eva'), makeFollowRequest('Carla'))
  await openApp('/follow-requests', { me, live: true })
  await expect.element(request('Eva')).toBeVisible()
  const [withdrawn] = waiting.splice(0, 1)
  sendChange({ collection: 'followRequests', kind: 'delete', document: { $id: withdrawn?.$id ?? '' } })
  await expect.element(request('Eva')).not.toBeInTheDocument()
  await expect.element(request('Carla')).toBeVisible()
})

for (const path of ['/all-users', `/profile/${ana.$id}`])
  test(`REQ-09 on ${path.startsWith('/p') ? 'her profile' : 'People'} the number of follow requests updates live`, async () => {
    const waiting = answerRequests()
    await openApp(path, { me, live: true })
    const link = main.getByRole('link', { name: /^Follow requests/ })
    await expect.element(title).toBeVisible()
    expect(link.elements()).toEqual([])
    for (const count of [1, 2]) {
      waiting.push(makeFollowRequest(`Fan ${count}`))
      sendChange({ collection: 'followRequests', kind: 'create', document: { $id: newId('request') } })
      await expect.element(link).toMatchTextContent(new RegExp(`${count}$`))
    }
    await expect.element(link).toHaveAttribute('href', '/follow-requests')
  })
