import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { listGroupMembersOperation } from '#contract/groups/group-members.ts'
import { type Group, getGroupOperation, listGroupPostsOperation } from '#contract/groups/groups.ts'
import type { OperationInput } from '#contract/operation.ts'
import {
  blockMemberOperation,
  listBlocksOperation,
  type MemberBlock,
  setBlockNewerAccountsOperation,
  unblockMemberOperation,
} from '#contract/people/blocks.ts'
import { getPersonOperation } from '#contract/people/people.ts'
import {
  answerChat,
  bubble,
  conversationRow,
  conversationWith,
  messageInput,
  messagesFrom,
} from '#tests/support/component/chat.ts'
import { refusal } from '#tests/support/component/fake-api.ts'
import {
  makeGroup,
  makeGroupMember,
  makePersonSummary,
  makePost,
  makeProfile,
  newId,
} from '#tests/support/component/fixtures.ts'
import { api, openApp, phone } from '#tests/support/component/open-app.tsx'
import {
  ana,
  answerPeople,
  answerPersonMenu,
  dialog,
  inPages,
  main,
  question,
  title,
  toasts,
} from '#tests/support/component/people.ts'

const more = (name: string) => page.getByRole('button', { name: `More about ${name}` })
const item = (name: RegExp) => page.getByRole('menuitem', { name })
const blockItem = item(/^Block /)
const blockDialog = question(/^Block /)
const confirm = blockDialog.getByRole('button', { name: 'Block', exact: true })
const rows = main.getByRole('region', { name: 'Blocked people' })
const rowOf = (name: string) => rows.getByRole('listitem', { name })
const closed = main.getByText('You can’t send messages in this conversation.')
const failure = 'Something went wrong. Please try again.'
const nobody = main.getByText('You haven’t blocked anyone.')

const makeBlock = (name: string, given: Partial<MemberBlock> = {}): MemberBlock => ({
  $id: newId('block'),
  $createdAt: new Date().toISOString(),
  person: makePersonSummary({ name }),
  newerAccounts: true,
  conversationId: null,
  groupsInCommon: 0,
  ...given,
})

function answerBlocks(...blocks: MemberBlock[]) {
  const keepBlock = ({ personId }: OperationInput<typeof blockMemberOperation>) => {
    const block = makeBlock('Iria Montes')
    block.person.$id = personId
    blocks.unshift(block)
    return { blocked: true as const, blockId: block.$id }
  }
  const endBlock = ({ personId }: OperationInput<typeof unblockMemberOperation>) => {
    const at = blocks.findIndex(({ person }) => person.$id === personId)
    if (at >= 0) blocks.splice(at, 1)
    return { blocked: false as const }
  }
  api.answer(listBlocksOperation, (input) => inPages(blocks)(input))
  api.answer(blockMemberOperation, keepBlock)
  api.answer(unblockMemberOperation, endBlock)
  return { blocks, keepBlock, endBlock }
}

async function openIria(
  preview: Parameters<typeof answerPersonMenu>[0] = {},
  options: Parameters<typeof openApp>[1] = {},
) {
  const iria = makeProfile({ name: 'Iria Montes' })
  answerPeople([iria])
  answerPersonMenu(preview)
  const answered = answerBlocks()
  const opened = await openApp(`/profile/${iria.$id}`, { me: ana, ...options })
  await expect.element(more('Iria Montes')).toBeVisible()
  return { iria, ...answered, ...opened }
}

async function chooseBlock(name = 'Iria Montes') {
  await more(name).click()
  await blockItem.click()
  await expect.element(confirm).not.toHaveAttribute('aria-busy')
}

test("BLK-01 ana uses the menu about iria by keyboard, and ana's own profile has no menu", async () => {
  const { navigate, iria } = await openIria()
  navigate(`/profile/${ana.$id}`)
  await expect.element(title).toHaveTextContent('Ana Ruiz')
  expect(page.getByRole('button', { name: /^More about/ }).elements()).toEqual([])
  navigate(`/profile/${iria.$id}`)
  await expect.element(more('Iria Montes')).toBeVisible()
  ;(more('Iria Montes').element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  const [mute, restrict, report] = [item(/^Mute/), item(/^Restrict/), item(/^Report /)]
  await expect.element(mute).toHaveFocus()
  await expect.element(blockItem).toMatchTextContent(/^Block Iria…/)
  for (const [key, reached] of [
    ['ArrowDown', restrict],
    ['ArrowDown', report],
    ['ArrowDown', blockItem],
    ['ArrowDown', mute],
    ['ArrowUp', blockItem],
    ['Home', mute],
    ['End', blockItem],
  ] as const) {
    await userEvent.keyboard(`{${key}}`)
    await expect.element(reached).toHaveFocus()
  }
  await userEvent.keyboard('{Escape}')
  await expect.element(blockItem).not.toBeInTheDocument()
  await expect.element(more('Iria Montes')).toHaveFocus()
})

const groups = [
  { $id: newId('mine'), name: 'Cerámica', admin: 'me' as const },
  { $id: newId('other'), name: 'Lectoras', admin: null },
]

test('BLK-02 BLK-03 BLK-04 by keyboard ana confirms blocking iria, removes iria from her group, and undoes the block', async () => {
  const { iria } = await openIria({ groups })
  const choose = async () => {
    ;(more('Iria Montes').element() as HTMLElement).focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(item(/^Mute/)).toHaveFocus()
    await userEvent.keyboard('{End}{Enter}')
    await expect.element(blockDialog).toBeVisible()
  }
  await choose()
  await expect.element(blockDialog).toHaveAccessibleName('Block Iria Montes?')
  await expect.element(blockDialog.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  for (const words of [
    'She can’t see you, your posts or your photos, and you don’t see hers. Not in groups either.',
    'She isn’t notified. To her, your account looks closed.',
  ])
    await expect.element(blockDialog).toMatchTextContent(words)
  await userEvent.keyboard('{Escape}')
  await expect.element(blockDialog).not.toBeInTheDocument()
  await expect.element(more('Iria Montes')).toHaveFocus()
  expect(api.callsOf(blockMemberOperation)).toEqual([])

  await choose()
  const shared = blockDialog.getByRole('region', { name: 'You are both in 2 groups' })
  await expect
    .element(shared.getByRole('listitem').filter({ hasText: 'Lectoras' }))
    .toMatchTextContent('You stay, but you won’t see each other there')
  await expect
    .element(shared.getByRole('checkbox', { name: /^Cerámica ?Your group. Remove her from it too$/ }))
    .toBeChecked()
  await expect.poll(() => shared.getByRole('checkbox').elements()).toHaveLength(1)
  await expect.element(confirm).not.toHaveAttribute('aria-busy')
  ;(blockDialog.getByRole('button', { name: 'Cancel' }).element() as HTMLElement).focus()
  await userEvent.keyboard('{Tab}')
  await expect.element(confirm).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => location.pathname).toBe('/settings/blocked')
  await expect.element(toasts).toMatchTextContent('Blocked')
  await expect.element(toasts).toMatchTextContent('You won’t see Iria Montes any more.')
  await expect.element(rowOf('Iria Montes')).toBeVisible()
  await expect
    .poll(() => api.callsOf(blockMemberOperation))
    .toEqual([{ personId: iria.$id, removeFrom: [groups[0]?.$id] }])

  await toasts.getByRole('button', { name: 'Undo' }).click()
  await expect.element(toasts).toMatchTextContent('Unblocked')
  await expect.element(nobody).toBeVisible()
  await expect.poll(() => api.callsOf(unblockMemberOperation)).toEqual([{ personId: iria.$id }])
})

test('BLK-03 BLK-27 on a phone ana blocks iria in three taps, unchecks her removal from the group, and unblocks her', async () => {
  const { iria, navigate } = await openIria({ groups }, { size: phone })
  await chooseBlock()
  await blockDialog.getByRole('checkbox').click()
  await confirm.click()
  await expect.poll(() => location.pathname).toBe('/settings/blocked')
  await expect.poll(() => api.callsOf(blockMemberOperation)).toEqual([{ personId: iria.$id, removeFrom: [] }])
  await main.getByRole('button', { name: 'Unblock Iria Montes' }).click()
  const ask = question('Unblock Iria Montes?')
  await expect.element(ask).toMatchTextContent('You can find each other again. You won’t follow each other.')
  await ask.getByRole('button', { name: 'Unblock' }).click()
  await expect.element(toasts).toMatchTextContent('Unblocked')
  await expect.element(nobody).toBeVisible()

  navigate(`/profile/${iria.$id}`)
  await more('Iria Montes').click()
  await blockItem.click()
  await confirm.click()
  await expect.poll(() => location.pathname).toBe('/settings/blocked')
})

test('BLK-04 a failed block shows an error in its dialog and can be retried', async () => {
  await openIria()
  await chooseBlock()
  api.goOffline()
  await confirm.click()
  await expect.element(blockDialog.getByRole('alert')).toHaveTextContent(failure)
  expect(location.pathname).toMatch('/profile/')
  api.goOffline(false)
  await confirm.click()
  await expect.poll(() => location.pathname).toBe('/settings/blocked')
  await expect.element(rowOf('Iria Montes')).toBeVisible()
})

test('BLK-27 an empty blocked list says so and links to Privacy and safety', async () => {
  answerBlocks()
  await openApp('/settings/blocked', { me: ana })
  await expect.element(title).toHaveTextContent('Blocked people')
  await expect.element(nobody).toBeVisible()
  await expect
    .element(main.getByRole('link', { name: 'Privacy and safety' }))
    .toHaveAttribute('href', '/settings/privacy')
})

test('BLK-27 the blocked list shows names and times, and loads more rows as ana scrolls', async () => {
  const blocks = Array.from({ length: 22 }, (_, at) => makeBlock(`Iria ${21 - at}`))
  answerBlocks(...blocks)
  await openApp('/settings/blocked', { me: ana })
  const shown = () => rows.element().querySelectorAll('li[aria-labelledby]')
  await expect.poll(() => shown().length).toBe(20)
  const first = rowOf('Iria 21')
  await expect.element(first).toMatchTextContent(`Iria 21@${blocks[0]?.person.username}`)
  await expect.element(first).toMatchTextContent('Blocked just now')
  shown()[19]?.scrollIntoView()
  await expect.poll(() => shown().length).toBe(22)
  await expect.poll(() => shown()[21]?.textContent).toContain('Iria 0@')
})

test('BLK-27 the switch for newer accounts is saved, and returns to its old state if saving fails', async () => {
  const block = makeBlock('Iria')
  answerBlocks(block)
  api.answer(setBlockNewerAccountsOperation, ({ newerAccounts }) => {
    block.newerAccounts = newerAccounts
    return block
  })
  await openApp('/settings/blocked', { me: ana })
  const newer = rowOf('Iria').getByRole('switch', { name: 'Newer accounts from her browser' })
  await expect.element(newer).toBeChecked()
  ;(newer.element() as HTMLElement).focus()
  await userEvent.keyboard(' ')
  await expect.element(newer).not.toBeChecked()
  await expect.element(newer).not.toHaveAttribute('aria-busy')
  await expect
    .poll(() => api.callsOf(setBlockNewerAccountsOperation))
    .toMatchObject([{ blockId: block.$id, newerAccounts: false }])
  api.refuse(setBlockNewerAccountsOperation, 500)
  await userEvent.keyboard(' ')
  await expect.element(toasts).toMatchTextContent(failure)
  await expect.element(newer).not.toBeChecked()
})

test('BLK-27 a failed unblock leaves the row, and a failed list can be retried', async () => {
  const block = makeBlock('Iria')
  answerBlocks(block)
  api.answer(listBlocksOperation, () => refusal('general_query_invalid'))
  await openApp('/settings/blocked', { me: ana })
  const again = main.getByRole('button', { name: 'Try again' })
  await expect.element(again).toBeVisible()
  answerBlocks(block)
  await again.click()
  await main.getByRole('button', { name: 'Unblock Iria' }).click()
  api.refuse(unblockMemberOperation, 500)
  await question('Unblock Iria?').getByRole('button', { name: 'Unblock' }).click()
  await expect.element(toasts).toMatchTextContent(failure)
  await expect.element(rowOf('Iria')).toBeVisible()
})

test('BLK-16 a conversation closed by a block keeps its messages, without link, picture or message box', async () => {
  const withIria = conversationWith('Iria')
  withIria.other.visible = false
  withIria.can = { write: false, addPhotos: false, block: false, accept: false }
  answerChat({ conversations: [withIria], messages: messagesFrom(withIria, 'Nos vemos el jueves') })
  await openApp(`/chat/${withIria.$id}`, { me: ana })
  await expect.element(closed).toBeVisible()
  await expect.element(messageInput).not.toBeInTheDocument()
  await expect.element(bubble('Nos vemos el jueves')).toBeVisible()
  await expect.element(conversationRow('Iria')).toBeVisible()
  const thread = main.getByRole('region', { name: 'Conversation', exact: true })
  await expect.element(thread).toMatchTextContent('Iria@iria')
  expect(thread.getByRole('link', { name: /Iria/ }).elements()).toEqual([])
  expect(thread.element().querySelector('img')).toBeNull()
  expect(more('Iria').elements()).toEqual([])
})

test('BLK-17 ‘See messages’ of a blocked member opens their conversation, which is not in the conversation list', async () => {
  const withIria = conversationWith('Iria')
  withIria.can = { write: false, addPhotos: false, block: false, accept: false }
  const { known } = answerChat({
    conversations: [withIria],
    messages: messagesFrom(withIria, 'Llevo yo el pan'),
  })
  answerBlocks(makeBlock('Iria', { conversationId: withIria.$id }))
  await openApp('/settings/blocked', { me: ana })
  await rowOf('Iria').getByRole('link', { name: 'See messages' }).click()
  await expect.element(bubble('Llevo yo el pan')).toBeVisible()
  await expect.element(closed).toBeVisible()
  expect(known).toHaveLength(1)
})

test('BLK-30 a blocked member blocks back from the conversation’s menu', async () => {
  const withIria = conversationWith('Iria')
  withIria.other.visible = false
  withIria.can = { write: false, addPhotos: false, block: true, accept: false }
  answerPersonMenu()
  api.answer(getPersonOperation, () => refusal('user_not_found'))
  answerBlocks()
  const { known } = answerChat({ conversations: [withIria] })
  api.answer(blockMemberOperation, () => {
    known[0] = { ...withIria, can: { ...withIria.can, block: false } }
    return { blocked: true, blockId: newId('block') }
  })
  await openApp(`/chat/${withIria.$id}`, { me: ana })
  await expect.element(closed).toBeVisible()
  await chooseBlock('Iria')
  await confirm.click()
  await expect.element(toasts).toMatchTextContent('You won’t see Iria any more.')
  expect(location.pathname).toBe(`/chat/${withIria.$id}`)
  await expect.element(more('Iria')).not.toBeInTheDocument()
})

async function openGroup() {
  const adminCan = { edit: true, delete: true, decide: true, leave: false, decline: false }
  const group: Group = makeGroup({ membership: 'admin', adminId: ana.$id, memberCount: 3, can: adminCan })
  const [iria, olga] = [makeProfile({ name: 'Iria' }), makeProfile({ name: 'Olga' })]
  const blocked = new Set<string>()
  answerPeople([iria, olga])
  answerPersonMenu({ groups: [{ $id: group.$id, name: group.name, admin: 'me' }] })
  api.answer(getGroupOperation, group)
  const post = makePost({ creator: iria, groupId: group.$id })
  api.answer(listGroupPostsOperation, () => ({
    documents: [blocked.has(iria.$id) ? { ...post, blocked: true } : post],
    next: null,
  }))
  api.answer(listGroupMembersOperation, () => ({
    documents: [
      ...[iria, olga].map((user) =>
        makeGroupMember({
          user,
          can: { remove: true, handOver: !blocked.has(user.$id) },
          ...(blocked.has(user.$id) ? { blocked: true } : {}),
        }),
      ),
      makeGroupMember({ user: ana, role: 'admin' }),
    ],
    next: null,
    ...(blocked.size > 0 ? { blockedCount: blocked.size } : {}),
  }))
  api.answer(blockMemberOperation, ({ personId }) => {
    blocked.add(personId)
    return { blocked: true, blockId: newId('block') }
  })
  await openApp(`/groups/${group.$id}`, { me: ana })
  await expect.element(main.getByRole('article', { name: 'Post by Iria' })).toBeVisible()
}

test('BLK-23 BLK-24 the admin blocks a member from a post’s menu: the post is hidden, and Members counts and marks blocked members', async () => {
  await openGroup()
  await chooseBlock('Iria')
  await blockDialog.getByRole('checkbox').click()
  await confirm.click()
  await expect.element(toasts).toMatchTextContent('You won’t see Iria any more.')
  await expect.element(main.getByText('Hidden because you blocked her.')).toBeVisible()
  expect(main.getByRole('article').elements()).toEqual([])
  await main.getByRole('button', { name: 'Show', exact: true }).click()
  await expect.element(main.getByRole('article', { name: 'Post by Iria' })).toBeVisible()
  expect(more('Iria').elements()).toEqual([])

  await main.getByRole('button', { name: 'Members (3)' }).click()
  const members = dialog('Members')
  await expect.element(members.getByText('1 person you blocked is in this group.')).toBeVisible()
  const row = members.getByRole('listitem').filter({ hasText: '@iria' })
  await expect.element(row).toMatchTextContent('Blocked')
  await expect.element(row.getByRole('button', { name: 'Remove Iria' })).toBeVisible()
  expect(row.getByRole('link').elements()).toEqual([])
  await members.getByRole('button', { name: 'More about Olga' }).click()
  await blockItem.click()
  await blockDialog.getByRole('checkbox').click()
  await confirm.click()
  await expect.element(members.getByText('2 people you blocked are in this group.')).toBeVisible()
})
