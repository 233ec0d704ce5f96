import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { openConversationOperation } from '#contract/chat/conversations.ts'
import { sendMessageOperation } from '#contract/chat/messages.ts'
import { listShareTargetsOperation } from '#contract/chat/share-targets.ts'
import { refusal } from '#tests/support/component/fake-api.ts'
import {
  makeConversation,
  makeMessage,
  makePersonSummary,
  makePost,
} from '#tests/support/component/fixtures.ts'
import { api, openApp, phone } from '#tests/support/component/open-app.tsx'
import { main, toasts } from '#tests/support/component/people.ts'
import { answerPostForm, answerPostPage } from '#tests/support/component/post-form.ts'

const dialog = page.getByRole('dialog', { name: 'Share this post' })
const targets = dialog.getByRole('list', { name: 'People to send it to' })
const share = main.getByRole('button', { name: 'Share', exact: true }).first()
const send = dialog.getByRole('button', { name: /^Send/ })
const choose = (name: RegExp) => targets.getByRole('checkbox', { name }).click()
const [bea, carla] = [makePersonSummary({ name: 'Bea Ruiz' }), makePersonSummary({ name: 'Carla Paz' })]

async function openDialog(inGroup: boolean | null = null, options: Parameters<typeof openApp>[1] = {}) {
  const post = makePost({ caption: 'La mesa del domingo' })
  answerPostForm({ posts: [post] })
  answerPostPage()
  api.answer(listShareTargetsOperation, ({ term }) => ({
    documents: [{ person: term === 'Carla Paz' ? carla : bea, inGroup }],
  }))
  api.answer(openConversationOperation, ({ personId }) => makeConversation({ $id: `to${personId}` }))
  api.answer(sendMessageOperation, (input) => makeMessage({ content: input.content }))
  await openApp(`/posts/${post.$id}`, options)
  await share.click()
  await expect.element(dialog).toBeVisible()
  return post
}

for (const size of [undefined, phone])
  test(`SHARE-01 SHARE-02 at ${size?.width ?? 1440} px ana sends a post with a short message to two people`, async () => {
    const post = await openDialog(null, size ? { size } : {})
    await expect.poll(() => targets.getByRole('listitem').elements().length).toBe(1)
    await expect.element(send).toBeDisabled()
    await choose(/Bea Ruiz/)
    await dialog.getByRole('searchbox', { name: 'Buscar usuarios' }).fill('Carla Paz')
    await choose(/Carla Paz/)
    await dialog.getByRole('textbox', { name: 'Add a few words' }).fill('Mira esto')
    await expect.element(send).toHaveTextContent('Send to 2')
    await send.click()
    await expect.element(dialog).not.toBeInTheDocument()
    await expect.element(toasts).toMatchTextContent('To 2 people')
    await expect
      .poll(() => api.callsOf(sendMessageOperation))
      .toMatchObject(
        [bea, carla].map(({ $id }) => ({
          conversationId: `to${$id}`,
          content: 'Mira esto',
          sharedPostId: post.$id,
        })),
      )
  })

test('SHARE-01 if a post cannot be sent to somebody, she stays selected in the dialog', async () => {
  await openDialog()
  api.answer(sendMessageOperation, () => refusal('database_timeout'))
  await choose(/Bea Ruiz/)
  await send.click()
  await expect.element(dialog.getByRole('alert')).toMatchTextContent('Not sent to Bea Ruiz')
  api.answer(sendMessageOperation, (input) => makeMessage({ content: input.content }))
  await send.click()
  await expect.element(dialog).not.toBeInTheDocument()
  const [first, second] = api.callsOf(sendMessageOperation)
  expect(second?.messageId).toBe(first?.messageId)
})

test('SHARE-02 SHARE-03 when ana shares a group’s post, the dialog shows who is not in the group', async () => {
  await openDialog(false)
  await expect.element(targets).toMatchTextContent('Not in this group')
})

test('SHARE-06 ana copies the link of a post, and Escape returns the focus to the button', async () => {
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  const post = await openDialog()
  await dialog.getByRole('button', { name: 'Copy link' }).click()
  await expect.element(toasts).toMatchTextContent('Link copied')
  expect(copied).toHaveBeenCalledWith(`${location.origin}/posts/${post.$id}`)
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(share).toHaveFocus()
  copied.mockRestore()
})
