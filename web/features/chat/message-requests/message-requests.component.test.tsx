import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Conversation } from '#contract/chat/conversations.ts'
import {
  acceptMessageRequestOperation,
  countMessageRequestsOperation,
  declineMessageRequestOperation,
  listMessageRequestsOperation,
  type MessageRequest,
} from '#contract/chat/message-requests.ts'
import { sendMessageOperation } from '#contract/chat/messages.ts'
import { blockMemberOperation, previewBlockOperation } from '#contract/people/blocks.ts'
import { getPersonOperation } from '#contract/people/people.ts'
import { getPostOperation, listPersonPostsOperation } from '#contract/posts/posts.ts'
import {
  ana,
  answerChat,
  conversationList,
  conversationWith,
  messageInput,
  messageList,
  messagesFrom,
  openConversation,
  sendButton,
} from '#tests/support/component/chat.ts'
import { makePost, makeProfile } from '#tests/support/component/fixtures.ts'
import { sendChange } from '#tests/support/component/live-socket.ts'
import { api, desktop, openApp, phone } from '#tests/support/component/open-app.tsx'
import { toasts } from '#tests/support/component/post-form.ts'

const main = page.getByRole('main')
const card = (name: string) => main.getByRole('listitem', { name })
const requestsLink = page.getByRole('link', { name: /^Message requests/ })
const bar = page.getByRole('region', { name: 'Message request' })
const addPhotos = page.getByRole('button', { name: 'Add photos' })
const may = { write: true, addPhotos: true, block: true, accept: false }

const requestFrom = (name: string, ...texts: string[]): MessageRequest => {
  const conversation = conversationWith(name, { standing: 'asked', can: { ...may, accept: true } })
  return {
    conversation,
    why: { followsMe: false, groupsInCommon: 0, joinedAt: '2026-10-01T10:00:00.000Z' },
    messages: messagesFrom(conversation, ...texts),
  }
}

function answerRequests(requests: MessageRequest[]) {
  answerChat()
  const remove = (isGone: (request: MessageRequest) => boolean) => {
    const at = requests.findIndex(isGone)
    const [gone] = requests.splice(at, 1)
    return gone as MessageRequest
  }
  api.answer(listMessageRequestsOperation, () => ({ documents: requests, next: null }))
  api.answer(countMessageRequestsOperation, () => ({ count: requests.length, hasRestricted: false }))
  api.answer(
    declineMessageRequestOperation,
    ({ conversationId }) => remove(({ conversation }) => conversation.$id === conversationId).conversation,
  )
  api.answer(previewBlockOperation, { groups: [], conversationId: null, following: false, followsMe: false })
  api.answer(blockMemberOperation, ({ personId }) => {
    remove(({ conversation }) => conversation.other.$id === personId)
    return { blocked: true as const, blockId: 'block' }
  })
}

test('MSGR-06 MSGR-11 requests that ana declines, or whose senders she blocks, leave the list until it is empty', async () => {
  answerRequests([requestFrom('Iria', 'hola'), requestFrom('Olga', 'hola')])
  await openApp('/message-requests', { me: ana })
  await card('Iria').getByRole('button', { name: 'Decline Iria' }).click()
  await expect.element(toasts).toMatchTextContent('She isn’t notified.')
  await expect.element(card('Iria')).not.toBeInTheDocument()
  await expect.element(card('Olga').getByRole('button', { name: 'Report Olga' })).toBeVisible()
  await card('Olga').getByRole('button', { name: 'Block Olga' }).click()
  const confirm = page.getByRole('alertdialog').getByRole('button', { name: 'Block', exact: true })
  await expect.element(confirm).not.toHaveAttribute('aria-busy')
  await confirm.click()
  await expect.element(card('Olga')).not.toBeInTheDocument()
  await expect.element(main.getByText('No message requests')).toBeVisible()
})

test('MSGR-05 MSGR-06 MSGR-07 a card shows why ana may know the sender, but no picture and no links', async () => {
  const iria = requestFrom('Iria Montes', '¿Vienes? https://juntas.test/plan', 'Es el jueves', 'Llevo pan')
  iria.why = { followsMe: true, groupsInCommon: 1, joinedAt: '2026-10-01T10:00:00.000Z' }
  iria.conversation.other.imageUrl = ''
  answerRequests([iria, requestFrom('Olga', 'hola guapa')])
  await openApp('/chat', { me: ana })
  await expect.element(requestsLink).toMatchTextContent('2')
  await requestsLink.click()
  await expect.element(main.getByRole('heading', { level: 1 })).toHaveTextContent('Message requests')
  const request = card('Iria Montes')
  for (const text of ['1 group in common', 'Follows you', '@iriamontes'])
    await expect.element(request).toMatchTextContent(text)
  const said = request.getByRole('list', { name: 'Messages from Iria Montes' }).getByRole('listitem')
  expect(said.elements().map(({ textContent }) => textContent)).toEqual(
    iria.messages.map(({ content }) => content),
  )
  expect(request.getByRole('link', { name: /juntas\.test/ }).elements()).toEqual([])
  expect(request.element().querySelector('img')).toBeNull()
  await expect.element(card('Olga')).toMatchTextContent('Nothing in common')
  await expect.element(card('Olga')).toMatchTextContent('Joined')
})

for (const size of [desktop, phone])
  test(`MSGR-15 MSGR-16 at ${size.width} px a stranger can send five messages and no photos until the recipient answers`, async () => {
    const withAna = conversationWith('Ana Gil', { left: null, can: { ...may, addPhotos: false } })
    const { known, storeMessage } = await openConversation(withAna, { size, live: true })
    let left = 5
    api.answer(sendMessageOperation, (input) => {
      left -= 1
      const message = storeMessage(input)
      known[0] = { ...(known[0] as Conversation), left }
      sendChange({ collection: 'conversations', kind: 'update', document: { $id: withAna.$id } })
      return message
    })
    await expect.element(page.getByText('You can send photos once she answers.')).toBeVisible()
    expect(addPhotos.elements()).toEqual([])
    for (const more of [4, 3, 2, 1]) {
      await messageInput.fill(`Quedan ${more}`)
      await sendButton.click()
      await expect
        .element(page.getByText(new RegExp(`^You can send ${more} more until she answers\\.`)))
        .toBeVisible()
    }
    await messageInput.fill('La última')
    await sendButton.click()
    await expect.element(page.getByText('You can write more once she answers.')).toBeVisible()
    await messageInput.fill('¿Hola?')
    await expect.element(sendButton).toBeDisabled()
    await expect.element(messageInput).toHaveValue('¿Hola?')
  })

test('MSGR-15 MSGR-16 after ana accepts a stranger, the stranger can send photos and her links show cards', async () => {
  const withIria = conversationWith('Iria Montes', { can: { ...may, accept: true } })
  const post = makePost({ caption: 'La cala de noche' })
  api.answer(getPostOperation, post)
  const messages = messagesFrom(withIria, `${location.origin}/posts/${post.$id}`)
  const { known } = await openConversation(withIria, { messages })
  api.answer(acceptMessageRequestOperation, () => {
    known[0] = { ...withIria, can: may }
    return known[0]
  })
  await expect.element(bar).toMatchTextContent('Iria Montes can send photos once you answer or accept.')
  await expect.element(addPhotos).toBeVisible()
  await expect.element(messageList).not.toMatchTextContent(post.caption)
  await bar.getByRole('button', { name: 'Accept' }).click()
  await expect.element(toasts).toMatchTextContent('Iria Montes can send you photos now.')
  await expect.element(bar).not.toBeInTheDocument()
  await expect.element(messageList).toMatchTextContent(post.caption)
})

for (const write of [true, false])
  test(`MSGR-12 the profile of a member to whom ana ${write ? 'may' : 'may not'} write has ${write ? 'a' : 'no'} Chat button`, async () => {
    const bea = makeProfile({ name: 'Bea', can: { write, block: true, seePosts: true, seeLists: true } })
    api.answer(getPersonOperation, bea)
    api.answer(listPersonPostsOperation, { documents: [], next: null })
    await openApp(`/profile/${bea.$id}`)
    await expect.element(main.getByRole('button', { name: /^Follow/ }).first()).toBeVisible()
    const chat = main.getByRole('button', { name: 'Chat with Bea' })
    if (write) await expect.element(chat).toBeVisible()
    else expect(chat.elements()).toEqual([])
  })

test('MUTE-06 MUTE-08 the conversation with a restricted member stays in message requests, even after a reply', async () => {
  const withIria = conversationWith('Iria Montes', { restricted: true })
  const request = { ...requestFrom('Iria Montes', '¿Qué tal?'), conversation: withIria }
  answerChat()
  api.answer(countMessageRequestsOperation, { count: 0, hasRestricted: true })
  api.answer(listMessageRequestsOperation, { documents: [request], next: null })
  await openApp('/chat', { me: ana })
  await expect.element(page.getByRole('heading', { name: 'No conversations yet' })).toBeVisible()
  await requestsLink.click()
  await expect.element(card('Iria Montes')).toMatchTextContent('You restricted her')
  expect(conversationList.elements()).toEqual([])
})
