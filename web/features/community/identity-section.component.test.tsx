import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  type CommunityIdentitySettings,
  dismissAnnouncementOperation,
  getCommunityIdentityOperation,
  removeCommunityLogoOperation,
  setCommunityLogoOperation,
  updateCommunityIdentityOperation,
} from '#contract/community/community-identity.ts'
import { listPeopleOperation } from '#contract/people/people.ts'
import { explorePostsOperation, getHomeFeedOperation } from '#contract/posts/posts.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'
import { chooseFiles, createPicture } from '#tests/support/component/pictures.ts'
import { keepUploads } from '#tests/support/component/post-form.ts'

const main = page.getByRole('main')
const operator = { me: { operates: true as const } }
const logo = '0123456789abcdef'
let saved: CommunityIdentitySettings

async function openSection() {
  saved = { accent: null, logo: null, announcement: '', announcedAt: null }
  api.answer(getCommunityIdentityOperation, () => saved)
  api.answer(updateCommunityIdentityOperation, (change) => (saved = { ...saved, ...change }))
  api.answer(setCommunityLogoOperation, () => (saved = { ...saved, logo }))
  api.answer(removeCommunityLogoOperation, () => (saved = { ...saved, logo: null }))
  return openApp('/admin/appearance', operator)
}
const accent = () => document.documentElement.dataset.accent

test('OPD-02 a chosen accent colours the page immediately, and stays after it is saved', async () => {
  await openSection()
  await expect.element(main.getByRole('radio', { name: 'Pomegranate' })).toBeChecked()
  await main.getByText('Sea', { exact: true }).click()
  await expect.poll(accent).toBe('sea')
  const brand = getComputedStyle(document.documentElement).getPropertyValue('--brand')
  expect(brand).toContain('oklch')
  await main.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => saved.accent).toBe('sea')
})

test('OPD-02 an unsaved accent is dropped when olga leaves the page', async () => {
  const { navigate } = await openSection()
  await main.getByText('Violet', { exact: true }).click()
  await expect.poll(accent).toBe('violet')
  navigate('/admin')
  await expect.poll(accent).toBeUndefined()
})

test('OPD-03 olga uploads a logo and removes it', async () => {
  keepUploads()
  await openSection()
  const field = main.getByLabelText('Logo', { exact: true })
  await expect.element(field).toBeInTheDocument()
  chooseFiles(field, await createPicture({ type: 'image/png' }))
  await expect.element(main.getByRole('img', { name: 'The community’s logo' })).toBeVisible()
  await main.getByRole('button', { name: 'Remove logo' }).click()
  await expect.element(main.getByRole('button', { name: 'Choose a logo' })).toBeVisible()
})

test('OPD-04 an announcement that cannot be saved stays in the box', async () => {
  await openSection()
  api.refuse(updateCommunityIdentityOperation, 'general_service_unavailable')
  await main.getByLabelText('Announcement').fill('El sábado nos vemos')
  await main.getByRole('button', { name: 'Save' }).click()
  await expect.element(main.getByRole('alert')).toBeVisible()
  await expect.element(main.getByLabelText('Announcement')).toHaveValue('El sábado nos vemos')
})

test('OPD-04 ana reads the announcement on Home, follows its link and dismisses it', async () => {
  for (const list of [getHomeFeedOperation, explorePostsOperation, listPeopleOperation])
    api.answer(list, { documents: [], next: null })
  api.answer(dismissAnnouncementOperation, undefined)
  await openApp('/', {
    me: {
      announcement: {
        version: 3,
        text: 'Nos vemos: https://juntas.example/sabado',
        at: '2026-11-29T10:00:00.000+00:00',
      },
    },
  })
  const card = main.getByRole('region', { name: 'Announcement' })
  await expect.element(card.getByRole('link')).toHaveAttribute('href', 'https://juntas.example/sabado')
  await card.getByRole('button', { name: 'Dismiss announcement' }).click()
  await expect.poll(() => card.elements()).toEqual([])
  await expect.element(main).toHaveFocus()
  expect(api.callsOf(dismissAnnouncementOperation)).toEqual([{ version: 3 }])
})
