import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { sendMessageOperation } from '#contract/chat/messages.ts'
import {
  bubble,
  conversationWith,
  messageInput,
  messagesFrom,
  openConversation,
} from '#tests/support/component/chat.ts'
import { api } from '#tests/support/component/open-app.tsx'

async function openChat(): Promise<HTMLTextAreaElement> {
  const conversation = conversationWith('Bea Ortiz')
  await openConversation(conversation, { messages: messagesFrom(conversation, 'Hola') })
  await expect.element(bubble('Hola')).toBeVisible()
  return messageInput.element() as HTMLTextAreaElement
}

test('CMSG-04 the Enter that ends an IME composition sends nothing, even if only its key code shows the composition', async () => {
  const box = await openChat()
  await messageInput.fill('こんにちは')
  const press = (init: KeyboardEventInit) =>
    box.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...init }),
    )
  press({ isComposing: true })
  press({ keyCode: 229 } as KeyboardEventInit)
  await userEvent.type(messageInput, '!')
  press({})
  await expect.element(bubble('こんにちは!')).toBeVisible()
  await expect
    .poll(() => api.callsOf(sendMessageOperation).map(({ content }) => content))
    .toEqual(['こんにちは!'])
})

function paste(box: HTMLElement, text: string | null): boolean {
  const data = new DataTransfer()
  if (text !== null) data.setData('text/plain', text)
  data.items.add(new File([new Uint8Array([137, 80, 78, 71])], 'image.png', { type: 'image/png' }))
  return box.dispatchEvent(
    new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
  )
}

test('CHPH-01 pasting text together with a picture inserts the text; pasting only a picture adds a photo', async () => {
  const box = await openChat()
  expect(paste(box, 'Desde Word')).toBe(true)
  expect(paste(box, null)).toBe(false)
})
