import { beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import {
  confirmEmailOperation,
  keepTwoFactorOperation,
  requestPasswordResetOperation,
  requestSignInLinkOperation,
  resetPasswordOperation,
  signInByLinkOperation,
  undoEmailChangeOperation,
} from '#contract/account/email-links.ts'
import { getCommunityOperation } from '#contract/community/community.ts'
import { listPeopleOperation } from '#contract/people/people.ts'
import { getHomeFeedOperation } from '#contract/posts/posts.ts'
import { refusal } from '#tests/support/component/fake-api.ts'
import { makeCommunity, makeMember, newId } from '#tests/support/component/fixtures.ts'
import { api, openApp, signInAtServer } from '#tests/support/component/open-app.tsx'

const me = makeMember()
const linkParameters = { userId: newId('account'), secret: 'a'.repeat(64) }
const query = `userId=${linkParameters.userId}&secret=${linkParameters.secret}`
const chosen = 'tres palabras sueltas'
const title = page.getByRole('heading', { level: 1 })
const email = page.getByLabelText('Email')
const send = page.getByRole('button', { name: 'Enviar enlace' })
const expired = 'Este enlace ya no vale.'
const isAtHome = () => expect.element(page.getByRole('heading', { name: 'Following' })).toBeVisible()
const button = (name: string) => page.getByRole('button', { name, exact: true })

beforeEach(() => {
  const empty = { documents: [], next: null }
  api.answer(getHomeFeedOperation, empty)
  api.answer(listPeopleOperation, empty)
  api.answer(requestPasswordResetOperation, undefined)
})

const visit = (path: string) => openApp(path, { me: null })

function startSession() {
  signInAtServer(me)
  return { $id: newId('session'), accountId: me.accountId, secondStep: false }
}

async function choosePassword(password: string, again = password): Promise<void> {
  await page.getByLabelText('Contraseña', { exact: true }).fill(password)
  await page.getByLabelText('Repite la contraseña').fill(again)
  await button('Guardar y entrar').click()
}

async function askForLink(address = 'ana@juntas.test'): Promise<void> {
  await email.fill(address)
  await send.click()
  await expect.element(title).toHaveTextContent('Revisa tu correo')
}

test('REC-01 REC-02 REC-03 ana requests a link from the sign-in page, and every email address gets the same answer', async () => {
  await visit('/sign-in')
  await page.getByRole('link', { name: '¿La olvidaste?' }).click()
  await expect.element(title).toHaveTextContent('Elige otra contraseña')
  expect(location.pathname).toBe('/recovery')
  await email.fill('foo')
  await send.click()
  await expect.element(page.getByText('Invalid email')).toBeVisible()
  await email.fill('ana@juntas.test')
  const { release } = api.hold(requestPasswordResetOperation)
  await send.click()
  await expect.element(button('Enviando...')).toHaveAttribute('aria-busy', 'true')
  release()
  const said = (address: string) =>
    `Si hay una cuenta con ${address}, el enlace ya va de camino. Vale una hora y una sola vez.`
  await expect.element(title).toHaveTextContent('Revisa tu correo')
  await expect.element(title).toHaveFocus()
  await expect.element(page.getByText(said('ana@juntas.test'))).toBeVisible()
  await button('Usar otro correo').click()
  await askForLink('nadie@juntas.test')
  await expect.element(page.getByText(said('nadie@juntas.test'))).toBeVisible()
  await expect
    .poll(() => api.callsOf(requestPasswordResetOperation))
    .toEqual([{ email: 'ana@juntas.test' }, { email: 'nadie@juntas.test' }])
})

test('REC-04 ana can request another link after a minute, and too many requests are refused', async () => {
  await visit('/recovery')
  await email.fill('bea@juntas.test')
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  await send.click()
  const again = page.getByRole('button', { name: /^Enviar otro/ })
  await expect.element(again).toBeDisabled()
  // Each poll also advances the clock, by less than a second.
  await expect.element(again).toMatchTextContent(/^Enviar otro \([1-5]\d s\)$/)
  await expect
    .poll(() => {
      vi.advanceTimersByTime(10_000)
      return again.element().textContent
    })
    .toBe('Enviar otro')
  vi.useRealTimers()
  api.refuse(requestPasswordResetOperation, 'general_rate_limit_exceeded')
  await again.click()
  await expect
    .element(page.getByRole('alert').filter({ hasText: 'Has pedido demasiados enlaces.' }))
    .toHaveTextContent('Has pedido demasiados enlaces. Prueba dentro de una hora.')
})

test('REC-05 REC-06 REC-07 dora sets a new password with the emailed link, which stays valid after a refused password', async () => {
  api.answer(resetPasswordOperation, ({ password }) =>
    password === 'password1' ? refusal('password_too_common', { field: 'password' }) : startSession(),
  )
  await visit(`/recovery/new?${query}`)
  await expect.element(title).toHaveTextContent('Tu contraseña nueva')
  expect(location.search).toBe('')
  await choosePassword(chosen, 'otras palabras sueltas')
  await expect.element(page.getByText('Las contraseñas no coinciden.')).toBeVisible()
  expect(api.callsOf(resetPasswordOperation)).toEqual([])
  await choosePassword('password1')
  await expect.element(page.getByText('Esta contraseña la usa mucha gente. Elige otra.')).toBeVisible()
  await choosePassword(chosen)
  await isAtHome()
  expect(location.pathname).toBe('/')
  await expect
    .poll(() => api.callsOf(resetPasswordOperation).at(-1))
    .toEqual({ ...linkParameters, password: chosen })
})

for (const type of ['user_invalid_token', 'user_not_found'] as const)
  test(`REC-08 after a link is refused as ${type}, the page leads to requesting another`, async () => {
    api.refuse(resetPasswordOperation, type)
    await visit(`/recovery/new?${query}`)
    await choosePassword(chosen)
    await expect.element(title).toHaveTextContent(expired)
    await page.getByRole('link', { name: 'Pedir otro' }).click()
    await expect.element(title).toHaveTextContent('Elige otra contraseña')
  })

test('REC-08 an incomplete link leads to requesting another', async () => {
  await visit('/recovery/new')
  await expect.element(title).toHaveTextContent(expired)
  await expect.element(page.getByRole('link', { name: 'Pedir otro' })).toHaveAttribute('href', '/recovery')
})

for (const outbox of [true, false])
  test(`REC-09 the page ${outbox ? 'links' : 'does not link'} to the development outbox if the server ${outbox ? 'has' : 'has no'} outbox`, async () => {
    await visit('/sign-in')
    api.answer(getCommunityOperation, makeCommunity({ outbox }))
    await page.getByRole('link', { name: '¿La olvidaste?' }).click()
    await askForLink()
    const link = page.getByRole('link', {
      name: 'No hay servidor de correo: el mensaje está en /dev/outbox',
    })
    if (outbox) await expect.element(link).toHaveAttribute('href', '/dev/outbox')
    else await expect.element(link).not.toBeInTheDocument()
  })

for (const [contact, text] of [
  ['hola@juntas.test', 'Esta comunidad no envía correos. Escribe a hola@juntas.test.'],
  [null, 'Esta comunidad no envía correos.'],
] as const)
  test(`REC-10 on a server that sends no emails the page says “${text}”`, async () => {
    await visit('/sign-in')
    api.answer(getCommunityOperation, makeCommunity({ mail: false, contact }))
    await page.getByRole('link', { name: '¿La olvidaste?' }).click()
    await expect.element(page.getByText(text, { exact: true })).toBeVisible()
    await expect.element(email).not.toBeInTheDocument()
  })

test('REC-11 iria requests a sign-in link by email', async () => {
  api.answer(requestSignInLinkOperation, undefined)
  await visit('/sign-in')
  await page.getByRole('link', { name: 'Recibir un enlace por correo' }).click()
  await expect.element(title).toHaveTextContent('Entra con un enlace')
  await askForLink('iria@juntas.test')
  await expect.poll(() => api.callsOf(requestSignInLinkOperation)).toEqual([{ email: 'iria@juntas.test' }])
})

test('REC-11 a sign-in link signs in only when its button is pressed', async () => {
  api.answer(signInByLinkOperation, startSession)
  await visit(`/sign-in/link?${query}`)
  await expect.element(title).toHaveTextContent('Entra en Juntas')
  expect(location.search).toBe('')
  expect(api.callsOf(signInByLinkOperation)).toEqual([])
  await button('Entrar').click()
  await isAtHome()
  await expect.poll(() => api.callsOf(signInByLinkOperation)).toEqual([linkParameters])
})

test('REC-11 a used sign-in link is refused', async () => {
  api.refuse(signInByLinkOperation, 'user_invalid_token')
  await visit(`/sign-in/link?${query}`)
  await button('Entrar').click()
  await expect.element(title).toHaveTextContent(expired)
})

test('VER-02 an emailed link opens a page with a button that confirms the email address and then a link to Juntas', async () => {
  api.answer(confirmEmailOperation, { recovery: null })
  await openApp(`/verify?${query}`)
  await expect.element(title).toHaveTextContent('Confirma tu correo')
  expect(location.search).toBe('')
  expect(api.callsOf(confirmEmailOperation)).toEqual([])
  await button('Confirmar mi correo').click()
  await expect.element(title).toHaveTextContent('Correo confirmado')
  await expect.poll(() => api.callsOf(confirmEmailOperation)).toEqual([linkParameters])
  await page.getByRole('link', { name: 'Ir a Juntas' }).click()
  await isAtHome()
})

test('VER-02 if nobody is signed in, confirming an email address leads to choosing a password', async () => {
  const recovery = { userId: linkParameters.userId, secret: 'b'.repeat(64) }
  api.answer(confirmEmailOperation, { recovery })
  api.answer(resetPasswordOperation, startSession)
  await visit(`/verify?${query}`)
  await button('Confirmar mi correo').click()
  await expect.element(title).toHaveTextContent('Correo confirmado')
  await page.getByRole('link', { name: 'Elegir contraseña' }).click()
  await choosePassword(chosen)
  await isAtHome()
  await expect.poll(() => api.callsOf(resetPasswordOperation)).toEqual([{ ...recovery, password: chosen }])
})

test('VER-05 without a session, confirming a changed email address requires the account’s password', async () => {
  api.answer(confirmEmailOperation, ({ password }) =>
    password === chosen ? { recovery: null } : refusal('user_invalid_credentials'),
  )
  await visit(`/verify?${query}`)
  await button('Confirmar mi correo').click()
  await expect
    .element(page.getByText('Aquí no has entrado en la cuenta. Escribe también su contraseña.'))
    .toBeVisible()
  await page.getByLabelText('Contraseña de la cuenta').fill(chosen)
  await button('Confirmar mi correo').click()
  await expect.element(title).toHaveTextContent('Correo confirmado')
})

test('VER-05 the link sent to the former email address leads to choosing a password', async () => {
  const recovery = { userId: linkParameters.userId, secret: 'b'.repeat(64) }
  api.answer(undoEmailChangeOperation, recovery)
  api.answer(resetPasswordOperation, startSession)
  await visit(`/email-undo?${query}`)
  await button('Recuperar mi cuenta').click()
  await expect.element(title).toHaveTextContent('Tu contraseña nueva')
  expect(location.pathname).toBe('/recovery/new')
  await choosePassword(chosen)
  await isAtHome()
})

test('MFA-15 the emailed link keeps two-step verification when its button is pressed', async () => {
  api.answer(keepTwoFactorOperation, undefined)
  await visit(`/sign-in/keep-two-steps?${query}`)
  expect(location.search).toBe('')
  await button('Mantenerla').click()
  await expect
    .element(page.getByRole('heading', { name: 'La verificación en dos pasos sigue activada' }))
    .toHaveFocus()
  await expect.poll(() => api.callsOf(keepTwoFactorOperation)).toEqual([{ secret: linkParameters.secret }])
})

test('MFA-15 a used link to keep two-step verification is refused', async () => {
  api.refuse(keepTwoFactorOperation, 'user_invalid_token')
  await visit(`/sign-in/keep-two-steps?${query}`)
  await button('Mantenerla').click()
  await expect.element(title).toHaveTextContent(expired)
})
