import { expect, test } from 'vitest'
import { getCurrentMember } from '#contract/account.ts'
import { listConversations } from '#contract/chat.ts'
import { getGroup, listGroups } from '#contract/groups.ts'
import { homePeopleCount } from '#contract/limits.ts'
import { getPerson, listPeople } from '#contract/people.ts'
import { explorePosts, getHomeFeed, getPost, listPersonPosts, listSavedPosts } from '#contract/posts.ts'
import { setupBrowserWithServer } from '#tests/support/browser-globals.ts'
import { callApiOperation, clearPrefetched } from './client.ts'
import { prefetchPageData } from './prefetch-routes.ts'

const at = setupBrowserWithServer()

const pages: [page: string, asks: () => Promise<unknown>[]][] = [
  [
    '/',
    () => [
      callApiOperation(getHomeFeed, {}),
      callApiOperation(listPeople, { limit: homePeopleCount, who: 'others' }),
    ],
  ],
  ['/explore', () => [callApiOperation(explorePosts, {})]],
  ['/saved', () => [callApiOperation(listSavedPosts, {})]],
  ['/all-users', () => [callApiOperation(listPeople, {})]],
  ['/groups', () => [callApiOperation(listGroups, {})]],
  ['/groups/g1', () => [callApiOperation(getGroup, { groupId: 'g1' })]],
  ['/groups/create', () => []],
  ['/chat', () => [callApiOperation(listConversations, {})]],
  ['/posts/p1', () => [callApiOperation(getPost, { postId: 'p1' })]],
  ['/posts/no%2Fpost', () => []],
  [
    '/profile/u1',
    () => [
      callApiOperation(getPerson, { personId: 'u1' }),
      callApiOperation(listPersonPosts, { personId: 'u1' }),
    ],
  ],
  ['/update-post/p1', () => []],
]

test.each(pages)(
  'what is asked ahead for %s is what it asks for, so nothing is asked twice',
  async (page, asks) => {
    const asked: string[] = []
    at.answer = (request, answer) => {
      asked.push(request.url ?? '')
      answer.setHeader('content-type', 'application/json').end('{}')
    }
    await prefetchPageData(page)
    clearPrefetched()
    const ahead = asked.splice(0)
    await Promise.all([callApiOperation(getCurrentMember, {}), ...asks()])
    expect(ahead.toSorted()).toEqual(asked.toSorted())
  },
)
