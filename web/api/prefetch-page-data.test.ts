import { expect, test } from 'vitest'
import { getCurrentMemberOperation } from '#contract/account/sign-up-and-sign-in.ts'
import { listConversationsOperation } from '#contract/chat/conversations.ts'
import { getGroupOperation, listGroupsOperation } from '#contract/groups/groups.ts'
import { homePeoplePageSize } from '#contract/limits.ts'
import { getPersonOperation, listPeopleOperation } from '#contract/people/people.ts'
import {
  explorePostsOperation,
  getHomeFeedOperation,
  getPostOperation,
  listPersonPostsOperation,
  listSavedPostsOperation,
} from '#contract/posts/posts.ts'
import { setupBrowserWithServer } from '#tests/support/browser-globals.ts'
import { callApiOperation, clearPrefetchedResponses } from './client.ts'
import { prefetchPageData } from './prefetch-page-data.ts'

const at = setupBrowserWithServer()

const pages: [page: string, asks: () => Promise<unknown>[]][] = [
  [
    '/',
    () => [
      callApiOperation(getHomeFeedOperation, {}),
      callApiOperation(listPeopleOperation, { limit: homePeoplePageSize, who: 'others' }),
    ],
  ],
  ['/explore', () => [callApiOperation(explorePostsOperation, {})]],
  ['/saved', () => [callApiOperation(listSavedPostsOperation, {})]],
  ['/all-users', () => [callApiOperation(listPeopleOperation, {})]],
  ['/groups', () => [callApiOperation(listGroupsOperation, {})]],
  ['/groups/g1', () => [callApiOperation(getGroupOperation, { groupId: 'g1' })]],
  ['/groups/create', () => []],
  ['/chat', () => [callApiOperation(listConversationsOperation, {})]],
  ['/posts/p1', () => [callApiOperation(getPostOperation, { postId: 'p1' })]],
  ['/posts/no%2Fpost', () => []],
  [
    '/profile/u1',
    () => [
      callApiOperation(getPersonOperation, { personId: 'u1' }),
      callApiOperation(listPersonPostsOperation, { personId: 'u1' }),
    ],
  ],
  ['/update-post/p1', () => []],
]

test.each(pages)('the page %s requests exactly what is prefetched for it', async (page, asks) => {
  const asked: string[] = []
  at.answer = (request, answer) => {
    asked.push(request.url ?? '')
    answer.setHeader('content-type', 'application/json').end('{}')
  }
  await prefetchPageData(page)
  clearPrefetchedResponses()
  const ahead = asked.splice(0)
  await Promise.all([callApiOperation(getCurrentMemberOperation, {}), ...asks()])
  expect(ahead.toSorted()).toEqual(asked.toSorted())
})
