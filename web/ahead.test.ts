import { expect, test } from 'vitest'
import { currentMember } from '#contract/account.ts'
import { listConversations } from '#contract/chat.ts'
import { getGroup, listGroups } from '#contract/groups.ts'
import { homePeopleSize } from '#contract/limits.ts'
import { getPerson, listPeople } from '#contract/people.ts'
import { explorePosts, getPost, homeFeed, postsByPerson, savedPosts } from '#contract/posts.ts'
import { browserWithServer } from '#tests/browser.ts'
import { askAhead } from './ahead.ts'
import { call, forgetAnticipated } from './api.ts'

const at = browserWithServer()

const pages: [page: string, asks: () => Promise<unknown>[]][] = [
  ['/', () => [call(homeFeed, {}), call(listPeople, { limit: homePeopleSize, who: 'others' })]],
  ['/explore', () => [call(explorePosts, {})]],
  ['/saved', () => [call(savedPosts, {})]],
  ['/all-users', () => [call(listPeople, {})]],
  ['/groups', () => [call(listGroups, {})]],
  ['/groups/g1', () => [call(getGroup, { groupId: 'g1' })]],
  ['/groups/create', () => []],
  ['/chat', () => [call(listConversations, {})]],
  ['/posts/p1', () => [call(getPost, { postId: 'p1' })]],
  ['/posts/no%2Fpost', () => []],
  ['/profile/u1', () => [call(getPerson, { personId: 'u1' }), call(postsByPerson, { personId: 'u1' })]],
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
    await askAhead(page)
    forgetAnticipated()
    const ahead = asked.splice(0)
    await Promise.all([call(currentMember, {}), ...asks()])
    expect(ahead.toSorted()).toEqual(asked.toSorted())
  },
)
