import { expect, test } from 'vitest'
import { currentMember } from '#contract/account.ts'
import { homePeopleSize } from '#contract/limits.ts'
import { listPeople } from '#contract/people.ts'
import { homeFeed } from '#contract/posts.ts'
import { browserWithServer } from '#tests/browser.ts'
import { askAhead, homeAddresses, memberAddress } from './ahead.ts'
import { call } from './api.ts'

const at = browserWithServer()

test('what is asked ahead for Home is what its operations ask for, so nothing is asked twice', async () => {
  const asked: string[] = []
  at.answer = (request, answer) => {
    asked.push(request.url ?? '')
    answer.setHeader('content-type', 'application/json').end('{}')
  }
  askAhead('/')
  await call(currentMember, {})
  await call(homeFeed, {})
  await call(listPeople, { limit: homePeopleSize, who: 'others' })
  expect(asked.toSorted()).toEqual([memberAddress, ...homeAddresses].map((path) => `/v1${path}`).toSorted())
})

test('other pages ask ahead for the member alone', async () => {
  const asked: string[] = []
  at.answer = (request, answer) => {
    asked.push(request.url ?? '')
    answer.setHeader('content-type', 'application/json').end('{}')
  }
  askAhead('/explore')
  await call(currentMember, {})
  expect(asked).toEqual(['/v1/me'])
})
