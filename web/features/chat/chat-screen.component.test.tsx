import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { openConversationOperation } from '#contract/chat/conversations.ts'
import { type Message, sendMessageOperation } from '#contract/chat/messages.ts'
import { getPersonOperation, listPeopleOperation, searchPeopleOperation } from '#contract/people/people.ts'
import { listPersonPostsOperation, listSavedPostsOperation } from '#contract/posts/posts.ts'
import {
  ana,
  answerChat,
  bubble,
  conversationRow,
  conversationWith,
  messageInput,
  messageList,
  messagesFrom,
  openConversation,
  personSearch,
  receiveMessage,
  sendButton,
} from '#tests/support/component/chat.ts'
import { makePerson, makeProfile } from '#tests/support/component/fixtures.ts'
import { sendChange } from '#tests/support/component/live-socket.ts'
import { api, openApp, phone } from '#tests/support/component/open-app.tsx'
import { toasts } from '#tests/support/component/post-form.ts'
import { emulateTouchScreen, tap } from '#tests/support/component/touch.ts'

const heading = (name: string) => page.getByRole('heading', { name })
const thread = page.getByRole('region', { name: 'Conversation', exact: true })
const option = (name: string) => page.getByRole('option').filter({ hasText: name })
const badge = page.getByRole('navigation', { name: 'Main' }).getByText(/^unread conversations:/)
const closeSidebar = page.getByRole('button', { name: 'Close sidebar' })
const openSidebar = page.getByRole('button', { name: 'Open sidebar' })
const backToList = page.getByRole('button', { name: 'All conversations' })
const asked = () => api.callsOf(searchPeopleOperation).map(({ term }) => term)
const address = () => location.pathname + location.search

test('CHAT-04 CHAT-05 CHAT-16 CHAT-18 CHAT-19 a new member sees no conversations and a link to People', async () => {
  answerChat()
  api.answer(listPeopleOperation, { documents: [], next: null })
  await openApp('/chat', { me: ana })
  await expect.poll(() => document.title).toBe('Chat · Juntas')
  await expect.element(page.getByRole('heading', { level: 2, name: 'Messages' })).toBeVisible()
  await expect.element(personSearch).toBeVisible()
  await expect.element(heading('No conversations yet')).toBeVisible()
  await expect.element(page.getByText("Start a conversation by visiting someone's profile")).toBeVisible()
  await expect.element(heading('Welcome to Chat')).toBeVisible()
  await expect
    .element(page.getByText('Elige una conversación para empezar a chatear.'))
    .toHaveAttribute('lang', 'es')
  await page.getByRole('main').getByRole('link', { name: 'Find people' }).click()
  expect(location.pathname).toBe('/all-users')
})

test('CHAT-01 CHAT-02 CHAT-20 CHAT-24 the URL names the open conversation, in its path or query, and the path wins', async () => {
  const [withBea, withCarla] = [conversationWith('Bea Ortiz'), conversationWith('Carla')]
  answerChat({ conversations: [withBea, withCarla] })
  const { navigate } = await openApp(`/chat/${withBea.$id}`, { me: ana })
  const head = thread.getByRole('link').first()
  for (const [path, { other }] of [
    [`/chat/${withBea.$id}`, withBea],
    [`/chat?conversation=${withCarla.$id}`, withCarla],
    [`/chat/${withBea.$id}?conversation=${withCarla.$id}`, withBea],
  ] as const) {
    navigate(path)
    await expect.element(head).toMatchTextContent(other.name)
    await expect.element(head).toMatchTextContent(`@${other.username}`)
    await expect.element(head).toHaveAttribute('href', `/profile/${other.$id}`)
    await expect
      .element(conversationRow(other.name).getByRole('link'))
      .toHaveAttribute('aria-current', 'true')
  }
  expect(document.querySelector('#chat-sidebar')?.getBoundingClientRect().width).toBe(320)
})

test('CHAT-03 CHAT-06 CHAT-08 CHAT-09 CHAT-12 ana finds carla by name and opens their conversation by mouse or keyboard', async () => {
  const withCarla = conversationWith('Carla Pinto')
  const carla = makePerson(withCarla.other)
  answerChat({ conversations: [withCarla] })
  api.answer(searchPeopleOperation, ({ term }) => ({ documents: term === 'carla' ? [carla] : [] }))
  api.answer(openConversationOperation, withCarla)
  const { navigate } = await openApp('/chat', { me: ana })
  await personSearch.fill('   ')
  await personSearch.fill('nadie se llama así')
  await expect.element(page.getByText('No se encontraron usuarios')).toBeVisible()
  await expect.poll(() => asked()).toEqual(['nadie se llama así'])
  await expect.poll(() => api.callsOf(searchPeopleOperation)[0]?.who).toBe('others')
  await personSearch.fill('carla')
  await option('@carlapinto').click()
  await expect.poll(address).toBe(`/chat?conversation=${withCarla.$id}`)
  navigate('/chat')
  await personSearch.fill('carla')
  await expect.element(option('@carlapinto')).toBeVisible()
  const list = page.getByRole('listbox').element().parentElement as HTMLElement
  expect(getComputedStyle(list).maxHeight).toBe('240px')
  await userEvent.keyboard('{ArrowDown}{Enter}')
  await expect.poll(address).toBe(`/chat?conversation=${withCarla.$id}`)
  await expect
    .poll(() => api.callsOf(openConversationOperation))
    .toMatchObject([{ personId: carla.$id }, { personId: carla.$id }])
})

test('CHAT-07 CHAT-11 the search waits 300 ms, and its results close 200 ms after the box loses focus', async () => {
  answerChat({ people: [makePerson()] })
  await openApp('/chat', { me: ana })
  await expect.element(heading('No conversations yet')).toBeVisible()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await personSearch.fill('bea')
  vi.advanceTimersByTime(299)
  expect(asked()).toEqual([])
  vi.advanceTimersByTime(1)
  await expect
    .poll(() => {
      vi.advanceTimersByTime(5)
      return option('@bea').elements().length
    })
    .toBe(1)
  await expect.poll(() => asked()).toEqual(['bea'])
  ;(personSearch.element() as HTMLElement).blur()
  vi.advanceTimersByTime(199)
  await expect.element(option('@bea')).toBeVisible()
  vi.advanceTimersByTime(1)
  await expect.element(option('@bea')).not.toBeInTheDocument()
  ;(personSearch.element() as HTMLElement).focus()
  await expect.element(option('@bea')).toBeVisible()
})

test('CHAT-13 a failed search shows no results and no toast', async () => {
  answerChat()
  api.refuse(searchPeopleOperation, 500)
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  await openApp('/chat', { me: ana })
  await personSearch.fill('bea')
  await expect.element(page.getByText('No se encontraron usuarios')).toBeVisible()
  expect(logged).toHaveBeenCalled()
  expect(toasts.getByRole('listitem').elements()).toEqual([])
  logged.mockRestore()
})

test('CHAT-14 CHAT-17 a row shows name, last message and time, with a dot until the conversation is opened', async () => {
  const withBea = conversationWith('Bea Ortiz', { lastMessage: '¿Nos vemos el domingo?', unread: true })
  withBea.other.imageUrl = ''
  const now = new Date().toISOString()
  withBea.lastMessageTime = now
  const withCarla = conversationWith('Carla', { lastMessage: 'Hola, carla', lastMessageSender: ana.$id })
  answerChat({
    conversations: [withBea, withCarla],
    messages: messagesFrom(withBea, '¿Nos vemos el domingo?'),
  })
  await openApp('/chat', { me: ana })
  const unread = conversationRow('Bea Ortiz')
  await expect.element(unread).toMatchTextContent('¿Nos vemos el domingo?')
  await expect.element(unread).toMatchTextContent('Just now')
  await expect.element(unread.getByText('Unread')).toBeInTheDocument()
  expect(unread.element().querySelector('[data-generated="BO"]')).not.toBeNull()
  await expect.element(conversationRow('Carla')).toMatchTextContent('You: Hola, carla')
  await expect.element(conversationRow('Carla').getByText('Unread')).not.toBeInTheDocument()
  await expect.element(badge).toHaveTextContent('unread conversations: 1')
  await unread.getByRole('link').click()
  await expect.poll(address).toBe(`/chat/${withBea.$id}`)
  await expect.element(bubble('domingo')).toBeVisible()
  await expect.element(unread.getByText('Unread')).not.toBeInTheDocument()
  await expect.element(badge).not.toBeInTheDocument()
})

test('CHAT-21 ana closes and opens the sidebar', async () => {
  await openConversation(conversationWith('Bea'))
  await expect.element(closeSidebar).toHaveAttribute('aria-expanded', 'true')
  await closeSidebar.click()
  await expect.element(personSearch).not.toBeVisible()
  await expect.element(openSidebar).toHaveAttribute('aria-expanded', 'false')
  await openSidebar.click()
  await expect.element(personSearch).toBeVisible()
})

for (const [width, stays] of [
  [767, false],
  [768, true],
] as const)
  test(`CHAT-23 at ${width} px the sidebar ${stays ? 'stays open' : 'closes'} when ana selects a conversation`, async () => {
    const withBea = conversationWith('Bea')
    answerChat({ conversations: [withBea] })
    await openApp('/chat', { me: ana, size: { width, height: 800 } })
    await conversationRow('Bea').getByRole('link').click()
    await expect.element(messageInput).toBeVisible()
    if (stays) await expect.element(personSearch).toBeVisible()
    else await expect.element(personSearch).not.toBeVisible()
  })

test('CHAT-22 on a phone the list covers the conversation, and an arrow leads back to the list', async () => {
  await openConversation(conversationWith('Bea'), { size: phone })
  await expect.element(personSearch).not.toBeVisible()
  await backToList.click()
  await expect.element(personSearch).toBeVisible()
  await expect.element(messageInput).not.toBeVisible()
  await closeSidebar.click()
  await expect.element(messageInput).toBeVisible()
})

test('CHAT-29 a conversation of other members is not found, and a link leads back to ana’s conversations', async () => {
  answerChat()
  await openApp('/chat/fremd', { me: ana })
  await expect.element(thread.getByRole('heading', { name: 'Conversation not found' })).toBeVisible()
  await expect.element(messageInput).not.toBeInTheDocument()
  expect(thread.element().querySelector('[class*=animate-sweep]')).toBeNull()
  await thread.getByRole('link', { name: 'Back to Chat' }).click()
  await expect.poll(address).toBe('/chat')
  await expect.element(personSearch).toBeVisible()
})

for (const from of ['profile', 'card', 'search'])
  test(`CHAT-27 a conversation that cannot be opened from a ${from} is reported in a toast`, async () => {
    const bea = makeProfile({ name: 'Bea' })
    answerChat({ people: [bea] })
    api.answer(getPersonOperation, bea)
    api.answer(listPersonPostsOperation, { documents: [], next: null })
    api.answer(listPeopleOperation, { documents: [bea], next: null })
    api.refuse(openConversationOperation, 500)
    const paths = { profile: `/profile/${bea.$id}`, card: '/all-users', search: '/chat' }
    await openApp(paths[from as keyof typeof paths], { me: ana })
    if (from === 'search') {
      await personSearch.fill('bea')
      await option('@bea').click()
    } else await page.getByRole('button', { name: 'Chat with Bea' }).click()
    await expect.element(toasts).toMatchTextContent('Failed to start conversation. Please try again.')
  })

for (const size of [phone, { width: 1440, height: 1000 }])
  test(`long words, right-to-left text and many lines stay inside their bubbles at ${size.width} px`, async () => {
    const withBea = conversationWith('Bea')
    const messages = messagesFrom(
      withBea,
      'W'.repeat(4000),
      'مرحبا يا صديقتي',
      '👩‍👩‍👧‍👧 '.repeat(20),
      'a\nb\nc',
    )
    await openConversation(withBea, { messages, size })
    await expect.element(bubble('مرحبا')).toBeVisible()
    const scroller = messageList.element().parentElement as HTMLElement
    expect(scroller.scrollWidth).toBe(scroller.clientWidth)
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(innerWidth)
  })

test('after the window is resized the newest message is still visible', async () => {
  const withBea = conversationWith('Bea')
  await openConversation(withBea, {
    messages: messagesFrom(withBea, 'Una carta entera. '.repeat(200), 'La última.'),
    size: phone,
  })
  for (const [width, height] of [
    [390, 844],
    [844, 390],
    [768, 1024],
    [360, 740],
  ] as const) {
    await page.viewport(width, height)
    await expect.element(bubble('La última.')).toBeInViewport({ ratio: 1 })
  }
})

test('CHAT-33 with a mouse, the message box is focused in every conversation that ana opens', async () => {
  const [withBea, withCarla] = [conversationWith('Bea'), conversationWith('Carla')]
  await openConversation(withBea, { others: [withCarla], messages: messagesFrom(withCarla, 'buenas') })
  await expect.element(messageInput).toHaveFocus()
  await conversationRow('Carla').getByRole('link').click()
  await expect.element(bubble('buenas')).toBeVisible()
  await expect.element(messageInput).toHaveFocus()
})

test('CHAT-34 the page title counts unread conversations on every page until they are read', async () => {
  const withBea = conversationWith('Bea', { unread: true })
  const withCarla = conversationWith('Carla', { unread: true })
  const messages = [...messagesFrom(withBea, 'hola'), ...messagesFrom(withCarla, 'buenas')]
  answerChat({ conversations: [withBea, withCarla], messages })
  api.answer(listSavedPostsOperation, { documents: [], next: null })
  const { navigate } = await openApp('/saved', { me: ana })
  await expect.poll(() => document.title).toBe('(2) Saved Posts · Juntas')
  navigate(`/chat/${withBea.$id}`)
  await expect.poll(() => document.title).toBe('(1) Chat · Juntas')
  await conversationRow('Carla').getByRole('link').click()
  await expect.poll(() => document.title).toBe('Chat · Juntas')
})

test('CHAT-35 a message over 4,000 characters stays in the box unsent, and the box says why', async () => {
  await openConversation(conversationWith('Bea'))
  const [whole, long] = ['a'.repeat(4000), 'a'.repeat(4001)]
  await messageInput.fill(long)
  await expect.element(page.getByText('At most 4,000 characters: 4001/4000')).toBeVisible()
  await expect.element(messageInput).toHaveAttribute('aria-invalid', 'true')
  await expect.element(messageInput).toHaveAccessibleDescription('At most 4,000 characters: 4001/4000')
  await expect.element(sendButton).toBeDisabled()
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.element(messageInput).toHaveValue(long)
  expect(api.callsOf(sendMessageOperation)).toEqual([])
  await messageInput.fill(whole)
  await expect.element(messageInput).not.toHaveAttribute('aria-invalid')
  await expect.element(sendButton).toBeEnabled()
})

test('RT-05 RT-06 a message in another conversation updates its row, its dot and the badge, but is not shown in the open one', async () => {
  const withBea = conversationWith('bea')
  const { known, stored } = await openConversation(withBea, { live: true })
  const withCarla = conversationWith('carla', { lastMessage: 'Soy nueva', unread: true })
  const [message] = messagesFrom(withCarla, 'Soy nueva') as [Message]
  known.push(withCarla)
  receiveMessage(stored, message)
  sendChange({ collection: 'conversations', kind: 'create', document: { $id: withCarla.$id } })
  await expect.element(conversationRow('carla')).toMatchTextContent('Soy nueva')
  await expect.element(conversationRow('carla').getByText('Unread')).toBeInTheDocument()
  await expect.element(badge).toHaveTextContent('unread conversations: 1')
  await expect.element(bubble('Soy nueva')).not.toBeInTheDocument()
  const [own] = messagesFrom(withBea, 'Y yo aquí') as [Message]
  receiveMessage(stored, own)
  await expect.element(bubble('Y yo aquí')).toBeVisible()
})

test('CHAT-30 a conversation that ana reads on another device loses its dot on this device', async () => {
  const withBea = conversationWith('bea', { unread: true })
  const { known } = answerChat({ conversations: [withBea] })
  await openApp('/chat', { me: ana, live: true })
  await expect.element(badge).toHaveTextContent('unread conversations: 1')
  await expect.element(conversationRow('bea').getByText('Unread')).toBeInTheDocument()
  known[0] = { ...withBea, unread: false }
  sendChange({ collection: 'conversations', kind: 'update', document: { $id: withBea.$id } })
  await expect.element(badge).not.toBeInTheDocument()
  await expect.element(conversationRow('bea').getByText('Unread')).not.toBeInTheDocument()
})

test('PROF-11 PROF-12 USR-07 USR-09 CHAT-25 bea’s profile and card have a Chat button, and ana’s own profile and card have none', async () => {
  const withBea = conversationWith('bea')
  const bea = makeProfile(withBea.other)
  answerChat({ conversations: [withBea] })
  api.answer(openConversationOperation, withBea)
  api.answer(listPersonPostsOperation, { documents: [], next: null })
  const { me, navigate } = await openApp('/chat', { me: ana })
  api.answer(getPersonOperation, ({ personId }) => (personId === bea.$id ? bea : me))
  api.answer(listPeopleOperation, { documents: [makePerson(me), makePerson(bea)], next: null })
  const opensChat = async () => {
    await page.getByRole('button', { name: 'Chat with bea' }).click()
    await expect.poll(address).toBe(`/chat?conversation=${withBea.$id}`)
  }
  navigate(`/profile/${bea.$id}`)
  await opensChat()
  navigate('/all-users')
  const own = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ hasText: `@${me.username}` })
  await expect.element(own).toBeVisible()
  expect(own.getByRole('button', { name: /Chat/ }).elements()).toEqual([])
  await opensChat()
  navigate(`/profile/${me.$id}`)
  await expect.element(page.getByRole('link', { name: 'Edit Profile' })).toBeVisible()
  expect(
    page
      .getByRole('main')
      .getByRole('button', { name: /Follow|Chat/ })
      .elements(),
  ).toEqual([])
})

test('above the open keyboard of a phone, the message box and the newest message are visible', async () => {
  const keyboardHeight = 300
  const seen = Object.assign(new EventTarget(), { scale: 1, offsetTop: 0, height: phone.height })
  vi.spyOn(globalThis, 'visualViewport', 'get').mockReturnValue(seen as unknown as VisualViewport)
  const withBea = conversationWith('Bea')
  const texts = Array.from({ length: 20 }, (_, at) => `Mensaje ${at + 1}.`)
  await openConversation(withBea, { messages: messagesFrom(withBea, ...texts), size: phone })
  await expect.element(bubble('Mensaje 20.')).toBeInViewport()
  seen.height = phone.height - keyboardHeight
  seen.dispatchEvent(new Event('resize'))
  const edges = (locator: typeof messageInput) => locator.element().getBoundingClientRect()
  await expect.poll(() => edges(messageInput).bottom).toBeLessThanOrEqual(phone.height - keyboardHeight)
  await expect.poll(() => edges(bubble('Mensaje 20.')).bottom - edges(messageInput).top).toBeLessThan(0)
})

test('CHAT-33 on a touch screen the keyboard does not open by itself, and a tap on Send keeps it open', async () => {
  await emulateTouchScreen()
  await openConversation(conversationWith('Bea'), { size: phone })
  const bar = page.getByRole('navigation', { name: 'Main' })
  await expect.element(messageInput).not.toHaveFocus()
  await tap(messageInput.element())
  await expect.element(bar).not.toBeInTheDocument()
  await userEvent.keyboard('Hola, bea')
  await tap(sendButton.element())
  await expect.element(bubble('Hola, bea')).toBeVisible()
  await expect.element(messageInput).toHaveValue('')
  await expect.element(messageInput).toHaveFocus()
  await expect.element(bar).not.toBeInTheDocument()
})
