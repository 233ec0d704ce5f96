import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { getCurrentSessionOperation, signInOperation } from '#contract/account/sign-up-and-sign-in.ts'
import { listPeopleOperation } from '#contract/people/people.ts'
import { getHomeFeedOperation } from '#contract/posts/posts.ts'
import { makeMember, newId } from '#tests/support/component/fixtures.ts'
import { api, openApp, signInAtServer } from '#tests/support/component/open-app.tsx'

const me = makeMember()
const email = page.getByLabelText('Email')
const password = page.getByLabelText('Contraseña', { exact: true })
const submit = page.getByRole('button', { name: 'Entrar', exact: true })
const toast = page.getByRole('region', { name: 'Avisos (F8)' }).getByRole('listitem')
const failed = 'Login failed. Please try again.'

beforeEach(() => {
  api.answer(getHomeFeedOperation, { documents: [], next: null })
  api.answer(listPeopleOperation, { documents: [], next: null })
  api.answer(signInOperation, () => {
    signInAtServer(me)
    return { $id: newId('session'), accountId: me.accountId, secondStep: false }
  })
})

async function fillForm(): Promise<void> {
  await email.fill(me.email)
  await password.fill('una clave larga')
}

test('SIN-01 SIN-02 SIN-04 GEN-02 the sign-in form is in Spanish and addresses women', async () => {
  await openApp('/sign-in', { me: null })
  await expect.element(page.getByRole('heading', { level: 1, name: 'Bienvenida de nuevo' })).toBeVisible()
  expect(document.documentElement.lang).toBe('es')
  await expect.poll(() => document.title).toBe('Entra en Juntas')
  await expect.element(email).toHaveAttribute('name', 'email')
  await expect.element(email).toHaveAttribute('type', 'email')
  await expect.element(password).toHaveAttribute('name', 'password')
  await expect.element(password).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Mostrar contraseña' }).click()
  await expect.element(password).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Ocultar contraseña' }).click()
  await expect.element(password).toHaveAttribute('type', 'password')
  await expect.element(submit).toHaveTextContent('Entrar')
  await expect.element(page.getByRole('link', { name: 'Crea tu cuenta' })).toHaveAttribute('href', '/sign-up')
  expect(page.getByRole('navigation').elements()).toEqual([])
})

test('SIN-05 SIN-06 SIN-12 invalid fields show errors, the first is focused, and nothing is sent', async () => {
  await openApp('/sign-in', { me: null })
  await submit.click()
  await expect.element(page.getByText('Invalid email')).toBeVisible()
  await expect.element(page.getByText('Password must be at least 8 characters.')).toBeVisible()
  await expect.element(email).toHaveFocus()
  await email.fill('foo')
  await password.fill('1234567')
  await expect.element(page.getByText('Invalid email')).toBeVisible()
  await email.fill('foo@juntas.test')
  await expect.element(page.getByText('Invalid email')).not.toBeInTheDocument()
  await submit.click()
  await expect.element(password).toHaveFocus()
  await expect.element(password).toHaveAccessibleDescription('Password must be at least 8 characters.')
  expect(api.callsOf(signInOperation)).toEqual([])
  await password.fill('12345678')
  await submit.click()
  await expect.poll(() => api.callsOf(signInOperation)).toHaveLength(1)
})

test('SIN-03 a busy form shows that it is busy and sends once', async () => {
  await openApp('/sign-in', { me: null })
  const { release } = api.hold(signInOperation)
  await fillForm()
  await submit.click()
  const busy = page.getByRole('button', { name: 'Entrando...' })
  await expect.element(busy).toHaveAttribute('aria-busy', 'true')
  await expect.element(busy).toHaveTextContent('Entrando...')
  await busy.click()
  await email.click()
  await userEvent.keyboard('{Enter}')
  release()
  await expect.element(page.getByRole('heading', { name: 'Following' })).toBeVisible()
  await expect
    .poll(() => api.callsOf(signInOperation))
    .toEqual([{ email: me.email, password: 'una clave larga' }])
})

test('SIN-07 CACHE-03 a wrong password shows one toast after one request, and the email stays in the form', async () => {
  await openApp('/sign-in', { me: null })
  api.refuse(signInOperation, 'user_invalid_credentials')
  await fillForm()
  await submit.click()
  await expect.element(toast).toHaveTextContent(failed)
  await expect.poll(() => toast.elements()).toHaveLength(1)
  expect(location.pathname).toBe('/sign-in')
  await expect.element(email).toHaveValue(me.email)
  await expect.poll(() => api.callsOf(signInOperation)).toHaveLength(1)
})

test('SIN-13 the next attempt clears the messages of the form and the toast', async () => {
  await openApp('/sign-in', { me: null })
  api.refuse(signInOperation, 'user_invalid_credentials')
  await fillForm()
  await submit.click()
  const said = page.getByText('El email o la contraseña no son correctos.')
  await expect.element(said).toBeVisible()
  // A toast stays while the pointer is over it.
  await toast.hover()
  const { release } = api.hold(signInOperation)
  await password.fill('otra clave larga')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('button', { name: 'Entrando...' })).toBeVisible()
  await expect.element(said).not.toBeInTheDocument()
  await expect.element(toast).not.toBeInTheDocument()
  release()
  await expect.element(said).toBeVisible()
})

test('SIN-09 ERR-12 if the session check after sign-in fails, a toast says so and ana stays on the page', async () => {
  await openApp('/sign-in', { me: null })
  api.answer(signInOperation, () => ({ $id: newId('session'), accountId: me.accountId, secondStep: false }))
  api.refuse(getCurrentSessionOperation, 'general_unauthorized_scope')
  await fillForm()
  await submit.click()
  await expect.element(toast).toHaveTextContent(failed)
  expect(location.pathname).toBe('/sign-in')
})

test('SIN-11 a sign-in without a network shows the toast', async () => {
  await openApp('/sign-in', { me: null })
  api.refuse(signInOperation, 'network')
  await fillForm()
  await submit.click()
  await expect.element(toast).toHaveTextContent(failed)
  expect(location.pathname).toBe('/sign-in')
})
