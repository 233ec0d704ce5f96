import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openConversationOperation } from '#contract/chat/conversations.ts'
import { searchGroupsOperation } from '#contract/groups/groups.ts'
import {
  followOperation,
  listPeopleOperation,
  searchPeopleOperation,
  unfollowOperation,
  updateProfileOperation,
} from '#contract/people/people.ts'
import { explorePostsOperation, searchPostsOperation } from '#contract/posts/posts.ts'
import { makePerson, newId } from '#tests/support/component/fixtures.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'
import { toasts } from '#tests/support/component/post-form.ts'
import { passQueryRetries } from '#tests/support/component/query-retries.ts'

const main = page.getByRole('main')
const toast = toasts.getByRole('listitem')
const card = (name: string) => main.getByRole('listitem').filter({ hasText: name })

async function expectToast(text: string): Promise<void> {
  await expect.poll(() => toast.element().querySelector('[lang=en]')?.textContent).toBe(text)
  await expect.poll(() => toast.elements()).toHaveLength(1)
}

test('ERR-12 PUPD-06 if a profile cannot be saved, a toast says so', async () => {
  const me = { $id: newId('ana') }
  api.refuse(updateProfileOperation, 500)
  await openApp(`/update-profile/${me.$id}`, { me })
  await main.getByLabelText('Bio').fill('Barro')
  await main.getByRole('button', { name: 'Update Profile' }).click()
  await expectToast('Update user failed. Please try again.')
  await expect.element(main.getByLabelText('Bio')).toHaveValue('Barro')
})

test('ERR-12 USR-03 if the list of people cannot be loaded, the page is empty and shows a toast', async () => {
  api.refuse(listPeopleOperation, 500)
  await openApp('/all-users', { waits: false })
  await passQueryRetries(() => toast.elements().length > 0)
  await expectToast('Something went wrong.')
  await expect.element(main).toHaveTextContent('People')
})

test('ERR-12 FOL-08 CHAT-27 a failed follow, unfollow or message shows a toast', async () => {
  const [bea, carla] = [makePerson({ name: 'Bea' }), makePerson({ name: 'Carla', following: true })]
  api.answer(listPeopleOperation, { documents: [bea, carla], next: null })
  for (const operation of [followOperation, unfollowOperation, openConversationOperation])
    api.refuse(operation, 500)
  await openApp('/all-users')
  await card('Bea').getByRole('button', { name: 'Follow' }).click()
  await expectToast('ErrorSomething went wrong. Please try again.')
  await card('Bea').getByRole('button', { name: 'Chat with Bea' }).click()
  await expectToast('ErrorFailed to start conversation. Please try again.')
  await card('Carla').getByRole('button', { name: 'Unfollow' }).click()
  await expectToast('ErrorSomething went wrong. Please try again.')
  await expect.element(card('Carla').getByRole('button', { name: 'Unfollow' })).toBeVisible()
})

test('ERR-12 EXP-13 a search without results says so without a toast', async () => {
  api.answer(explorePostsOperation, { documents: [], next: null })
  api.answer(listPeopleOperation, { documents: [], next: null })
  api.answer(searchPostsOperation, { documents: [] })
  api.answer(searchPeopleOperation, { documents: [] })
  api.answer(searchGroupsOperation, { documents: [] })
  await openApp('/explore')
  await page.getByRole('searchbox', { name: 'Search Posts' }).fill('nada que exista')
  await expect.element(main.getByRole('heading', { name: 'No results found' })).toBeVisible()
  expect(toast.elements()).toEqual([])
})
