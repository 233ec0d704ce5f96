import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { answerAccountSettings } from '#tests/support/component/account-settings.ts'
import { openApp } from '#tests/support/component/open-app.tsx'
import { main } from '#tests/support/component/people.ts'
import { formatDateAndTime, formatRelativeTime } from '#web/format-time.ts'

const readIn = (language: string) => cookieStore.set('juntas-language', language)

test('LANG-09 sign-in is Portuguese for a visitor who chose it, and names it a machine translation', async () => {
  await readIn('pt')
  await openApp('/sign-in', { me: null })
  await expect.element(page.getByRole('button', { name: 'Entrar', exact: true })).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'Bem-vinda de volta' })).toBeVisible()
  expect(document.documentElement.lang).toBe('pt')
  const choice = page.getByRole('button', { name: 'Português (tradução automática)' })
  await expect.element(choice).toHaveAttribute('aria-pressed', 'true')
})

test('LANG-09 a text without a translation is Spanish beside Portuguese ones', async () => {
  await readIn('pt')
  await openApp('/unsubscribe/secret', { me: null })
  await expect.element(page.getByRole('heading', { name: 'El resumen por correo' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Cancelar inscrição' })).toBeVisible()
})

test('LANG-09 Settings are Portuguese, and Portuguese is the language chosen there', async () => {
  await readIn('pt')
  answerAccountSettings()
  await openApp('/settings/language')
  await expect.element(main.getByText('Idioma', { exact: true })).toBeVisible()
  await expect.element(main.getByText('Menos movimento')).toBeVisible()
  await expect.element(main.getByRole('radio', { name: /^Português \(tradução automática\)/ })).toBeChecked()
})

test('LANG-09 times and dates are Portuguese', async () => {
  await readIn('pt')
  const now = new Date(2026, 10, 30, 12, 0)
  const ago = (minutes: number) => formatRelativeTime(new Date(now.getTime() - minutes * 60_000), now)
  expect([0, 1, 5, 60, 180, 1440, 2880].map(ago)).toEqual([
    'agora mesmo',
    'há 1 minuto',
    'há 5 minutos',
    'há 1 hora',
    'há 3 horas',
    'ontem',
    'há 2 dias',
  ])
  expect(formatDateAndTime(new Date(2025, 9, 21, 15, 5))).toBe('21 de out. de 2025, 15:05')
})
