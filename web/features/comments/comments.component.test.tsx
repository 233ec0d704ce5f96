import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import {
  type CommentThread,
  createCommentOperation,
  deleteCommentOperation,
  likeCommentOperation,
  listCommentsOperation,
  listRepliesOperation,
  updateCommentOperation,
} from '#contract/comments/comments.ts'
import type { OperationInput } from '#contract/operation.ts'
import { previewAudienceOperation } from '#contract/posts/audience-preview.ts'
import type { Post } from '#contract/posts/posts.ts'
import { emulateColorScheme, findAxeProblems } from '#tests/support/component/axe.ts'
import {
  makeComment,
  makePersonSummary,
  makePost,
  makeThread,
  newId,
} from '#tests/support/component/fixtures.ts'
import { countSockets, sendChange } from '#tests/support/component/live-socket.ts'
import { api, desktop, openApp, phone } from '#tests/support/component/open-app.tsx'
import { answerPostForm, answerPostPage } from '#tests/support/component/post-form.ts'

const ana = makePersonSummary({ name: 'Ana' })
const bea = makePersonSummary({ name: 'Bea Mar' })
const carla = makePersonSummary({ name: 'Carla Río' })
const box = page.getByRole('textbox', { name: 'Comment', exact: true })
const postButton = page.getByRole('button', { name: 'Post', exact: true })
const region = page.getByRole('region', { name: /comments?$/ })
const articles = region.getByRole('article')
const by = (name: string) => region.getByRole('article', { name: new RegExp(`^${name}, `) })
const sent = () => api.callsOf(createCommentOperation)
const countArticles = (count: number) => expect.poll(() => articles.elements().length).toBe(count)

function answerComments(threads: CommentThread[], posts: Post[]) {
  answerPostForm({ posts })
  answerPostPage()
  const rest = { earlier: 0, open: true, commentsFrom: 'everyone' as const }
  api.answer(listCommentsOperation, () => {
    const total = threads.reduce((sum, { replyCount }) => sum + 1 + replyCount, 0)
    return { documents: threads, next: null, total, ...rest }
  })
  const keep = ({ postId, content, parentId, commentId }: OperationInput<typeof createCommentOperation>) => {
    const given = {
      ...(commentId ? { $id: commentId } : {}),
      postId,
      content,
      author: ana,
      can: { edit: true, delete: true },
    }
    const thread = threads.find(
      ({ $id, replies }) => $id === parentId || replies.some((reply) => reply.$id === parentId),
    )
    const comment = makeComment({
      ...given,
      parentId: parentId ?? null,
      $createdAt: new Date().toISOString(),
    })
    if (thread) {
      thread.replies.push(comment)
      thread.replyCount += 1
    } else threads.push(makeThread(comment))
    return comment
  }
  api.answer(createCommentOperation, keep)
  return { keep, threads }
}

async function openComments(threads: CommentThread[] = [], options: Parameters<typeof openApp>[1] = {}) {
  const [post, other] = [makePost(), makePost()]
  const answered = answerComments(threads, [post, other])
  const opened = await openApp(`/posts/${post.$id}`, { me: ana, ...options })
  await expect.element(box).toBeVisible()
  return { ...answered, ...opened, post, other }
}

test('CMT-01 CMT-02 comments are listed oldest first, and ana’s own comment is shown before it is stored', async () => {
  await openComments([
    makeThread({ content: 'La primera', author: bea }),
    makeThread({ content: 'La segunda', author: carla }),
  ])
  await countArticles(2)
  await expect.element(articles.first()).toMatchTextContent('La primera')
  await expect.element(by('Carla Río')).toMatchTextContent('La segunda')
  await expect.element(postButton).toBeDisabled()
  for (const refused of ['  \n ', 'a'.repeat(1001)]) {
    await box.fill(refused)
    await expect.element(postButton).toBeDisabled()
  }
  const answer = api.hold(createCommentOperation)
  await box.fill('La de Ana')
  await userEvent.keyboard('{Shift>}{Enter}{/Shift}en dos líneas')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.element(articles.last()).toMatchTextContent(/La de Ana\s*en dos líneas/)
  await expect.element(region).toMatchTextContent('Posting…')
  await expect.element(box).toHaveValue('')
  answer.release()
  await expect.element(region).not.toMatchTextContent('Posting…')
  await expect.element(page.getByRole('link', { name: '3 comments' })).toBeVisible()
  expect(sent()).toMatchObject([{ content: 'La de Ana\nen dos líneas' }])
})

test('CMT-02 Enter posts a comment, but the Enter that ends an IME composition does not', async () => {
  await openComments()
  await box.fill('こんにちは')
  for (const composed of [{ isComposing: true }, { keyCode: 229 } as KeyboardEventInit])
    box
      .element()
      .dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...composed }),
      )
  await expect.element(box).toHaveValue('こんにちは')
  await userEvent.keyboard('{Enter}')
  await countArticles(1)
  await expect.element(box).toHaveValue('')
  expect(sent()).toMatchObject([{ content: 'こんにちは' }])
})

test('CMT-02 with an on-screen keyboard, Enter adds a line to the comment', async () => {
  const matches = matchMedia.bind(window)
  vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
    query === '(hover: none) and (pointer: coarse)' ? { ...matches(query), matches: true } : matches(query),
  )
  await openComments()
  await box.fill('Una')
  await userEvent.keyboard('{Enter}línea')
  await expect.element(box).toHaveValue('Una\nlínea')
  expect(sent()).toEqual([])
})

test('CMT-01 a post without comments says so', async () => {
  await openComments()
  await expect.element(region).toMatchTextContent('No comments yet. Be the first.')
})

test('CMT-03 a comment that cannot be posted keeps its text and is stored once when ana retries', async () => {
  const { keep, navigate, other, post } = await openComments()
  api.refuse(createCommentOperation, 500)
  await box.fill('No se pierde')
  await postButton.click()
  await expect.element(region).toMatchTextContent('Not posted')
  navigate(`/posts/${other.$id}`)
  await expect.element(region).toMatchTextContent('No comments yet.')
  navigate(`/posts/${post.$id}`)
  await expect.element(region).toMatchTextContent('No se pierde')
  await expect.element(region.getByRole('button', { name: 'Discard' })).toBeVisible()
  api.answer(createCommentOperation, keep)
  await region.getByRole('button', { name: 'Try again' }).click()
  await expect.element(region).not.toMatchTextContent('Not posted')
  await countArticles(1)
  const ids = sent().map(({ commentId }) => commentId)
  expect(new Set(ids).size).toBe(1)
})

test('CMT-03 the text of an unfinished comment is kept for its own post', async () => {
  const { navigate, other, post } = await openComments()
  await box.fill('A medias')
  navigate(`/posts/${other.$id}`)
  await expect.element(box).toHaveValue('')
  navigate(`/posts/${post.$id}`)
  await expect.element(box).toHaveValue('A medias')
})

/** The thread is by Bea. Three of Carla's eight replies are loaded. */
function makeLongThread() {
  const thread = makeThread({ content: '¿Quién viene?', author: bea, replyCount: 8 })
  const replies = Array.from({ length: 8 }, (_, at) =>
    makeComment({ content: `Respuesta ${at + 1}`, author: carla, parentId: thread.$id }),
  )
  thread.replies = replies.slice(0, 3)
  return { thread, replies }
}

test('CMT-04 ana replies to a reply by mentioning its author, and her text appears in the same thread', async () => {
  const { thread, replies } = makeLongThread()
  await openComments([thread])
  api.answer(listRepliesOperation, () => ({
    documents: [...replies, ...thread.replies.slice(3)],
    next: null,
  }))
  await countArticles(4)
  await by('Carla Río').first().getByRole('button', { name: 'Reply' }).click()
  await expect.element(page.getByText('Replying to Carla Río')).toBeVisible()
  await expect.element(box).toHaveValue(`@${carla.username} `)
  const content = `@${carla.username} yo también`
  await box.fill(content)
  await postButton.click()
  await expect.element(by('Ana').last()).toMatchTextContent('yo también')
  expect(sent()).toMatchObject([{ parentId: replies[0]?.$id, content }])
})

test('CMT-04 three of eight replies are shown, and a button loads the others', async () => {
  const { thread, replies } = makeLongThread()
  await openComments([thread])
  api.answer(listRepliesOperation, { documents: replies, next: null })
  await countArticles(4)
  await region.getByRole('button', { name: 'Show 5 more replies' }).click()
  await countArticles(9)
})

for (const size of [desktop, phone])
  test(`CMT-04 at ${size.width} px ana's reply to the first of many comments scrolls into view`, async () => {
    const threads = Array.from({ length: 15 }, (_, at) =>
      makeThread({ content: `Comentario ${at}`, author: bea }),
    )
    await openComments(threads, { size })
    await countArticles(15)
    await by('Bea Mar').first().getByRole('button', { name: 'Reply' }).click()
    await box.fill('A la primera')
    await postButton.click()
    await expect.element(by('Ana')).toMatchTextContent('A la primera')
    await expect.element(by('Ana')).toBeInViewport({ ratio: 1 })
    await expect.element(box).toHaveFocus()
  })

test('CMT-05 a button loads earlier comments above the newest ones', async () => {
  const threads = Array.from({ length: 25 }, (_, at) =>
    makeThread({ content: `Comentario ${at + 1}.`, author: bea }),
  )
  const next = newId()
  answerComments([], [])
  const rest = { total: 25, open: true, commentsFrom: 'everyone' as const }
  const post = makePost()
  answerPostForm({ posts: [post] })
  api.answer(listCommentsOperation, ({ before }) =>
    before === next
      ? { documents: threads.slice(0, 5), next: null, earlier: 0, ...rest }
      : { documents: threads.slice(5), next, earlier: 5, ...rest },
  )
  await openApp(`/posts/${post.$id}`, { me: ana })
  await countArticles(20)
  await region.getByRole('button', { name: 'Show earlier comments (5)' }).click()
  await countArticles(25)
  for (const at of [0, 4, 5, 24])
    await expect.element(articles.nth(at)).toMatchTextContent(`Comentario ${at + 1}.`)
})

test('CMT-13 ana confirms before removing a comment with its replies from her post', async () => {
  const thread = makeThread({ content: 'Para todas', author: carla, can: { edit: false, delete: true } })
  thread.replies = ['Una', 'Dos', 'Tres'].map((content) =>
    makeComment({ content, author: carla, parentId: thread.$id }),
  )
  thread.replyCount = 3
  const { threads } = await openComments([thread])
  api.answer(deleteCommentOperation, () => void threads.splice(0))
  await by('Carla Río').first().getByRole('button', { name: 'Remove' }).click()
  const question = page.getByRole('alertdialog', { name: 'Remove this comment and its 3 replies?' })
  await question.getByRole('button', { name: 'Keep' }).click()
  await countArticles(4)
  await by('Carla Río').first().getByRole('button', { name: 'Remove' }).click()
  await question.getByRole('button', { name: 'Remove' }).click()
  await countArticles(0)
  await expect.poll(() => api.callsOf(deleteCommentOperation)).toEqual([{ commentId: thread.$id }])
})

test('CMT-17 CMT-18 ana likes a comment once, and edits and deletes her own', async () => {
  const own = makeThread({ content: 'Con faltas', author: ana, can: { edit: true, delete: true } })
  const { threads } = await openComments([makeThread({ content: 'Qué alegría', author: bea }), own])
  api.answer(likeCommentOperation, () => {
    const state = { liked: true, likeCount: 1 }
    threads[0] = { ...(threads[0] as CommentThread), ...state }
    return state
  })
  api.answer(updateCommentOperation, ({ content }) => {
    threads[1] = { ...own, content, edited: true }
    return makeComment(threads[1])
  })
  api.answer(deleteCommentOperation, () => void threads.splice(1))
  await by('Bea Mar').getByRole('button', { name: 'Like, 0 likes' }).click()
  await expect
    .element(by('Bea Mar').getByRole('button', { name: 'Like, 1 like' }))
    .toHaveAttribute('aria-pressed', 'true')
  await expect.poll(() => api.callsOf(likeCommentOperation)).toHaveLength(1)
  await by('Ana').getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'Edit comment' }).fill('Sin faltas')
  await page.getByRole('button', { name: 'Save', exact: true }).first().click()
  await expect.element(by('Ana')).toMatchTextContent('Sin faltas')
  await expect.element(by('Ana')).toMatchTextContent('Edited')
  await expect.element(by('Ana').getByRole('button', { name: 'Edit' })).toHaveFocus()
  await by('Ana').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect.element(by('Ana')).not.toBeInTheDocument()
  await expect.element(page.getByRole('heading', { name: /^\d+ comments?$/ })).toHaveFocus()
})

test('CMT-19 a comment refused by the rate limit stays in the box', async () => {
  await openComments()
  api.refuse(createCommentOperation, 'general_rate_limit_exceeded')
  await box.fill('Muy rápido')
  await postButton.click()
  await expect.element(page.getByText('Too fast. Try again in a moment.')).toBeVisible()
  await expect.element(box).toHaveValue('Muy rápido')
})

test('CMT-01 after comments fail to load, ana loads them with Try again', async () => {
  const post = makePost()
  answerComments([], [post])
  api.refuse(listCommentsOperation, 'general_cursor_not_found')
  await openApp(`/posts/${post.$id}`, { me: ana })
  await expect.element(region.getByRole('alert')).toMatchTextContent('We couldn’t load the comments.')
  answerComments([makeThread({ content: 'Aquí está', author: bea })], [post])
  await region.getByRole('button', { name: 'Try again' }).click()
  await expect.element(by('Bea Mar')).toMatchTextContent('Aquí está')
})

test('CMT-16 the comment count on a card of Home changes when comments are added and deleted', async () => {
  const post = makePost()
  const { feed } = answerPostForm({ posts: [post] })
  await openApp('/', { me: ana, live: true })
  const count = (name: string) => page.getByRole('link', { name, exact: true })
  await expect.element(count('0 comments')).toBeVisible()
  await expect.poll(countSockets).toBe(1)
  const document = { $id: post.$id, creatorId: null, groupId: null }
  for (const [commentCount, name] of [
    [1, '1 comment'],
    [0, '0 comments'],
  ] as const) {
    feed[0] = { ...post, commentCount }
    sendChange({ collection: 'posts', kind: 'update', document })
    await expect.element(count(name)).toBeVisible()
  }
})

test('CMT-13 ana deletes a “Comment removed” placeholder from her post', async () => {
  const threads = [
    makeThread({
      $createdAt: null,
      author: null,
      content: '',
      removed: true,
      can: { edit: false, delete: true },
    }),
  ]
  await openComments(threads)
  api.answer(deleteCommentOperation, () => void threads.splice(0))
  await expect.element(region).toMatchTextContent('Comment removed')
  await region.getByRole('button', { name: 'Remove' }).click()
  await page
    .getByRole('alertdialog', { name: 'Remove this comment?' })
    .getByRole('button', { name: 'Remove' })
    .click()
  await expect.element(region).toMatchTextContent('No comments yet.')
  await expect.poll(() => api.callsOf(deleteCommentOperation)).toHaveLength(1)
})

for (const size of [desktop, phone])
  for (const scheme of ['light', 'dark'] as const)
    test(`CMT-20 axe finds no problems in comments at ${size.width} px in ${scheme} colours, even while ana writes, edits or chooses who may comment`, async () => {
      await emulateColorScheme(scheme)
      const own = { author: ana, can: { edit: true, delete: true } }
      const threads = [
        makeThread({
          author: makePersonSummary({ name: 'Bea de nombre largo '.repeat(5) }),
          content: `${'palabra '.repeat(60)}${'x'.repeat(200)}`,
          replies: [makeComment({ content: 'Gracias', ...own })],
          replyCount: 1,
        }),
        makeThread({ $createdAt: null, author: null, content: '', removed: true }),
      ]
      const post = makePost({ creator: ana, can: { edit: true, delete: true } })
      answerComments(threads, [post])
      api.answer(previewAudienceOperation, {
        kind: 'everyone',
        count: 3,
        rounded: false,
        faces: [],
        group: null,
      })
      await openApp(`/posts/${post.$id}`, { me: ana, size })
      await expect.element(region).toMatchTextContent('Comment removed')
      await expect.element(box).toBeVisible()
      expect(await findAxeProblems()).toEqual([])
      expect(document.documentElement.scrollWidth).toBe(document.documentElement.clientWidth)
      await region.getByRole('button', { name: 'Reply' }).first().click()
      await by('Ana').first().getByRole('button', { name: 'Edit' }).click()
      await expect.element(page.getByRole('textbox', { name: 'Edit comment' })).toHaveFocus()
      expect(await findAxeProblems()).toEqual([])
      await page.getByRole('button', { name: 'Everyone can comment' }).click()
      await expect.element(page.getByRole('dialog', { name: 'Who can comment' })).toBeVisible()
      expect(await findAxeProblems()).toEqual([])
    })
