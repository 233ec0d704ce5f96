import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import {
  beginProviderSignInOperation,
  connectIdentityOperation,
  disconnectIdentityOperation,
  listSignInProvidersOperation,
} from '#contract/account/provider-sign-in.ts'
import { getCommunityOperation } from '#contract/community/community.ts'
import { getInvitationOperation } from '#contract/community/invitations.ts'
import {
  answerAccountSettings,
  password,
  reauthenticationDialog,
  reauthenticationField,
  requireReauthentication,
} from '#tests/support/component/account-settings.ts'
import { findAxeProblems } from '#tests/support/component/axe.ts'
import { makeCommunity } from '#tests/support/component/fixtures.ts'
import { api, openApp, phone } from '#tests/support/component/open-app.tsx'
import { toasts } from '#tests/support/component/post-form.ts'

const casa = { name: 'casa', label: 'La Casa' }
const google = { name: 'google', label: 'Google' }
/** A fragment keeps the test's page open when the browser goes there. */
const there = '#there'
const hash = () => location.hash

function openAsVisitor(path: string, providers = [casa, google]) {
  if (!api.isAnswered(listSignInProvidersOperation))
    api.answer(listSignInProvidersOperation, { documents: providers })
  api.answer(beginProviderSignInOperation, { url: there })
  return openApp(path, { me: null, size: phone })
}

test('OIDC-01 OIDC-02 the sign-in page has a button for each provider, and a double press opens the provider once', async () => {
  await openAsVisitor('/sign-in')
  const button = page.getByRole('button', { name: 'Entrar con La Casa' })
  await expect.element(page.getByRole('button', { name: 'Entrar con Google' })).toBeVisible()
  expect(await findAxeProblems()).toEqual([])
  const { release } = api.hold(beginProviderSignInOperation)
  await button.click()
  await expect.element(button).toHaveAttribute('aria-busy', 'true')
  await button.click()
  release()
  await expect.poll(hash).toBe(there)
  expect(api.callsOf(beginProviderSignInOperation)).toEqual([{ provider: 'casa' }])
  // The browser shows the page that it kept.
  dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  await expect.element(button).not.toHaveAttribute('aria-busy')
})

test('OIDC-01 without providers the sign-in page shows only its form', async () => {
  await openAsVisitor('/sign-in', [])
  await expect.poll(() => api.callsOf(listSignInProvidersOperation)).toHaveLength(1)
  await expect.element(page.getByRole('link', { name: 'Recibir un enlace por correo' })).toBeVisible()
  expect(page.getByRole('button', { name: /^Entrar con La Casa/ }).elements()).toEqual([])
})

test('OIDC-01 if the list of providers does not load, the visitor can reload it', async () => {
  const entries = performance.getEntriesByType('navigation')
  const flags = [{ name: 'providers', description: '1' }]
  vi.spyOn(performance, 'getEntriesByType').mockImplementation((type) =>
    type === 'navigation' ? [Object.create(entries[0] ?? {}, { serverTiming: { value: flags } })] : entries,
  )
  api.refuse(listSignInProvidersOperation, 'network')
  await openAsVisitor('/sign-in')
  const again = page.getByRole('button', { name: 'Volver a cargar las otras formas de entrar' })
  await expect.element(again).toBeVisible()
  api.answer(listSignInProvidersOperation, { documents: [casa] })
  await again.click()
  await expect.element(page.getByRole('button', { name: 'Entrar con La Casa' })).toBeVisible()
  vi.restoreAllMocks()
})

test.each([
  ['network', 'No llegamos a Juntas. Comprueba tu conexión y vuelve a intentarlo.'],
  ['user_oauth2_provider_error', 'No pudimos conectar con el proveedor. Inténtalo de nuevo.'],
  ['project_provider_disabled', 'Ese proveedor está desactivado.'],
] as const)('OIDC-04 if provider sign-in cannot start (%s), its button shows why', async (type, sentence) => {
  await openAsVisitor('/sign-in')
  api.refuse(beginProviderSignInOperation, type)
  const button = page.getByRole('button', { name: 'Entrar con La Casa' })
  await button.click()
  await expect.element(page.getByRole('alert').getByText(sentence)).toBeVisible()
  await expect.element(button).not.toHaveAttribute('aria-busy')
  expect(hash()).toBe('')
})

test.each([
  ['user_oauth2_denied', 'No diste permiso al proveedor.'],
  ['registration_closed', 'Este lugar no admite cuentas nuevas.'],
  ['user_oauth2_email_missing', /^El proveedor no confirmó ninguna dirección/],
  ['user_email_already_exists', /^Ya hay una cuenta con tu correo/],
  ['user_oauth2_bad_request', /tardó más de diez minutos/],
  ['<script>', 'Algo ha fallado. Vuelve a intentarlo.'],
] as const)('OIDC-04 returning from the provider with %s shows the reason once', async (type, sentence) => {
  await openAsVisitor(`/sign-in?problem=${encodeURIComponent(type)}`)
  await expect.element(page.getByRole('alert').getByText(sentence)).toBeVisible()
  await expect.poll(() => location.search).toBe('')
  await expect.element(page.getByRole('heading', { name: 'Bienvenida de nuevo' })).toBeVisible()
})

test("OIDC-07 an invitation's page sends its code to the provider sign-in, and shows why the invitation was refused", async () => {
  api.answer(getInvitationOperation, {
    inviter: { name: 'Ana' },
    community: { name: 'Juntas', membersAtLeast: 0 },
    expiresAt: '2027-01-01T10:00:00.000Z',
  })
  await openAsVisitor('/join/abc-def')
  await page.getByRole('button', { name: 'Crear cuenta con La Casa' }).click()
  await expect.poll(hash).toBe(there)
  expect(api.callsOf(beginProviderSignInOperation)).toEqual([{ provider: 'casa', invite: 'abc-def' }])
  history.pushState(null, '', '/sign-in?problem=invitation_over')
  dispatchEvent(new PopStateEvent('popstate', { state: null }))
  await expect.element(page.getByText('Esta invitación ya no vale.')).toBeVisible()
  await expect.poll(() => location.pathname + location.search).toBe('/join/abc-def')
})

test('OIDC-07 if registration is closed, the page has no button to sign up with a provider', async () => {
  const { navigate } = await openAsVisitor('/sign-in')
  api.answer(getCommunityOperation, makeCommunity({ registration: 'closed' }))
  navigate('/sign-up')
  await expect.element(page.getByText('Este lugar no admite cuentas nuevas.')).toBeVisible()
  expect(page.getByRole('button', { name: /^Crear cuenta con/ }).elements()).toEqual([])
})

test('OIDC-09 ana connects a provider after re-authentication', async () => {
  answerAccountSettings({ providers: [casa] })
  requireReauthentication(connectIdentityOperation, () => ({ url: there }))
  await openApp('/settings/account')
  const box = page.getByRole('region', { name: 'Sign in with other accounts' })
  await expect.element(box.getByText('Not connected')).toBeVisible()
  await box.getByRole('button', { name: 'Connect La Casa' }).click()
  await reauthenticationField.fill(password)
  await reauthenticationDialog.getByRole('button', { name: 'Continue' }).click()
  await expect.poll(hash).toBe(there)
  expect(api.callsOf(connectIdentityOperation).at(-1)).toEqual({ provider: 'casa' })
})

test('OIDC-09 after the return from a provider, the page says that it is connected, or why it is not', async () => {
  const settings = answerAccountSettings({ providers: [casa] })
  settings.identities = [{ $id: 'identity1', provider: 'casa', email: 'ana@casa.test', usable: true }]
  const { navigate } = await openApp('/settings/account?connected=casa')
  await expect.element(toasts).toMatchTextContent('La Casa is connected.')
  await expect.element(page.getByText('ana@casa.test')).toBeVisible()
  await expect.poll(() => location.search).toBe('')
  navigate('/settings/account?problem=user_identity_taken')
  await expect
    .element(page.getByText('Esa cuenta del proveedor ya está conectada a otra cuenta de Juntas.'))
    .toHaveAttribute('lang', 'es')
})

test('OIDC-09 SET-11 disconnecting a provider asks first; the last sign-in method cannot be disconnected, and the page says why', async () => {
  const settings = answerAccountSettings({ providers: [casa, google] })
  settings.identities = [
    { $id: 'identity1', provider: 'casa', email: '', usable: true },
    { $id: 'identity2', provider: 'yahoo', email: 'ana@yahoo.test', usable: false },
  ]
  api.answer(disconnectIdentityOperation, ({ identityId }) => {
    settings.identities = settings.identities.filter(({ $id }) => $id !== identityId)
  })
  await openApp('/settings/account')
  const box = page.getByRole('region', { name: 'Sign in with other accounts' })
  const question = page.getByRole('alertdialog', { name: 'Disconnect this account?' })
  await box.getByRole('button', { name: 'Disconnect yahoo' }).click()
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(api.callsOf(disconnectIdentityOperation)).toEqual([])
  await box.getByRole('button', { name: 'Disconnect yahoo' }).click()
  await question.getByRole('button', { name: 'Disconnect' }).click()
  await expect.element(box.getByText('ana@yahoo.test')).not.toBeInTheDocument()
  api.refuse(disconnectIdentityOperation, 'user_last_way_in')
  await box.getByRole('button', { name: 'Disconnect La Casa' }).click()
  await question.getByRole('button', { name: 'Disconnect' }).click()
  await expect.element(toasts).toMatchTextContent('Es tu última forma de entrar. Añade otra antes.')
})

test('OIDC-12 a connected account of a former issuer is shown as unusable, and the provider can be connected again', async () => {
  const settings = answerAccountSettings({ providers: [casa] })
  settings.identities = [{ $id: 'identity1', provider: 'casa', email: 'ana@casa.test', usable: false }]
  await openApp('/settings/account')
  const box = page.getByRole('region', { name: 'Sign in with other accounts' })
  await expect
    .element(box)
    .toMatchTextContent(
      'ana@casa.test. You can no longer sign in with this account, because this site changed or removed the provider.',
    )
  await expect.element(box.getByRole('button', { name: 'Disconnect La Casa' })).toBeVisible()
  await expect.element(box.getByRole('button', { name: 'Connect La Casa', exact: true })).toBeVisible()
})
