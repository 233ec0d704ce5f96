import { expect, test } from 'vitest'
import { getCommunityOperation } from '#contract/community/community.ts'
import {
  endWelcomeOperation,
  listSuggestedGroupsOperation,
  listSuggestedPeopleOperation,
} from '#contract/community/welcome.ts'
import { requestToJoinOperation } from '#contract/groups/group-requests.ts'
import type { Group } from '#contract/groups/groups.ts'
import { followOperation, type Person, updateProfileOperation } from '#contract/people/people.ts'
import { getHomeFeedOperation } from '#contract/posts/posts.ts'
import { makeCommunity, makeGroup, makeJoinRequest, makeProfile } from '#tests/support/component/fixtures.ts'
import { api, openApp, phone } from '#tests/support/component/open-app.tsx'
import { ana, answerPeople, dialog } from '#tests/support/component/people.ts'
import { chooseFiles, createPicture } from '#tests/support/component/pictures.ts'
import { keepUploads } from '#tests/support/component/post-form.ts'
import { passQueryRetries } from '#tests/support/component/query-retries.ts'

const sheet = dialog('Welcome, Ana Ruiz')
const bea = makeProfile({ name: 'Bea', username: 'bea' })
const group = makeGroup({ name: 'Club de barro', membership: 'none' })

function answerWelcome({ people = [bea], groups = [group] }: { people?: Person[]; groups?: Group[] } = {}) {
  answerPeople([bea])
  api.answer(getHomeFeedOperation, { documents: [], next: null })
  api.answer(getCommunityOperation, makeCommunity({ rules: ['Sin capturas de pantalla'] }))
  api.answer(listSuggestedPeopleOperation, { documents: people })
  api.answer(listSuggestedGroupsOperation, { documents: groups })
  api.answer(endWelcomeOperation, undefined)
}
const open = (size?: typeof phone) =>
  openApp('/', { me: { ...ana, welcome: true }, ...(size ? { size } : {}) })

test('SUP-17 the welcome sheet shows photo, people, a group and the rules; skipping closes it for good', async () => {
  answerWelcome()
  await open(phone)
  await expect.element(sheet.getByText('Sin capturas de pantalla')).toBeInTheDocument()
  const parts = () =>
    sheet
      .getByRole('heading', { level: 3 })
      .elements()
      .map(({ textContent }) => textContent)
  await expect.poll(parts).toEqual(['Your photo', 'People to follow', 'A group', 'The house rules'])
  await sheet.getByRole('button', { name: 'Not now' }).click()
  await expect.element(sheet).not.toBeInTheDocument()
  expect(api.callsOf(endWelcomeOperation)).toEqual([{}])
})

test('SUP-17 in the welcome sheet ana chooses a photo, follows bea and asks to join a group, and Done closes the sheet', async () => {
  answerWelcome()
  const uploads = keepUploads()
  api.answer(updateProfileOperation, ({ imageId = null }) => ({ ...ana, imageId }))
  api.answer(requestToJoinOperation, makeJoinRequest({ group }))
  await open()
  await expect.element(sheet).toBeVisible()
  const input = sheet.element().querySelector('input[type=file]') as HTMLInputElement
  chooseFiles(input, await createPicture())
  await dialog('Crop your profile photo').getByRole('button', { name: 'Done' }).click()
  const kept = () => api.callsOf(updateProfileOperation).map(({ imageId }) => imageId)
  await expect.poll(() => kept()).toHaveLength(1)
  expect(kept()).toEqual(uploads.ids())
  await sheet.getByRole('button', { name: 'Follow' }).click()
  await expect.element(sheet.getByRole('button', { name: 'Unfollow' })).toBeVisible()
  expect(api.callsOf(followOperation)).toMatchObject([{ personId: bea.$id }])
  await sheet.getByRole('button', { name: 'Join Group' }).click()
  await expect.element(sheet.getByRole('button', { name: 'Pending' })).toBeVisible()
  await sheet.getByRole('button', { name: 'Done' }).click()
  await expect.element(sheet).not.toBeInTheDocument()
  expect(api.callsOf(endWelcomeOperation)).toEqual([{}])
})

test('SUP-17 without suggestions the welcome sheet shows only the photo, and failed suggestions can be retried', async () => {
  answerWelcome({ people: [], groups: [] })
  api.answer(getCommunityOperation, makeCommunity({ rules: [] }))
  api.refuse(listSuggestedPeopleOperation, 500)
  await open()
  const again = sheet.getByRole('button', { name: 'Try again' })
  await passQueryRetries(() => again.elements().length === 1)
  api.answer(listSuggestedPeopleOperation, { documents: [] })
  await again.click()
  await expect.poll(() => sheet.getByRole('heading', { level: 3 }).elements()).toHaveLength(1)
})

test('SUP-17 if skipping the welcome sheet cannot be saved, ana continues anyway', async () => {
  answerWelcome()
  api.refuse(endWelcomeOperation, 'network')
  await open()
  await sheet.getByRole('button', { name: 'Not now' }).click()
  await expect.element(sheet).not.toBeInTheDocument()
})

test('SUP-17 a link in the welcome sheet opens its page and closes the sheet', async () => {
  answerWelcome()
  await open()
  await sheet.getByRole('link', { name: /^Bea/ }).click()
  await expect.poll(() => location.pathname).toBe(`/profile/${bea.$id}`)
  await expect.element(sheet).not.toBeInTheDocument()
  await expect.poll(() => api.callsOf(endWelcomeOperation)).toEqual([{}])
})
