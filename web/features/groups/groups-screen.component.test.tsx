import { beforeEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { requestToJoinOperation, withdrawJoinRequestOperation } from '#contract/groups/group-requests.ts'
import { listGroupsOperation, searchGroupsOperation } from '#contract/groups/groups.ts'
import { makeGroup, makeJoinRequest, newId } from '#tests/support/component/fixtures.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'

const main = page.getByRole('main')
const card = (name: string) => main.getByRole('article', { name })
const search = main.getByRole('searchbox', { name: 'Search groups...' })
const toast = page.getByRole('region', { name: 'Notifications (F8)' }).getByRole('listitem')
const heading = (name: string) => main.getByRole('heading', { name })

test('GRP-01 GRP-03 GRP-09 GRP-11 GRP-12 CARD-09 a group card shows name, description and member count', async () => {
  const described = makeGroup({ description: 'palabra '.repeat(40).trim() })
  const bare = makeGroup({ name: 'W'.repeat(50), memberCount: 2 })
  api.answer(listGroupsOperation, { documents: [described, bare], next: null })
  await openApp('/groups')
  await expect.element(main.getByRole('heading', { level: 1 })).toMatchTextContent('Groups')
  await expect.element(main.getByRole('heading', { level: 2 })).toMatchTextContent('All Groups')
  await expect.element(search).toHaveAttribute('placeholder', 'Search groups...')
  const shown = card(described.name)
  await expect.element(shown.getByText('Private Group')).toBeVisible()
  await expect.element(shown.getByText('1 member', { exact: true })).toBeVisible()
  await expect.element(card(bare.name).getByText('2 members', { exact: true })).toBeVisible()
  const text = shown.getByText(described.description).element()
  expect(text.clientHeight).toBe(2 * Number.parseFloat(getComputedStyle(text).lineHeight))
  expect(text.scrollHeight).toBeGreaterThan(text.clientHeight)
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(innerWidth)
  expect(main.getByText('Posted in').elements()).toEqual([])
  await main.getByRole('link', { name: 'Create Group' }).click()
  expect(location.pathname).toBe('/groups/create')
})

test('GRP-05 if no group exists, ana can create the first one', async () => {
  api.answer(listGroupsOperation, { documents: [], next: null })
  await openApp('/groups')
  await expect.element(heading('No groups yet')).toBeVisible()
  await main.getByRole('link', { name: 'Create Your First Group' }).click()
  expect(location.pathname).toBe('/groups/create')
})

test('GRP-02 GRP-04 GRP-06 GRP-08 a search waits 500 ms and ignores blanks', async () => {
  const group = makeGroup({ name: 'Cerámica fría' })
  api.answer(listGroupsOperation, { documents: [group], next: null })
  api.answer(searchGroupsOperation, ({ term }) => ({ documents: term === 'nada' ? [] : [group] }))
  await openApp('/groups')
  await expect.element(card(group.name)).toBeVisible()
  const asked = () => api.callsOf(searchGroupsOperation).map(({ term }) => term)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await search.fill('CERAMICA')
  vi.advanceTimersByTime(499)
  expect(asked()).toEqual([])
  vi.advanceTimersByTime(1)
  await expect.element(heading('Search Results')).toBeVisible()
  vi.useRealTimers()
  await expect.element(card(group.name)).toBeVisible()
  await expect.poll(() => asked()).toEqual(['CERAMICA'])
  await search.fill('nada')
  await expect.element(heading('No groups found')).toBeVisible()
  await expect.element(main.getByText('Try searching with different keywords')).toBeVisible()
  await search.fill('   ')
  await expect.element(heading('All Groups')).toBeVisible()
  await expect.poll(() => asked()).toEqual(['CERAMICA', 'nada'])
  await userEvent.clear(search)
})

test('a list of groups that cannot be loaded can be retried', async () => {
  api.refuse(listGroupsOperation, 'general_route_not_found')
  await openApp('/groups')
  await expect.element(main.getByRole('button', { name: 'Try again' })).toBeVisible()
  const group = makeGroup()
  api.answer(listGroupsOperation, { documents: [group], next: null })
  await main.getByRole('button', { name: 'Try again' }).click()
  await expect.element(card(group.name)).toBeVisible()
})

test("GRP-13 GRP-14 GRP-15 GRP-16 GRP-17 the join button shows ana's membership of each group", async () => {
  const mine = makeGroup({ name: 'G1', membership: 'member' })
  const groups = [
    mine,
    makeGroup({ name: 'G2' }),
    makeGroup({ name: 'G3', membership: 'pending', requestId: newId('request') }),
    makeGroup({ name: 'G4', membership: 'rejected' }),
  ]
  api.answer(listGroupsOperation, { documents: groups, next: null })
  const { release } = api.hold(listGroupsOperation)
  await openApp('/groups', { waits: false })
  const loading = main.getByText('Loading...').first()
  await expect.element(loading).toBeVisible()
  const button = loading.element().closest('button')
  expect(button?.disabled).toBe(true)
  const width = Math.round(button?.getBoundingClientRect().width ?? 0)
  release()
  const view = card('G1').getByRole('link', { name: 'View Group' })
  await expect.element(view).toHaveAttribute('href', `/groups/${mine.$id}`)
  await expect.element(card('G3').getByRole('button', { name: 'Pending', exact: true })).toBeDisabled()
  await expect.element(card('G4').getByRole('button', { name: 'Request Rejected' })).toBeDisabled()
  const join = card('G2').getByRole('button', { name: 'Join Group' })
  await expect.element(join).toBeEnabled()
  expect(Math.round(join.element().getBoundingClientRect().width)).toBe(width)
})

describe('asking to join', () => {
  const group = makeGroup()
  const waiting = { ...group, membership: 'pending' as const, requestId: newId('request') }
  const request = makeJoinRequest({ group })
  const join = card(group.name).getByRole('button', { name: 'Join Group' })
  const pending = card(group.name).getByRole('button', { name: 'Pending', exact: true })

  beforeEach(() => {
    api.answer(listGroupsOperation, { documents: [group], next: null })
    api.answer(requestToJoinOperation, () => {
      api.answer(listGroupsOperation, { documents: [waiting], next: null })
      return request
    })
  })

  test("GRP-18 GRP-19 while ana's join request is sent the button reads Sending..., then Pending", async () => {
    await openApp('/groups')
    const answer = api.hold(requestToJoinOperation)
    await join.click()
    await expect.element(card(group.name).getByRole('button', { name: 'Sending...' })).toBeDisabled()
    answer.release()
    await expect.element(pending).toBeDisabled()
    await expect.element(toast).toMatchTextContent('Request sent!')
    await expect
      .element(toast)
      .toMatchTextContent('Your request to join this group has been sent to the admin.')
  })

  test('GRP-18 ana asks to join and withdraws by keyboard, and the focus follows to the next button', async () => {
    const withdraw = card(group.name).getByRole('button', { name: 'Withdraw request' })
    api.answer(withdrawJoinRequestOperation, () => {
      api.answer(listGroupsOperation, { documents: [group], next: null })
    })
    await openApp('/groups')
    await expect.element(join).toBeVisible()
    ;(join.element() as HTMLElement).focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(withdraw).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await expect.element(join).toHaveFocus()
  })

  test('GRP-18 a failed join request returns the focus to the button', async () => {
    api.refuse(requestToJoinOperation, 500)
    await openApp('/groups')
    await expect.element(join).toBeVisible()
    ;(join.element() as HTMLElement).focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(toast).toMatchTextContent('Failed to send request')
    await expect.element(join).toHaveFocus()
  })

  test('GRP-18 GRP-20 pressing the button twice at once sends one request', async () => {
    await openApp('/groups')
    await expect.element(join).toBeVisible()
    const button = join.element() as HTMLButtonElement
    button.click()
    button.click()
    await expect.element(pending).toBeVisible()
    await expect.element(toast).toMatchTextContent('Request sent!')
    expect(api.callsOf(requestToJoinOperation)).toHaveLength(1)
  })

  test("GRP-20 GRP-21 GRP-22 ERR-05 a failed join request shows the server’s message, or the app's own", async () => {
    await openApp('/groups')
    api.refuse(requestToJoinOperation, 'network')
    await join.click()
    await expect.element(toast).toMatchTextContent('Failed to send request. Please try again.')
    await expect.element(toast).toMatchTextContent('Error')
    api.refuse(requestToJoinOperation, 'group_request_pending')
    api.answer(listGroupsOperation, { documents: [waiting], next: null })
    await join.click()
    await expect.element(toast).toMatchTextContent('Ya tienes una solicitud pendiente para este grupo')
    expect(toast.element().querySelector('[lang=es]')).not.toBeNull()
    await expect.element(pending).toBeVisible()
  })

  test('ana confirms before withdrawing a pending request', async () => {
    api.answer(listGroupsOperation, { documents: [waiting], next: null })
    api.answer(withdrawJoinRequestOperation, () => {
      api.answer(listGroupsOperation, { documents: [group], next: null })
    })
    await openApp('/groups')
    const withdraw = card(group.name).getByRole('button', { name: 'Withdraw request' })
    await withdraw.click()
    const question = page.getByRole('alertdialog', { name: 'Withdraw your request?' })
    await expect.element(question.getByRole('button', { name: 'Keep request' })).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    await expect.element(question).not.toBeInTheDocument()
    await withdraw.click()
    await question.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await expect.element(toast).toMatchTextContent('Request withdrawn')
    await expect.element(join).toBeEnabled()
    expect(api.callsOf(withdrawJoinRequestOperation)).toMatchObject([{ requestId: waiting.requestId }])
  })
})

test('further groups load as ana scrolls', async () => {
  const cursor = newId('group')
  const pages = { first: makeGroup({ name: 'Otra' }), last: makeGroup({ name: 'La primera' }) }
  api.answer(listGroupsOperation, (input) =>
    input.cursor === cursor
      ? { documents: [pages.last], next: null }
      : { documents: [pages.first], next: cursor },
  )
  await openApp('/groups')
  await expect.element(card('Otra')).toBeVisible()
  await expect.element(card('La primera')).toBeVisible()
})
