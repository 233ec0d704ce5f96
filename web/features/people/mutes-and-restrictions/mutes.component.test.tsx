import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import {
  listMutedMembersOperation,
  listRestrictedMembersOperation,
  type MemberListEntry,
  unmuteMemberOperation,
} from '#contract/people/mutes-and-restrictions.ts'
import { explorePostsOperation, getHomeFeedOperation } from '#contract/posts/posts.ts'
import {
  answerChat,
  conversationList,
  conversationRow,
  conversationWith,
} from '#tests/support/component/chat.ts'
import {
  makeMessage,
  makePersonSummary,
  makePost,
  makeProfile,
  newId,
} from '#tests/support/component/fixtures.ts'
import { sendChange } from '#tests/support/component/live-socket.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'
import { ana, answerPeople, answerPersonMenu, main, title, toasts } from '#tests/support/component/people.ts'

const navigation = page.getByRole('navigation', { name: 'Main' })
const nobody = main.getByText('Nobody is muted or restricted.')

test('MUTE-01 MUTE-02 ana mutes iria from a post: iria’s posts leave Home and Explore immediately; ana unmutes her from the profile by keyboard', async () => {
  const [iria, bea] = [makeProfile({ name: 'Iria Montes' }), makeProfile({ name: 'Bea' })]
  const posts = [makePost({ creator: iria }), makePost({ creator: bea })]
  answerPeople([iria, bea], posts)
  const muted = answerPersonMenu()
  const shown = () => ({
    documents: posts.filter(({ creator }) => !muted.has(creator?.$id ?? '')),
    next: null,
  })
  api.answer(getHomeFeedOperation, shown)
  api.answer(explorePostsOperation, shown)
  const ofIria = main.getByRole('article', { name: 'Post by Iria Montes' })
  const more = page.getByRole('button', { name: 'More about Iria Montes' })
  const item = (name: RegExp) => page.getByRole('menuitem', { name })
  const tile = () => main.element().querySelectorAll(`a[href="/posts/${posts[0]?.$id}"]`).length
  const { navigate } = await openApp('/explore', { me: ana })
  await expect.poll(tile).toBe(1)
  await navigation.getByRole('link', { name: 'Home' }).click()
  await expect.element(ofIria).toBeVisible()

  await more.click()
  await expect.element(item(/^Mute/)).toMatchTextContent('Her posts leave your Home and Explore.')
  await item(/^Mute/).click()
  await expect.element(toasts).toMatchTextContent('Muted')
  await expect.element(toasts).toMatchTextContent('You won’t see Iria Montes in Home and Explore.')
  await expect.element(ofIria).not.toBeInTheDocument()
  await expect.element(main.getByRole('article', { name: 'Post by Bea' })).toBeVisible()
  await navigation.getByRole('link', { name: 'Explore' }).click()
  await expect.element(title).toHaveTextContent('Explore')
  expect(tile()).toBe(0)

  navigate(`/profile/${iria.$id}`)
  await expect.poll(tile).toBe(1)
  ;(more.element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(item(/^Unmute/)).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(toasts).toMatchTextContent('Unmuted')
  await expect.element(more).toHaveFocus()
  await navigation.getByRole('link', { name: 'Home' }).click()
  await expect.element(ofIria).toBeVisible()
})

test('MUTE-03 a message from muted iria updates her row in the list, but adds no dot and no count', async () => {
  const withIria = conversationWith('Iria', { lastMessage: 'Nos vemos el jueves', unread: false })
  const { known } = answerChat({ conversations: [withIria] })
  await openApp('/chat', { me: ana, live: true })
  await expect.element(conversationRow('Iria')).toMatchTextContent('Nos vemos el jueves')
  const message = makeMessage({
    conversationId: withIria.$id,
    senderId: withIria.other.$id,
    content: 'Llevo yo el pan',
  })
  known[0] = { ...withIria, lastMessage: message.content }
  sendChange({ collection: 'messages', kind: 'create', document: message })
  sendChange({ collection: 'conversations', kind: 'update', document: { $id: withIria.$id } })
  await expect.element(conversationRow('Iria')).toMatchTextContent('Llevo yo el pan')
  expect(conversationList.getByText('Unread').elements()).toEqual([])
  const chat = navigation.getByRole('link', { name: /^Chat/ })
  expect(chat.element().textContent).not.toMatch(/\d/)
})

test('MUTE-09 muted members are listed in the server’s order until none is left; a failed unmute leaves the row', async () => {
  const entries: MemberListEntry[] = ['Olga', 'Iria'].map((name) => ({
    $id: newId('mute'),
    $createdAt: new Date().toISOString(),
    person: makePersonSummary({ name }),
  }))
  api.answer(listMutedMembersOperation, () => ({ documents: entries, next: null }))
  api.answer(listRestrictedMembersOperation, { documents: [], next: null })
  await openApp('/settings/quiet', { me: ana })
  await expect.element(title).toHaveTextContent('Muted and restricted')
  const rows = main.getByRole('region', { name: 'Muted people' }).getByRole('listitem')
  await expect.poll(() => rows.elements().length).toBe(2)
  await expect.element(rows.first()).toMatchTextContent('@olga')
  api.refuse(unmuteMemberOperation, 500)
  await main.getByRole('button', { name: 'Unmute Olga' }).click()
  await expect.element(toasts).toMatchTextContent('Something went wrong. Please try again.')
  await expect.poll(() => rows.elements()).toHaveLength(2)
  api.answer(unmuteMemberOperation, ({ personId }) => {
    entries.splice(
      entries.findIndex(({ person }) => person.$id === personId),
      1,
    )
    return { muted: false }
  })
  for (const name of ['Olga', 'Iria']) await main.getByRole('button', { name: `Unmute ${name}` }).click()
  await expect.element(nobody).toBeVisible()
  await expect.poll(() => api.callsOf(unmuteMemberOperation)).toHaveLength(3)
})

test('MUTE-09 if nobody is muted or restricted, the list says so', async () => {
  for (const operation of [listMutedMembersOperation, listRestrictedMembersOperation])
    api.answer(operation, { documents: [], next: null })
  await openApp('/settings/quiet', { me: ana })
  await expect.element(nobody).toBeVisible()
})
