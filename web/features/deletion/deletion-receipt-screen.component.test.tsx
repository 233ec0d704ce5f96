import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  checkReceiptOperation,
  eraseNowOperation,
  getDeletionOperation,
  getReceiptOperation,
} from '#contract/deletion/deletion.ts'
import { refusal } from '#tests/support/component/fake-api.ts'
import { newId } from '#tests/support/component/fixtures.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'

const title = page.getByRole('heading', { level: 1 })
const check = page.getByRole('button', { name: 'Comprobar la firma' })

test('DEL-12 the receipt counts what was erased, and says whether its signature is valid', async () => {
  const counts = {
    photos: 1,
    bytes: 2000,
    posts: 1,
    comments: 0,
    marks: 0,
    ties: 0,
    signIns: 2,
    notifications: 0,
    messagesKept: 3,
    messagesTakenBack: 0,
  }
  const signed = 'head.body.seal'
  const at = '2026-11-29T10:00:00.000Z'
  api.answer(getReceiptOperation, {
    state: 'done',
    eraseAfter: at,
    receipt: { counts, erasedAt: at, goneFromBackupsAt: at, signed, key: 'abcd' },
  })
  await openApp(`/receipt/${newId('receipt')}`, { me: null })
  await expect.element(title).toHaveTextContent('Recibo de borrado')
  const line = (what: string) =>
    [...document.querySelectorAll('dl > div')].find(({ textContent }) => textContent?.includes(what))
      ?.textContent
  await expect.poll(() => line('Publicaciones')).toMatch(/1$/)
  expect(line('Mensajes que otras conservan')).toMatch(/3$/)
  api.answer(checkReceiptOperation, { valid: true })
  await check.click()
  await expect.element(page.getByText('La firma es válida.')).toBeVisible()
  api.answer(checkReceiptOperation, { valid: false })
  await check.click()
  await expect.element(page.getByText('Este recibo no es nuestro.')).toBeVisible()
  await expect.poll(() => api.callsOf(checkReceiptOperation)).toEqual([{ signed }, { signed }])
})

test('DEL-12 the receipt page says if a URL has no receipt', async () => {
  api.refuse(getReceiptOperation, 'receipt_not_found')
  await openApp('/receipt/nobody', { me: null })
  await expect.element(title).toHaveTextContent('Aquí no hay ningún recibo')
})

test('DEL-06 DEL-08 erasing the account immediately asks for username and password again', async () => {
  const asked = '2026-11-29T10:00:00.000Z'
  api.answer(getDeletionOperation, {
    name: 'Hana',
    username: 'hana',
    askedAt: asked,
    eraseAfter: '2026-12-13T10:00:00.000Z',
    asksForPassword: true,
    asksForCode: false,
  })
  api.answer(eraseNowOperation, ({ username }) =>
    refusal(username === 'hana' ? 'deletion_under_way' : 'username_mismatch'),
  )
  await openApp('/sign-in/closing', { me: null })
  await expect.element(title).toHaveTextContent('Tu cuenta se borra el 13 de diciembre')
  await page.getByRole('button', { name: 'Bórrala ya' }).click()
  const form = page.getByRole('form', { name: 'Borrar ya' })
  const username = form.getByLabelText(/^Escribe tu nombre de usuaria/)
  const erase = form.getByRole('button', { name: 'Borrarla para siempre' })
  await form.getByLabelText('Contraseña', { exact: true }).fill('una clave larga')
  await username.fill('otra')
  await erase.click()
  await expect.element(form.getByText('Ese no es tu nombre de usuaria.')).toBeVisible()
  await username.fill('hana')
  await erase.click()
  await expect
    .poll(() => api.callsOf(eraseNowOperation).at(-1))
    .toEqual({ username: 'hana', password: 'una clave larga' })
})
