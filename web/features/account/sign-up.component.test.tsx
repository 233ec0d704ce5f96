import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import {
  getCurrentSessionOperation,
  signInOperation,
  signUpOperation,
} from '#contract/account/sign-up-and-sign-in.ts'
import type { ErrorType } from '#contract/errors.ts'
import { listPeopleOperation } from '#contract/people/people.ts'
import { getHomeFeedOperation } from '#contract/posts/posts.ts'
import { makeMember, newId } from '#tests/support/component/fixtures.ts'
import { api, openApp, phone, signInAtServer } from '#tests/support/component/open-app.tsx'

const eva = { name: 'Eva', username: 'eva', email: 'eva@juntas.test', password: 'una clave larga' }
const labels = { name: 'Nombre', username: 'Nombre de usuaria', email: 'Email', password: 'Contraseña' }
const field = (label: string) => page.getByLabelText(label, { exact: true })
const submit = page.getByRole('button', { name: 'Crear cuenta' })
const toast = page.getByRole('region', { name: /^(Avisos|Notifications) \(F8\)$/ }).getByRole('listitem')
const me = makeMember(eva)

beforeEach(() => {
  api.answer(getHomeFeedOperation, { documents: [], next: null })
  api.answer(listPeopleOperation, { documents: [], next: null })
  api.answer(signUpOperation, { $id: me.$id, accountId: me.accountId })
  api.answer(signInOperation, () => {
    signInAtServer(me)
    return { $id: newId('session'), accountId: me.accountId, secondStep: false }
  })
})

async function openForm(given: Partial<typeof eva> = {}): Promise<void> {
  await openApp('/sign-up', { me: null })
  await fillForm(given)
}

async function fillForm(given: Partial<typeof eva> = {}): Promise<void> {
  for (const [name, value] of Object.entries({ ...eva, ...given }))
    await field(labels[name as keyof typeof labels]).fill(value)
}

const isAtHome = () => expect.element(page.getByRole('heading', { name: 'Following' })).toBeVisible()

test('SUP-01 SUP-02 SUP-04 GEN-02 the sign-up form is in Spanish and addresses women', async () => {
  await openApp('/sign-up', { me: null })
  for (const label of Object.values(labels)) await expect.element(field(label)).toBeVisible()
  expect(document.documentElement.lang).toBe('es')
  await expect.poll(() => document.title).toBe('Crea tu cuenta en Juntas')
  const names = [...document.querySelectorAll('form input')].map((input) => input.getAttribute('name'))
  expect(names).toEqual(['name', 'username', 'email', 'password'])
  await expect.element(page.getByText('Mínimo 8 caracteres.')).toBeVisible()
  await expect.element(submit).toHaveTextContent('Crear cuenta')
  await expect
    .element(page.getByRole('link', { name: 'Entra', exact: true }))
    .toHaveAttribute('href', '/sign-in')
})

test('SUP-05 SUP-06 SUP-07 SUP-08 each invalid field shows its error until it is valid', async () => {
  await openForm({ name: ' A ', username: 'a', email: 'foo', password: '1234567' })
  await submit.click()
  const says = (label: string, text: string) =>
    expect.element(field(label)).toHaveAccessibleDescription(expect.stringContaining(text))
  await says('Nombre', 'Name must be at least 2 characters.')
  await says('Nombre de usuaria', 'Name must be at least 2 characters.')
  await says('Email', 'Invalid email')
  await says('Contraseña', 'Password must be at least 8 characters.')
  expect(page.getByText(/Al menos 2 caracteres|Mínimo 8 caracteres/).elements()).toEqual([])
  await expect.element(field('Nombre')).toHaveFocus()
  await field('Nombre de usuaria').fill('dos palabras')
  await says('Nombre de usuaria', 'Usa solo letras')
  await fillForm({ name: 'Al' })
  await expect.poll(() => document.querySelectorAll('[aria-invalid=true]').length).toBe(0)
  expect(api.callsOf(signUpOperation)).toEqual([])
})

test('SUP-03 the button is busy through all three requests of a sign-up', async () => {
  await openForm()
  const held = [signUpOperation, signInOperation, getCurrentSessionOperation].map((operation) =>
    api.hold(operation),
  )
  await submit.click()
  for (const { arrived, release } of held) {
    await arrived
    await expect
      .element(page.getByRole('button', { name: 'Creando cuenta...' }))
      .toHaveAttribute('aria-busy', 'true')
    release()
  }
  await isAtHome()
})

test('SUP-03 a double click, or pressing the button twice at once, signs up once', async () => {
  await openForm()
  const { release } = api.hold(signUpOperation)
  const button = submit.element() as HTMLButtonElement
  button.click()
  button.click()
  await userEvent.dblClick(page.getByRole('button', { name: 'Creando cuenta...' }))
  release()
  await isAtHome()
  await expect.poll(() => api.callsOf(signUpOperation)).toEqual([{ ...eva, welcome: true }])
  expect(page.getByText('Sign up failed. Please try again.').elements()).toEqual([])
})

test.each<[keyof typeof labels, ErrorType, string]>([
  ['username', 'user_username_already_exists', 'Este nombre de usuaria ya lo tiene otra. Elige otro.'],
  ['email', 'user_already_exists', 'Este email ya tiene una cuenta. Entra con ella.'],
])(
  'SUP-09 SIN-13 ERR-12 a taken %s shows an error at its field until eva enters another',
  async (name, type, said) => {
    await openForm()
    api.refuse(signUpOperation, type)
    await submit.click()
    await expect.element(toast).toHaveTextContent('Sign up failed. Please try again.')
    // The field has the alert role, so its toast shows no alert icon.
    expect(toast.element().querySelector('svg.lucide-circle-alert')).toBeNull()
    const wrong = field(labels[name])
    await expect.element(wrong).toHaveAccessibleDescription(expect.stringContaining(said))
    await expect.element(wrong).toHaveFocus()
    await expect.element(page.getByText(said)).not.toHaveAttribute('lang', 'en')
    expect(page.getByRole('link', { name: 'Entra con este email' }).elements()).toHaveLength(
      name === 'email' ? 1 : 0,
    )
    // A toast stays while the pointer is over it.
    await toast.hover()
    await wrong.fill(name === 'email' ? 'otra@juntas.test' : 'otra')
    await expect.element(page.getByText(said)).not.toBeInTheDocument()
    await expect.element(toast).not.toBeInTheDocument()
    api.answer(signUpOperation, { $id: me.$id, accountId: me.accountId })
    await userEvent.keyboard('{Enter}')
    await isAtHome()
  },
)

test('SUP-09 a common password is refused at its field', async () => {
  await openForm()
  api.refuse(signUpOperation, 'password_too_common', { field: 'password' })
  await submit.click()
  await expect.element(toast).toHaveTextContent('Sign up failed. Please try again.')
  const said = 'Esta contraseña la usa mucha gente. Elige otra.'
  await expect.element(field('Contraseña')).toHaveAccessibleDescription(expect.stringContaining(said))
  await expect.element(page.getByText(said)).not.toHaveAttribute('lang', 'en')
})

test('SUP-11 SUP-12 ERR-12 if eva is registered but cannot be signed in, the sign-in page opens with her email', async () => {
  await openForm()
  api.refuse(signInOperation, 500)
  await submit.click()
  await expect.element(page.getByRole('heading', { name: 'Bienvenida de nuevo' })).toBeVisible()
  expect(location.pathname).toBe('/sign-in')
  await expect.element(toast).toHaveTextContent('Something went wrong. Please login your new account')
  await expect.element(field('Email')).toHaveValue(eva.email)
  await expect
    .element(page.getByText('Ya tienes cuenta con este email. Entra con tu contraseña.'))
    .toBeVisible()
})

test('SUP-14 ERR-12 if the last session check fails, a toast says so and eva stays on the page', async () => {
  await openForm()
  api.answer(signInOperation, () => ({ $id: newId('session'), accountId: me.accountId, secondStep: false }))
  api.refuse(getCurrentSessionOperation, 500)
  await submit.click()
  await expect.element(toast).toHaveTextContent('Login failed. Please try again.')
  expect(location.pathname).toBe('/sign-up')
})

test('GEN-05 on a phone the toast covers no button of the sign-up form', async () => {
  await openApp('/sign-up', { me: null, size: phone })
  await fillForm()
  api.refuse(signUpOperation, 'network')
  await submit.click()
  await expect.element(toast).toHaveTextContent('Sign up failed. Please try again.')
  await expect.element(submit).toBeVisible()
  scrollTo(0, 0)
  const [shown, button] = [toast.element().getBoundingClientRect(), submit.element().getBoundingClientRect()]
  expect(shown.bottom).toBeLessThan(button.top)
})
