import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { getGroupOperation } from '#contract/groups/groups.ts'
import { getPersonOperation } from '#contract/people/people.ts'
import { getPostOperation } from '#contract/posts/posts.ts'
import { findAxeProblems } from '#tests/support/component/axe.ts'
import { bubble, conversationWith, messagesFrom, openConversation } from '#tests/support/component/chat.ts'
import { refusal } from '#tests/support/component/fake-api.ts'
import { makeGroup, makePost, makeProfile } from '#tests/support/component/fixtures.ts'
import { api } from '#tests/support/component/open-app.tsx'
import { answerPostPage, pathname } from '#tests/support/component/post-form.ts'

const { origin } = location

async function openWithMessages(...texts: string[]) {
  const withBea = conversationWith('bea')
  await openConversation(withBea, { messages: messagesFrom(withBea, ...texts) })
  await expect.element(bubble(texts.at(-1)?.split(' ')[0] ?? '')).toBeVisible()
}

test('CHPH-07 a link shows its host in Punycode, and the page sends no request to it', async () => {
  await openWithMessages('paga en https://раураl.com/cuenta')
  const link = bubble('paga en').getByRole('link')
  await expect.element(bubble('paga en').getByText(/· xn--\S+\.com/)).toBeVisible()
  await expect.element(link).toHaveAttribute('rel', 'noopener noreferrer nofollow')
  await userEvent.hover(link)
  const hosts = performance.getEntriesByType('resource').map(({ name }) => new URL(name).host)
  expect(hosts.filter((host) => host !== '' && host !== location.host)).toEqual([])
})

test('CHPH-08 links to Juntas show cards, and a link to something ana may not see shows only that it is unavailable', async () => {
  const [open, bea, group] = [makePost(), makeProfile({ name: 'Bea' }), makeGroup({ name: 'Barro' })]
  answerPostPage()
  api.answer(getPostOperation, ({ postId }) =>
    postId === open.$id
      ? open
      : refusal(postId === 'closed' ? 'group_membership_required' : 'document_not_found'),
  )
  api.answer(getPersonOperation, bea)
  api.answer(getGroupOperation, group)
  await openWithMessages(
    `mira ${origin}/posts/${open.$id}`,
    `esta ${origin}/posts/closed`,
    `ninguna ${origin}/posts/nowhere`,
    `ella ${origin}/profile/${bea.$id} y ${origin}/groups/${group.$id}`,
  )
  const card = bubble('mira').getByRole('link').last()
  await expect.element(card).toMatchTextContent(open.caption)
  for (const text of ['esta', 'ninguna'])
    await expect.element(bubble(text)).toMatchTextContent('This post isn’t available to you.')
  await expect.element(bubble('ella')).toMatchTextContent(`@${bea.username}`)
  await expect.element(bubble('ella')).toMatchTextContent('Barro')
  expect(await findAxeProblems()).toEqual([])
  await card.click()
  await expect.poll(pathname).toBe(`/posts/${open.$id}`)
})

test('CHPH-08 a card that cannot be loaded says so and can be retried', async () => {
  const post = makePost()
  api.refuse(getPostOperation, 500)
  await openWithMessages(`mira ${origin}/posts/${post.$id}`)
  await expect.element(bubble('mira')).toMatchTextContent('We couldn’t load this.')
  api.answer(getPostOperation, post)
  await bubble('mira').getByRole('button', { name: 'Try again' }).click()
  await expect.element(bubble('mira').getByRole('link').last()).toMatchTextContent(post.caption)
})
