import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { openConversationOperation } from '#contract/chat/conversations.ts'
import {
  followOperation,
  listFollowersOperation,
  listFollowingOperation,
  type Profile,
  removeFollowerOperation,
  unfollowOperation,
  updateProfileOperation,
} from '#contract/people/people.ts'
import { listLikedPostsOperation } from '#contract/posts/posts.ts'
import { answerChat, conversationWith } from '#tests/support/component/chat.ts'
import { refusal } from '#tests/support/component/fake-api.ts'
import { makePost, makeProfile, newId } from '#tests/support/component/fixtures.ts'
import { api, openApp, phone } from '#tests/support/component/open-app.tsx'
import {
  ana,
  answerPeople,
  answerPersonMenu,
  dialog,
  inPages,
  main,
  makePrivateProfile,
  question,
  title,
  toasts,
} from '#tests/support/component/people.ts'
import { passQueryRetries } from '#tests/support/component/query-retries.ts'

const button = (name: string) => main.getByRole('button', { name, exact: true })
const link = (name: string) => main.getByRole('link', { name, exact: true })
const rows = (name: string) => dialog(name).getByRole('listitem')
const texts = (role: 'term' | 'definition') =>
  main
    .getByRole(role)
    .elements()
    .map(({ textContent }) => textContent)
const address = () => location.pathname + location.search

const openProfile = (person: Profile, options: Parameters<typeof openApp>[1] = {}) =>
  openApp(`/profile/${person.$id}`, { me: ana, ...options })

test("PROF-01 bea's profile shows every text that she can write in her form", async () => {
  const names = Object.keys(updateProfileOperation.input.shape).filter((name) => !name.endsWith('Id'))
  const bea = makeProfile(Object.fromEntries(names.map((name) => [name, `Her ${name}`])))
  answerPeople([bea])
  await openProfile(bea)
  for (const name of names) await expect.element(main.getByText(`Her ${name}`, { exact: true })).toBeVisible()
})

test("PROF-01 PROF-02 PROF-03 PROF-04 PROF-10 bea's profile shows her details, and its follow counts update immediately", async () => {
  const bio = 'Primera línea\nsegunda línea'
  const bea = makeProfile({ name: 'Bea Ortiz', username: 'bea', bio, postCount: 2 })
  const posts = ['La segunda', 'La primera'].map((caption) => makePost({ creator: bea, caption }))
  answerPeople([bea], posts)
  await openProfile(bea)
  await expect.element(title).toHaveTextContent('Bea Ortiz')
  await expect.element(main.getByText('@bea', { exact: true })).toBeVisible()
  expect(main.element().querySelector('[data-generated=BO]')).not.toBeNull()
  const shown = main.getByText(/^Primera línea/).element()
  await expect.poll(() => shown.textContent).toBe(bio)
  expect(getComputedStyle(shown).whiteSpace).toBe('pre-line')
  expect(texts('term')).toEqual(['Posts', 'Followers', 'Following'])
  expect(texts('definition')).toEqual(['2', '0', '0'])
  const tiles = main.getByRole('link', { name: /La (primera|segunda)$/ })
  await expect.poll(() => tiles.elements().length).toBe(2)
  await expect.element(tiles.first()).toHaveAccessibleName(expect.stringMatching(/La segunda$/))
  const answer = api.hold(followOperation)
  await button('Follow').click()
  await expect.poll(() => texts('definition')).toEqual(['2', '1', '0'])
  answer.release()
  await expect.element(button('Unfollow')).toBeVisible()
  expect(texts('definition')).toEqual(['2', '1', '0'])
  await expect.element(link('Edit Profile')).not.toBeInTheDocument()
  await expect.element(main.getByRole('navigation', { name: 'Profile' })).not.toBeInTheDocument()
})

test('FOL-13 the button reads Following, and Unfollow when it is focused', async () => {
  const bea = makeProfile({ following: true })
  answerPeople([bea])
  await openProfile(bea)
  await expect.element(button('Unfollow')).toBeVisible()
  const shown = () => {
    const state = button('Unfollow').element().querySelector('[data-state]') as HTMLElement
    const action = button('Unfollow').getByText('Unfollow').element()
    return {
      [state.dataset.state ?? '']: getComputedStyle(state).visibility === 'visible',
      Unfollow: getComputedStyle(action).opacity === '1',
    }
  }
  await userEvent.hover(title)
  await expect.poll(shown).toEqual({ Following: true, Unfollow: false })
  await userEvent.tab()
  ;(button('Unfollow').element() as HTMLElement).focus()
  await expect.poll(shown).toEqual({ Following: false, Unfollow: true })
})

test("PROF-17 in ana's own grid a lock marks posts of groups", async () => {
  const posts = [
    makePost({ creator: ana, caption: 'Del grupo', groupId: newId('group') }),
    makePost({ creator: ana, caption: 'De todas' }),
  ]
  answerPeople([], posts)
  await openProfile(ana)
  await expect.poll(() => main.getByText('Only for the group').elements().length).toBe(1)
  const inGroup = main.getByRole('listitem').filter({ has: page.getByText('Only for the group') })
  await expect.element(inGroup.getByRole('link')).toHaveAccessibleName(/Del grupo$/)
})

test('PROF-01 USR-05 initials replace a photo that cannot be loaded, on the profile and on the card', async () => {
  const bea = makeProfile({ name: 'Bea Ortiz', imageId: newId('missing') })
  answerPeople([bea])
  const { navigate } = await openProfile(bea)
  const failed = () => main.element().querySelectorAll('[data-generated=BO]').length
  await expect.poll(failed).toBe(1)
  expect(main.element().querySelector('img')).toBeNull()
  navigate('/all-users')
  await expect.element(title).toHaveTextContent('People')
  await expect.poll(failed).toBe(1)
})

test('PROF-05 PROF-06 PROF-07 PROF-09 PROF-12 ana’s own profile has an edit link and two tabs, but no Follow or Chat button', async () => {
  answerPeople([])
  api.answer(listLikedPostsOperation, { documents: [], next: null })
  await openProfile(ana)
  await expect.element(link('Edit Profile')).toHaveAttribute('href', `/update-profile/${ana.$id}`)
  expect(main.getByRole('button', { name: /Follow|Chat/ }).elements()).toEqual([])
  await expect.element(link('Posts')).toHaveAttribute('aria-current', 'page')
  await link('Liked Posts').click()
  expect(address()).toBe(`/profile/${ana.$id}/liked-posts`)
  await expect.element(main.getByText('No liked posts')).toBeVisible()
  await expect.element(link('Liked Posts')).toHaveAttribute('aria-current', 'page')
})

test('LIKE-12 posts that ana likes are among her liked posts', async () => {
  answerPeople([])
  const post = makePost({ caption: 'Para gustar', liked: true, likeCount: 1 })
  api.answer(listLikedPostsOperation, { documents: [post], next: null })
  await openApp(`/profile/${ana.$id}/liked-posts`, { me: ana })
  await expect
    .element(main.getByRole('link', { name: /Para gustar$/ }))
    .toHaveAttribute('href', `/posts/${post.$id}`)
})

test('PROF-08 the URL of bea’s liked posts redirects ana to bea’s profile', async () => {
  const bea = makeProfile()
  answerPeople([bea])
  await openApp(`/profile/${bea.$id}/liked-posts`, { me: ana })
  await expect.element(title).toHaveTextContent('Bea')
  expect(address()).toBe(`/profile/${bea.$id}`)
  expect(api.callsOf(listLikedPostsOperation)).toEqual([])
  await expect.element(main.getByText('No liked posts')).not.toBeInTheDocument()
})

test('PROF-15 a missing profile shows “Profile not found”', async () => {
  answerPeople([])
  await openApp('/profile/nobody', { me: ana })
  await expect.element(main.getByRole('heading', { name: 'Profile not found', level: 2 })).toBeVisible()
})

test('PROF-10 PROF-11 ana opens a conversation with bea from the profile', async () => {
  const bea = makeProfile({ name: 'Bea Ortiz' })
  const conversation = conversationWith('Bea Ortiz', { other: { ...bea, visible: true } })
  answerPeople([bea])
  answerChat({ conversations: [conversation] })
  api.answer(openConversationOperation, conversation)
  await openProfile(bea)
  await button('Chat with Bea Ortiz').click()
  await expect.poll(address).toBe(`/chat?conversation=${conversation.$id}`)
  await expect.poll(() => api.callsOf(openConversationOperation)).toMatchObject([{ personId: bea.$id }])
})

test('PROF-04 PROF-10 on a phone a long bio is collapsed above the buttons', async () => {
  const bea = makeProfile({ bio: `${'Hago cerámica y camino por el monte. '.repeat(12)}fin` })
  answerPeople([bea])
  await openProfile(bea, { size: phone })
  const bottom = () => button('Follow').element().getBoundingClientRect().bottom
  await button('more').click()
  const open = bottom()
  await button('less').click()
  await expect.poll(bottom).toBeLessThan(open)
  const bio = main.getByText(/^Hago cerámica/).element()
  expect(bio.clientHeight).toBeLessThan(bio.scrollHeight)
})

test('PRIV-12 REQ-01 REQ-02 a stranger sees a private profile without counts or posts, asks to follow, and confirms before withdrawing', async () => {
  const petra = makePrivateProfile({ name: 'Petra Sol' })
  answerPeople([petra], [makePost({ creator: petra })])
  const { navigate } = await openProfile(petra)
  await expect.element(title).toHaveTextContent('Petra Sol')
  await expect.element(main.getByText('Private', { exact: true })).toBeVisible()
  const notice = main.getByRole('heading', { level: 2 })
  await expect.element(notice).toHaveTextContent('This account is private')
  await expect.element(main).toMatchTextContent('Ask to follow Petra to see her posts. She decides who does.')
  expect(main.getByRole('definition').elements()).toEqual([])

  const answer = api.hold(followOperation)
  await button('Follow').click()
  await expect.element(button('Follow')).toMatchTextContent('...')
  answer.release()
  await expect.element(toasts).toMatchTextContent('Request sent')
  await expect.element(toasts).toMatchTextContent('Petra Sol decides whether you follow her.')
  await expect.element(button('Requested')).toBeVisible()
  await expect.element(notice).toHaveTextContent('You asked to follow Petra')
  await expect.element(main).toMatchTextContent('You’ll see her posts here once she accepts.')

  const ask = question('Withdraw your request?')
  await button('Requested').click()
  await expect.element(ask.getByRole('button', { name: 'Keep it' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(ask).not.toBeInTheDocument()
  expect(api.callsOf(unfollowOperation)).toEqual([])
  navigate('/all-users')
  const card = main.getByRole('listitem').filter({ hasText: '@petrasol' })
  await card.getByRole('button', { name: 'Requested' }).click()
  await ask.getByRole('button', { name: 'Withdraw' }).click()
  await expect.element(card.getByRole('button', { name: 'Follow', exact: true })).toBeVisible()
  await expect.poll(() => api.callsOf(unfollowOperation)).toMatchObject([{ personId: petra.$id }])
})

for (const size of [undefined, phone])
  test(`PROF-16 at ${size?.width ?? 1440} px ana opens bea's following and follower lists, and follows members from them`, async () => {
    const [carla, dora] = [makeProfile({ name: 'Carla Pinto' }), makeProfile({ name: 'Dora' })]
    const bea = makeProfile({ followerCount: 2, followingCount: 1 })
    answerPeople([bea, carla, dora])
    api.answer(listFollowersOperation, { documents: [dora, carla], next: null })
    api.answer(listFollowingOperation, { documents: [carla], next: null })
    await openProfile(bea, size ? { size } : {})
    await link('2 Followers').click()
    expect(address()).toBe(`/profile/${bea.$id}?list=followers`)
    await expect.poll(() => rows('Followers').elements().length).toBe(2)
    await expect.element(rows('Followers').first()).toMatchTextContent('@dora')
    const chosen = rows('Followers').last()
    await chosen.getByRole('button', { name: 'Follow' }).click()
    await expect.element(chosen.getByRole('button', { name: 'Unfollow' })).toBeVisible()
    expect(
      dialog('Followers')
        .getByRole('button', { name: /^Remove/ })
        .elements(),
    ).toEqual([])

    await chosen.getByRole('link').click()
    await expect.element(title).toHaveTextContent('Carla Pinto')
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
    history.back()
    await expect.poll(() => rows('Followers').elements().length).toBe(2)
    await userEvent.keyboard('{Escape}')
    await expect.element(dialog('Followers')).not.toBeInTheDocument()
    await expect.poll(address).toBe(`/profile/${bea.$id}`)

    await link('1 Following').click()
    await expect.element(rows('Following')).toMatchTextContent('Carla Pinto')
    history.back()
    await expect.element(dialog('Following')).not.toBeInTheDocument()
    await expect.element(link('1 Following')).toHaveFocus()
  })

test('PROF-16 a long list of people loads as ana scrolls, and closing it stays on the profile', async () => {
  const fans = Array.from({ length: 21 }, (_, at) => makeProfile({ name: `Fan ${20 - at}` }))
  const bea = makeProfile({ followerCount: 21 })
  answerPeople([bea])
  api.answer(listFollowersOperation, inPages(fans))
  await openApp(`/profile/${bea.$id}?list=followers`, { me: ana })
  await expect.poll(() => rows('Followers').elements().length).toBe(20)
  rows('Followers').last().element().scrollIntoView()
  await expect.poll(() => rows('Followers').elements().length).toBe(21)
  await expect.element(rows('Followers').last()).toMatchTextContent('Fan 0')
  await dialog('Followers').getByRole('button', { name: 'Close' }).click()
  await expect.poll(address).toBe(`/profile/${bea.$id}`)
})

test('PROF-16 a list of people shows when it is loading, empty or failed', async () => {
  const bea = makeProfile()
  answerPeople([bea])
  api.answer(listFollowingOperation, { documents: [], next: null })
  const { navigate } = await openProfile(bea)
  const answer = api.hold(listFollowingOperation)
  await link('0 Following').click()
  await expect.element(dialog('Following').getByText('Loading…').first()).toBeInTheDocument()
  answer.release()
  await expect.element(dialog('Following').getByText('Not following anyone yet')).toBeVisible()

  api.refuse(listFollowersOperation, 500)
  navigate(`/profile/${bea.$id}?list=followers`)
  const failed = dialog('Followers').getByText('We couldn’t load this.')
  await passQueryRetries(() => failed.elements().length === 1)
  api.answer(listFollowersOperation, { documents: [], next: null })
  await dialog('Followers').getByRole('button', { name: 'Try again' }).click()
  await expect.element(dialog('Followers').getByText('No followers yet')).toBeVisible()
})

for (const [listsFor, words] of [
  ['followers', 'Only followers of Petra Sol can see this.'],
  ['me', 'Only Petra Sol can see this.'],
] as const)
  test(`MUTE-12 MUTE-13 lists visible to ${listsFor} say who can see them`, async () => {
    const can = { write: true, block: true, seePosts: true, seeLists: false }
    const closed = { followerCount: null, followingCount: null, listsFor, can }
    const petra = makeProfile({ name: 'Petra Sol', ...closed })
    answerPeople([petra])
    const { navigate } = await openProfile(petra)
    await expect.poll(() => texts('term')).toEqual(['Posts'])
    for (const [list, name] of [
      ['followers', 'Followers'],
      ['following', 'Following'],
    ] as const) {
      navigate(`/profile/${petra.$id}?list=${list}`)
      await expect.element(dialog(name).getByText(words)).toBeVisible()
    }
  })

test('MUTE-10 ana removes a follower from her own list', async () => {
  const carla = makeProfile({ name: 'Carla', followsMe: true })
  let followers = [carla]
  answerPeople([carla])
  api.answer(listFollowersOperation, () => ({ documents: followers, next: null }))
  api.answer(removeFollowerOperation, ({ personId }) => {
    if (personId !== carla.$id) return refusal('user_not_found')
    followers = []
    return { removed: true }
  })
  await openApp(`/profile/${ana.$id}?list=followers`, { me: ana })
  await dialog('Followers').getByRole('button', { name: 'Remove Carla as follower' }).click()
  await expect.element(toasts).toMatchTextContent('Removed')
  await expect.element(toasts).toMatchTextContent('Carla doesn’t follow you any more.')
  await expect.element(dialog('Followers').getByText('No followers yet')).toBeVisible()
})

test('MUTE-10 ana removes a follower from the menu, which then no longer offers the removal', async () => {
  const bea = makeProfile({ name: 'Bea', followsMe: true })
  const known = answerPeople([bea])
  answerPersonMenu()
  api.answer(removeFollowerOperation, () => {
    known.set(bea.$id, { ...bea, followsMe: false })
    return { removed: true }
  })
  await openProfile(bea)
  const remove = page.getByRole('menuitem', { name: /^Remove as follower/ })
  await button('More about Bea').click()
  await expect.element(remove).toMatchTextContent('She isn’t notified.')
  await remove.click()
  await expect.element(toasts).toMatchTextContent('Removed')
  await expect.element(toasts).toMatchTextContent('Bea doesn’t follow you any more.')
  await button('More about Bea').click()
  await expect.element(page.getByRole('menuitem', { name: /^Block/ })).toBeVisible()
  await expect.element(remove).not.toBeInTheDocument()
})
