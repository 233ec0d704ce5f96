import { createRoot } from 'react-dom/client'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { keepTwoFactorOperation } from '#contract/account/email-links.ts'
import { listPasskeysOperation } from '#contract/account/passkeys.ts'
import { getCurrentSessionOperation, signInOperation } from '#contract/account/sign-up-and-sign-in.ts'
import { getReceiptOperation } from '#contract/deletion/deletion.ts'
import { previewAudienceOperation } from '#contract/posts/audience-preview.ts'
import { answerAccountSettings } from '#tests/support/component/account-settings.ts'
import { makePost, makeProfile } from '#tests/support/component/fixtures.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'
import { main } from '#tests/support/component/people.ts'
import { answerPostForm } from '#tests/support/component/post-form.ts'
import { passQueryRetries } from '#tests/support/component/query-retries.ts'
import { ApiError } from '#web/api/client.ts'
import { getAuthErrorMessage } from '#web/features/account/auth-error-message.tsx'
import { describePasskeyFailure } from '#web/features/account/passkeys/describe-passkey-failure.ts'
import { describeCommenters } from '#web/features/comments/commenter-choices.ts'
import { caseActorText } from '#web/features/moderation/cases/case-labels.ts'
import { InstallHint } from '#web/features/offline/install/install-hint.tsx'
import { getReservedNameMessage } from '#web/features/people/reserved-name-message.ts'
import { consumeSharedPhoto } from '#web/features/posts/form/consume-shared-photo.ts'
import { sharedAtHeader } from '#web/service-worker/shared-photo-location.ts'
import { fillInCommunityName, resetCommunityIdentity, showCommunityIdentity } from './community-identity.ts'

const name = 'Las "Vecinas" & <b> 🏡 $&'
const title = page.getByRole('heading', { level: 1 })

/** As the served page does. */
const nameCommunity = (given = name) => showCommunityIdentity({ name: given })
afterEach(resetCommunityIdentity)

test('OPD-10 the sign-in page names the community in its title and if the server does not answer', async () => {
  nameCommunity()
  const { answerSession } = await openApp('/sign-in', { me: null, early: true })
  await expect.poll(() => document.title).toBe(`Entra en ${name}`)
  api.refuse(getCurrentSessionOperation, 'network')
  answerSession()
  const notice = page.getByRole('alert').filter({ hasText: `No podemos conectar con ${name}.` })
  await passQueryRetries(() => notice.elements().length > 0)
  api.refuse(signInOperation, 'network')
  await page.getByLabelText('Email').fill('ana@juntas.test')
  await page.getByLabelText('Contraseña', { exact: true }).fill('una clave larga')
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await expect.element(main).toMatchTextContent(`No llegamos a ${name}. Comprueba tu conexión`)
})

test('OPD-10 a community whose name contains ‘Juntas’ appears once in titles', async () => {
  nameCommunity('Juntas Jalisco')
  await openApp('/sign-up', { me: null })
  await expect.poll(() => document.title).toBe('Crea tu cuenta en Juntas Jalisco')
  expect(fillInCommunityName('otra cuenta de Juntas.')).toBe('otra cuenta de Juntas Jalisco.')
})

test('OPD-10 the page of a sign-in link names the community in its heading', async () => {
  nameCommunity()
  await openApp(`/sign-in/link?userId=ana&secret=${'a'.repeat(64)}`, { me: null })
  await expect.element(title).toHaveTextContent(`Entra en ${name}`)
})

test('OPD-10 pages that emailed links open name the community in their titles and links', async () => {
  nameCommunity()
  api.answer(keepTwoFactorOperation, undefined)
  await openApp(`/sign-in/keep-two-steps?userId=ana&secret=${'a'.repeat(64)}`, { me: null })
  await expect.poll(() => document.title).toBe(`Mantener la verificación en dos pasos · ${name}`)
  await page.getByRole('button', { name: 'Mantenerla' }).click()
  await expect.element(page.getByRole('link', { name: `Ir a ${name}` })).toBeVisible()
})

test('OPD-10 the receipt page shows the community’s name once in its title', async () => {
  nameCommunity()
  api.refuse(getReceiptOperation, 'receipt_not_found')
  await openApp('/receipt/nobody', { me: null })
  await expect.poll(() => document.title).toBe(`Sin recibo · ${name}`)
  await expect.element(page.getByRole('link', { name: `Ir a ${name}` })).toBeVisible()
  await expect.element(main).toMatchTextContent(name)
})

test('OPD-10 ana reads her community’s name where she chooses an audience', async () => {
  answerPostForm()
  api.answer(previewAudienceOperation, { kind: 'everyone', count: 2, faces: [], rounded: false, group: null })
  await openApp('/create-post', { me: { community: name } })
  await expect.element(main.getByText(`Everyone on ${name}`, { exact: true })).toBeVisible()
})

test('OPD-10 the offer to install the app names the community', async () => {
  nameCommunity()
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  root.render(<InstallHint onClose={() => {}} />)
  const heading = page.getByRole('heading', { level: 2 })
  await expect.element(heading).toMatchTextContent(name)
  root.unmount()
})

test('OPD-10 ana reads on the passkeys page what a passkey opens', async () => {
  answerAccountSettings()
  api.answer(listPasskeysOperation, { documents: [] })
  await openApp('/settings/security/passkeys', { me: { community: name } })
  await expect.element(main).toMatchTextContent(`It signs you in to ${name} with your fingerprint`)
})

test('OPD-10 messages outside of components name the community', async () => {
  nameCommunity()
  const refused = (type: string) => Object.assign(new ApiError('', 401), { type })
  expect(describePasskeyFailure(refused('passkey_unknown'))).toBe(
    `${name} no reconoce esa llave. Entra de otra manera y añádela otra vez.`,
  )
  expect(getAuthErrorMessage(new ApiError('Network request failed'))).toContain(`No llegamos a ${name}.`)
  expect(getReservedNameMessage()).toBe(`This name looks like the ${name} team’s. Choose another.`)
  expect(caseActorText({ act: 'expire', at: '', by: null })).toBe(name)
  const shared = makePost({ receipt: { with: 'everyone' } as never })
  expect(describeCommenters('everyone', shared, makeProfile())).toBe(
    `Any member of ${name}, because this post is public`,
  )
})

test('OPD-10 a shared picture of another type is refused in the community’s name', async () => {
  nameCommunity()
  const headers = { [sharedAtHeader]: String(Date.now()) }
  // The end of an earlier test's session may still be deleting the caches.
  const match = vi.spyOn(caches, 'match').mockResolvedValue(new Response('no picture', { headers }))
  await expect(consumeSharedPhoto()).rejects.toThrow(`${name} takes JPEG and PNG.`)
  match.mockRestore()
})
