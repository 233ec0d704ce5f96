import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { listCommentsOperation } from '#contract/comments/comments.ts'
import { takePostsOutOfGroupOperation } from '#contract/groups/group-members.ts'
import {
  deletePostOperation,
  getPostOperation,
  likePostOperation,
  listLikersOperation,
  listPersonPostsOperation,
  type Post,
  savePostOperation,
  takePostOutOfGroupOperation,
  unlikePostOperation,
} from '#contract/posts/posts.ts'
import { listSimilarPostsOperation } from '#contract/posts/posts-by-tag-or-place.ts'
import { refusal } from '#tests/support/component/fake-api.ts'
import {
  makePerson,
  makePersonSummary,
  makePost,
  makeProfile,
  newId,
} from '#tests/support/component/fixtures.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'
import { answerPostForm, answerPostPage, pathname, toasts } from '#tests/support/component/post-form.ts'

const main = page.getByRole('main')
const article = main.getByRole('article').first()
const back = main.getByRole('button', { name: 'Back' })
const like = main.getByRole('button', { name: /^Like, / })
const save = main.getByRole('button', { name: 'Save', exact: true })
const related = main.getByRole('region', { name: 'More Related Posts' })
const removal = main.getByRole('button', { name: 'Delete post' })
const dialog = page.getByRole('alertdialog', { name: 'Delete this post?' })
const failure = toasts.getByText('Something went wrong. Please try again.')
const own = { edit: true, delete: true }

async function openPost(post: Post = makePost(), others: Post[] = []) {
  const answered = answerPostForm({ posts: [post, ...others] })
  answerPostPage()
  const opened = await openApp(`/posts/${post.$id}`)
  await expect.element(article).toBeVisible()
  return { ...answered, ...opened, post }
}

function keepLikes() {
  api.answer(likePostOperation, { liked: true, likeCount: 1 })
  api.answer(unlikePostOperation, { liked: false, likeCount: 0 })
}

test('PDET-02 PDET-03 PDET-04 PDET-05 PDET-06 PDET-07 PDET-08 PDET-09 PDET-10 the page shows the whole post, without edit and delete buttons for other members', async () => {
  const creator = makePersonSummary({ name: 'Bea Ortiz' })
  const caption = `Primera línea\nsegunda línea ${'con palabras '.repeat(30)}`.trim()
  const { post } = await openPost(makePost({ creator, caption, location: 'Oaxaca', tags: ['sol', 'mar'] }))
  await expect.poll(() => document.title).toBe('Post by Bea Ortiz · Juntas')
  await expect.element(main.getByRole('heading', { level: 1 })).toHaveTextContent('Post by Bea Ortiz')
  const links = article.getByRole('link', { name: 'Bea Ortiz' }).elements()
  expect(links.length).toBeGreaterThan(0)
  for (const link of links) expect(link.getAttribute('href')).toBe(`/profile/${creator.$id}`)
  await expect.element(article.getByRole('time').first()).toHaveAttribute('datetime', post.$createdAt)
  await expect.element(article.getByText('Oaxaca')).toBeVisible()
  expect(
    article
      .getByText(/^Primera línea/)
      .last()
      .element().textContent,
  ).toBe(caption)
  for (const tag of ['#sol', '#mar']) await expect.element(article.getByText(tag)).toBeVisible()
  await expect.element(like).toHaveAccessibleName('Like, 0 likes')
  await expect.element(save).toBeVisible()
  expect(main.getByRole('link', { name: 'Edit post' }).elements()).toEqual([])
  expect(removal.elements()).toEqual([])
})

test('PDET-14 PDET-15 PDET-16 below a post are its author’s other posts, if there are any', async () => {
  const { navigate, post } = await openPost()
  expect(main.getByRole('heading', { name: 'More Related Posts' }).elements()).toEqual([])
  await expect.poll(() => api.callsOf(listPersonPostsOperation)[0]).toMatchObject({ except: post.$id })
  const others = ['La tercera', 'La segunda'].map((caption) => makePost({ caption, creator: post.creator }))
  const [third] = others
  answerPostForm({ posts: [post, ...others] })
  api.answer(listPersonPostsOperation, ({ except }) => ({
    documents: except === third?.$id ? [post] : others,
    next: null,
  }))
  navigate(`/posts/${others[1]?.$id}`)
  await expect.poll(() => related.getByRole('link').elements().length).toBe(2)
  const hrefs = related
    .getByRole('link')
    .elements()
    .map((link) => link.getAttribute('href'))
  expect(hrefs).toEqual(others.map(({ $id }) => `/posts/${$id}`))
  ;(related.getByRole('link').first().element() as HTMLElement).click()
  await expect.element(article).toMatchTextContent('La tercera')
})

test('PDET-01 Back leads to Explore if the post is the first page of the visit', async () => {
  await openPost()
  await back.click()
  await expect.poll(pathname).toBe('/explore')
})

test('PDET-01 Back leads to the previous page', async () => {
  const post = makePost()
  answerPostForm({ posts: [post] })
  answerPostPage()
  await openApp('/')
  await expect.element(article).toBeVisible()
  article.element().querySelector<HTMLElement>(`a[href="/posts/${post.$id}"]`)?.click()
  await back.click()
  await expect.poll(pathname).toBe('/')
})

test('PDET-17 SAV-08 a post of a group that ana is not in shows a refusal in Spanish', async () => {
  answerPostPage()
  api.refuse(listCommentsOperation, 'group_membership_required')
  api.refuse(listSimilarPostsOperation, 'document_not_found')
  api.refuse(getPostOperation, 'group_membership_required')
  await openApp('/posts/secreto')
  const said = main.getByRole('heading', { name: 'No tienes acceso a los posts de este grupo' })
  await expect.element(said).toBeVisible()
  expect(said.element().closest('[lang]')?.getAttribute('lang')).toBe('es')
})

test('PDET-17 a post of ana’s group links to the group', async () => {
  const group = { $id: 'ceramica', name: 'Club de Cerámica' }
  await openPost(makePost({ groupId: group.$id, group }))
  await expect
    .element(main.getByRole('link', { name: `Posted in ${group.name}` }))
    .toHaveAttribute('href', `/groups/${group.$id}`)
})

test('PDET-18 a missing post shows “Post not found”', async () => {
  answerPostForm()
  answerPostPage()
  const { navigate } = await openApp('/posts/nope')
  await expect.element(main.getByRole('heading', { name: 'Post not found' })).toBeVisible()
  navigate(`/posts/${encodeURIComponent('not an id!')}`)
  await expect.element(main.getByRole('heading', { name: 'Post not found' })).toBeVisible()
})

test('PDET-19 while a post loads a placeholder is shown, and a failure can be retried', async () => {
  const post = makePost()
  answerPostForm({ posts: [post] })
  answerPostPage()
  const { navigate } = await openApp('/')
  await expect.element(article).toBeVisible()
  const other = makePost()
  const answer = api.hold(getPostOperation)
  api.refuse(getPostOperation, 500)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  navigate(`/posts/${other.$id}`)
  await expect.poll(() => document.querySelectorAll('main [aria-busy=true]').length).toBeGreaterThan(0)
  answer.release()
  const failed = main.getByText('We couldn’t load this.')
  await expect
    .poll(() => {
      vi.advanceTimersByTime(4000)
      return failed.elements().length
    })
    .toBe(1)
  vi.useRealTimers()
  api.answer(getPostOperation, other)
  await main.getByRole('button', { name: 'Try again' }).click()
  await expect.element(article).toBeVisible()
})

test('PDET-11 PDET-12 ana confirms before her post is deleted, and then leaves its page', async () => {
  const { feed } = await openPost(makePost({ can: own }))
  api.answer(deletePostOperation, () => void feed.splice(0))
  await removal.click()
  await expect.element(dialog.getByRole('button', { name: 'Keep post' })).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(removal).toHaveFocus()
  expect(api.callsOf(deletePostOperation)).toEqual([])
  await removal.click()
  await dialog.getByRole('button', { name: 'Delete post' }).click()
  await expect.poll(pathname).not.toContain('/posts/')
  await expect.poll(() => api.callsOf(deletePostOperation)).toHaveLength(1)
})

test('PDET-11 PERM-03 a refused deletion says so and leaves the post', async () => {
  const { post } = await openPost(makePost({ can: own }))
  api.refuse(deletePostOperation, 500)
  await removal.click()
  await dialog.getByRole('button', { name: 'Delete post' }).click()
  await expect.element(failure).toBeVisible()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.poll(() => pathname()).toBe(`/posts/${post.$id}`)
})

test('LIKE-02 LIKE-03 LIKE-04 LIKE-12 CARD-11 a like is shown before it is stored, and ana can unlike', async () => {
  await openPost()
  keepLikes()
  const answer = api.hold(likePostOperation)
  await like.click()
  await answer.arrived
  await expect.element(like).toHaveAttribute('aria-pressed', 'true')
  await expect.element(like).toHaveAccessibleName('Like, 1 like')
  answer.release()
  await like.click()
  await expect.element(like).toHaveAccessibleName('Like, 0 likes')
  await expect.poll(() => api.callsOf(unlikePostOperation).length).toBe(1)
})

for (const presses of [2, 3])
  test(`LIKE-11 after ${presses} fast presses, screen and server match the last press, with one request at a time`, async () => {
    await openPost()
    let [underWay, most, liked] = [0, 0, false]
    const set = (state: boolean) => async () => {
      underWay += 1
      most = Math.max(most, underWay)
      await new Promise<void>((done) => requestAnimationFrame(() => done()))
      underWay -= 1
      liked = state
      return { liked, likeCount: liked ? 1 : 0 }
    }
    api.answer(likePostOperation, set(true))
    api.answer(unlikePostOperation, set(false))
    const wanted = presses % 2 === 1
    for (let press = 0; press < presses; press += 1) await like.click()
    await expect.element(like).toHaveAttribute('aria-pressed', String(wanted))
    await expect.poll(() => [liked, underWay]).toEqual([wanted, 0])
    await expect.element(like).toHaveAccessibleName(wanted ? 'Like, 1 like' : 'Like, 0 likes')
    expect(most).toBe(1)
  })

test('LIKE-06 LIKE-09 a refused like and a refused save are undone with a toast', async () => {
  await openPost()
  api.refuse(likePostOperation, 500)
  api.refuse(savePostOperation, 500)
  await like.click()
  await expect.element(toasts.getByText('Error', { exact: true })).toBeVisible()
  await expect.element(failure).toBeVisible()
  await expect.element(like).toHaveAttribute('aria-pressed', 'false')
  await expect.element(like).toHaveAccessibleName('Like, 0 likes')
  await save.click()
  await expect.poll(() => api.callsOf(savePostOperation).length).toBe(1)
  await expect.element(save).toHaveAttribute('aria-pressed', 'false')
})

test('LIKE-06 LIKE-09 saving a post that was deleted elsewhere removes it from its page', async () => {
  await openPost()
  api.answer(savePostOperation, () => refusal('document_not_found'))
  api.answer(getPostOperation, () => refusal('document_not_found'))
  await save.click()
  await expect.element(toasts.getByText('Post not found')).toBeVisible()
  await expect.element(main.getByRole('heading', { name: 'Post not found' })).toBeVisible()
})

test('LIKE-06 liking a post that was deleted elsewhere removes it from Home', async () => {
  const [kept, gone] = [makePost({ caption: 'La que queda' }), makePost({ caption: 'La que se fue' })]
  const { feed } = answerPostForm({ posts: [gone, kept] })
  await openApp('/')
  const card = ({ caption }: Post) => main.getByRole('article').filter({ hasText: caption })
  await expect.element(card(kept)).toBeVisible()
  feed.shift()
  api.answer(likePostOperation, () => refusal('document_not_found'))
  await card(gone)
    .getByRole('button', { name: /^Like, / })
    .click()
  await expect.element(toasts.getByText('Post not found')).toBeVisible()
  await expect.element(card(gone)).not.toBeInTheDocument()
  await expect.element(card(kept)).toBeVisible()
})

test('LIKE-02 CARD-11 ana likes and saves a card on Home by keyboard, and the post page shows both', async () => {
  const post = makePost()
  const { feed } = answerPostForm({ posts: [post] })
  answerPostPage()
  api.answer(likePostOperation, () => {
    feed[0] = { ...post, liked: true, likeCount: 1 }
    return { liked: true, likeCount: 1 }
  })
  api.answer(savePostOperation, () => {
    feed[0] = { ...post, liked: true, likeCount: 1, saved: true }
    return { saved: true }
  })
  const { navigate } = await openApp('/')
  await expect.element(like).toBeVisible()
  ;(like.element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(like).toHaveAccessibleName('Like, 1 like')
  for (const next of [
    main.getByRole('link', { name: '0 comments' }),
    main.getByRole('button', { name: 'Share', exact: true }),
    save,
  ]) {
    await userEvent.tab()
    await expect.element(next).toHaveFocus()
  }
  await userEvent.keyboard(' ')
  await expect.element(save).toHaveAttribute('aria-pressed', 'true')
  navigate(`/posts/${post.$id}`)
  await expect.poll(pathname).toBe(`/posts/${post.$id}`)
  await expect.element(like).toHaveAttribute('aria-pressed', 'true')
  await expect.element(save).toHaveAttribute('aria-pressed', 'true')
})

test('LIKE-14 an offline like or save shows a message and is undone', async () => {
  await openPost()
  const said = toasts.getByText('You’re offline. Please try again when you’re back online.')
  api.goOffline()
  await like.click()
  await expect.element(said).toBeVisible()
  await expect.element(like).toHaveAccessibleName('Like, 0 likes')
  await toasts.getByRole('button', { name: 'Close' }).click()
  await expect.element(said).not.toBeInTheDocument()
  await save.click()
  await expect.element(said).toBeVisible()
  await expect.element(save).toHaveAttribute('aria-pressed', 'false')
})

test('LIKE-13 the members who like a post are listed in a dialog, and ana cannot follow herself there', async () => {
  const [me, carla] = [makeProfile({ name: 'Ana' }), makePerson({ name: 'Carla' })]
  const post = makePost()
  answerPostForm({ posts: [post] })
  answerPostPage()
  keepLikes()
  api.answer(listLikersOperation, { documents: [carla, me], next: null })
  await openApp(`/posts/${post.$id}`, { me })
  await expect.element(like).toHaveAccessibleName('Like, 0 likes')
  const likers = main.getByRole('link', { name: 'Who likes this' })
  expect(likers.elements()).toEqual([])
  await like.click()
  await likers.click()
  const rows = page.getByRole('dialog', { name: 'Likes' }).getByRole('listitem')
  await expect.poll(() => rows.elements().length).toBe(2)
  await expect.element(rows.first()).toMatchTextContent('@carla')
  await expect.element(rows.first().getByRole('button', { name: 'Follow' })).toBeEnabled()
  await expect.element(rows.last()).toMatchTextContent('@ana')
  await expect.element(rows.last().getByRole('button', { name: 'Follow' })).toBeDisabled()
  await userEvent.keyboard('{Escape}')
  await expect.element(likers).toHaveFocus()
})

test('LIKE-13 GEN-03 outside a group, the likes of its post do not open, and the server’s Spanish message is marked as Spanish', async () => {
  const post = makePost()
  answerPostForm()
  answerPostPage()
  api.refuse(getPostOperation, 'group_membership_required')
  await openApp(`/posts/${post.$id}?list=likers`)
  const sentence = main.getByText('No tienes acceso a los posts de este grupo')
  await expect.element(sentence).toBeVisible()
  expect(sentence.element().closest('[lang]')?.getAttribute('lang')).toBe('es')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  expect(api.callsOf(listLikersOperation)).toEqual([])
})

test('EXIT-09 after leaving a group, ana removes one of her posts from it, and then all of them', async () => {
  const group = { $id: newId('group'), name: 'Costura' }
  const left = { group, groupId: group.$id, can: { ...own, takeAlong: true as const } }
  const [one, other] = [makePost(left), makePost(left)]
  const hidden = { by: 'author', reason: null, caseId: null, can: { appeal: false } } as const
  const { feed, navigate } = await openPost(one, [other])
  const takeOut = ({ $id }: Post) => {
    const at = feed.findIndex((post) => post.$id === $id)
    feed[at] = { ...(feed[at] as Post), group: null, groupId: null, can: own, hidden }
    return feed[at]
  }
  api.answer(takePostOutOfGroupOperation, () => takeOut(one))
  api.answer(takePostsOutOfGroupOperation, () => {
    takeOut(other)
    return { taken: 1 }
  })
  const take = (name: string) => main.getByRole('button', { name, exact: true })
  const question = page.getByRole('alertdialog')
  const notice = main.getByRole('region', { name: 'Only you see this post' })
  await take('Remove from the group').click()
  await expect.element(question).toHaveAccessibleName('Remove this post from Costura?')
  await question.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect.element(notice).toBeVisible()
  await expect.element(take('Remove from the group')).not.toBeInTheDocument()
  await expect.poll(() => api.callsOf(takePostOutOfGroupOperation)).toMatchObject([{ postId: one.$id }])

  navigate(`/posts/${other.$id}`)
  await take('Remove all my posts from Costura').click()
  await question.getByRole('button', { name: 'Remove all' }).click()
  await expect.element(notice).toBeVisible()
  await expect.poll(() => api.callsOf(takePostsOutOfGroupOperation)).toMatchObject([{ groupId: group.$id }])
})
