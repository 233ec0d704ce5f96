import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import {
  type CommentThread,
  createCommentOperation,
  listCommentsOperation,
  updateCommentOperation,
} from '#contract/comments/comments.ts'
import { listMentionablePeopleOperation } from '#contract/comments/mentions.ts'
import { getPersonOperation } from '#contract/people/people.ts'
import { getHomeFeedOperation } from '#contract/posts/posts.ts'
import { findAxeProblems } from '#tests/support/component/axe.ts'
import {
  makeComment,
  makePersonSummary,
  makePost,
  makeProfile,
  makeThread,
} from '#tests/support/component/fixtures.ts'
import { api, desktop, openApp, phone } from '#tests/support/component/open-app.tsx'
import {
  answerPostForm,
  answerPostPage,
  caption,
  openPostForm,
  pathname,
} from '#tests/support/component/post-form.ts'

const ana = makePersonSummary({ name: 'Ana' })
const bea = makePersonSummary({ name: 'Bea Sol' })
const berta = makePersonSummary({ name: 'Berta Zafra' })
const box = page.getByRole('textbox', { name: 'Comment', exact: true })
const list = page.getByRole('listbox', { name: 'People' })
const chosen = list.getByRole('option', { selected: true })

function suggest() {
  api.answer(listMentionablePeopleOperation, ({ term }) => ({
    documents: [bea, berta].filter(({ name, username }) =>
      `${username} ${name.toLowerCase()}`.includes(term.toLowerCase()),
    ),
  }))
}

const answerComments = (documents: CommentThread[]) =>
  api.answer(listCommentsOperation, () => ({
    documents,
    next: null,
    earlier: 0,
    total: documents.length,
    open: true,
    commentsFrom: 'everyone' as const,
  }))

async function openPost(given: Parameters<typeof openApp>[1] = {}) {
  const post = makePost()
  answerPostForm({ posts: [post] })
  answerPostPage()
  suggest()
  const threads: CommentThread[] = []
  answerComments(threads)
  api.answer(createCommentOperation, ({ content, commentId }) => {
    const mentions = content.includes(`@${bea.username}`) ? [{ $id: bea.$id, username: bea.username }] : []
    const comment = makeComment({
      ...(commentId ? { $id: commentId } : {}),
      postId: post.$id,
      content,
      author: ana,
      mentions,
    })
    threads.push(makeThread(comment))
    return comment
  })
  await openApp(`/posts/${post.$id}`, { me: ana, ...given })
  await expect.element(box).toBeVisible()
  return post
}

const write = async (text: string) => {
  ;(box.element() as HTMLElement).focus()
  await userEvent.keyboard(text)
}

for (const size of [desktop, phone])
  test(`MEN-01 at ${size.width} px an @ and a letter suggest members; arrows select, Enter inserts and Escape closes`, async () => {
    await openPost({ size })
    await write('hola @')
    expect(list.elements()).toEqual([])
    await write('be')
    await expect.element(list.getByRole('option').first()).toMatchTextContent(bea.username)
    await expect.element(chosen).toMatchTextContent(bea.username)
    const active = () => document.getElementById(box.element().getAttribute('aria-activedescendant') ?? '')
    expect(active()?.textContent).toContain(bea.username)
    await expect.element(chosen).toBeInViewport({ ratio: 1 })
    expect(await findAxeProblems()).toEqual([])

    await userEvent.keyboard('{ArrowUp}')
    await expect.element(chosen).toMatchTextContent(berta.username)
    await userEvent.keyboard('{ArrowDown}')
    await expect.element(chosen).toMatchTextContent(bea.username)
    await userEvent.keyboard('{Escape}')
    await expect.element(list).not.toBeInTheDocument()
    await expect.element(box).toHaveValue('hola @be')
    await userEvent.keyboard('{Shift>}{Enter}{/Shift}@zafra')
    await expect.element(chosen).toMatchTextContent(berta.username)
    await userEvent.keyboard('{Enter}')
    await expect.element(box).toHaveValue(`hola @be\n@${berta.username} `)
    await userEvent.keyboard('mira')
    expect(list.elements()).toEqual([])

    await box.fill('')
    await write(`@${bea.username.slice(0, 5)}`)
    await list.getByRole('option').filter({ hasText: bea.username }).click()
    await expect.element(box).toHaveFocus()
    await expect.element(box).toHaveValue(`@${bea.username} `)
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    await expect
      .element(page.getByRole('article').getByRole('link', { name: `@${bea.username}` }))
      .toBeVisible()
  })

test('MEN-01 Ctrl+Z undoes an inserted mention, and Ctrl+Y restores it', async () => {
  await openPost()
  await write(`hola @${bea.username.slice(0, 4)}`)
  await expect.element(chosen).toMatchTextContent(bea.username)
  await userEvent.keyboard('{Enter}')
  await expect.element(box).toHaveValue(`hola @${bea.username} `)
  await userEvent.keyboard('{Control>}z{/Control}')
  await expect.element(box).toHaveValue(`hola @${bea.username.slice(0, 4)}`)
  await userEvent.keyboard('{Control>}y{/Control}')
  await expect.element(box).toHaveValue(`hola @${bea.username} `)
})

test('MEN-01 a caption suggests members, and Tab inserts the selected one', async () => {
  await openPostForm()
  suggest()
  await caption.click()
  await userEvent.keyboard(`con @${bea.username.slice(0, 4)}`)
  await expect.element(chosen).toMatchTextContent(bea.username)
  await userEvent.tab()
  await expect.element(caption).toHaveFocus()
  await expect.element(caption).toHaveValue(`con @${bea.username} `)
  await userEvent.keyboard('hoy')
  await expect.element(caption).toHaveValue(`con @${bea.username} hoy`)
  expect(await findAxeProblems()).toEqual([])
})

test('MEN-01 editing a comment suggests members', async () => {
  const post = makePost()
  answerPostForm({ posts: [post] })
  answerPostPage()
  suggest()
  const own = makeThread({ content: 'hola', author: ana, can: { edit: true, delete: true } })
  answerComments([own])
  api.answer(updateCommentOperation, ({ content }) => ({ ...own, content }))
  await openApp(`/posts/${post.$id}`, { me: ana })
  await page
    .getByRole('article', { name: /^Ana, / })
    .getByRole('button', { name: 'Edit' })
    .click()
  const edit = page.getByRole('textbox', { name: 'Edit comment' })
  await expect.element(edit).toHaveFocus()
  await userEvent.keyboard(`{End} @${bea.username.slice(0, 4)}`)
  await list.getByRole('option').filter({ hasText: bea.username }).click()
  await expect.element(edit).toHaveValue(`hola @${bea.username} `)
})

test('MEN-01 if suggestions fail, ana can still type the name herself', async () => {
  await openPost()
  api.refuse(listMentionablePeopleOperation, 500)
  await write(`@${bea.username}`)
  await expect.poll(() => api.callsOf(listMentionablePeopleOperation).length).toBeGreaterThan(0)
  expect(list.elements()).toEqual([])
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect
    .element(page.getByRole('article').getByRole('link', { name: `@${bea.username}` }))
    .toBeVisible()
})

test("MEN-01 a mention in a caption on a card links to the member's profile", async () => {
  const words = `El horno, con @${bea.username}. Y @nadie.`
  answerPostForm()
  answerPostPage()
  const post = makePost({ caption: words, mentions: [{ $id: bea.$id, username: bea.username }] })
  api.answer(getHomeFeedOperation, { documents: [post], next: null })
  api.answer(getPersonOperation, makeProfile(bea))
  await openApp('/', { me: ana })
  const card = page.getByRole('main').getByRole('article').filter({ hasText: 'El horno' })
  await expect.element(card).toMatchTextContent(words)
  expect(card.getByRole('link', { name: '@nadie', exact: true }).elements()).toEqual([])
  await card.getByRole('link', { name: `@${bea.username}`, exact: true }).click()
  await expect.poll(pathname).toBe(`/profile/${bea.$id}`)
})
