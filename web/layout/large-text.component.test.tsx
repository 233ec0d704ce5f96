import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { languageCookieName } from '#contract/language.ts'
import type { Profile } from '#contract/people/people.ts'
import { makeProfile } from '#tests/support/component/fixtures.ts'
import { openApp } from '#tests/support/component/open-app.tsx'
import { answerPeople, main } from '#tests/support/component/people.ts'
import { answerPostForm } from '#tests/support/component/post-form.ts'

const { style } = document.documentElement
afterEach(() => void style.removeProperty('font-size'))

/** In Spanish, whose labels are longer. */
async function openWithText(size: string, path: string): Promise<void> {
  style.fontSize = size
  await cookieStore.set({ name: languageCookieName, value: 'es' })
  await openApp(path, { size: { width: 320, height: 844 } })
}

const states: [state: string, given: Partial<Profile>][] = [
  ['Seguir', {}],
  ['Dejar de seguir', { following: true }],
  ['Solicitado', { isPrivate: true, requested: true }],
]

test.each(states)(
  'GEN-07 with the largest text, ‘%s’ stays inside its button beside Chat',
  async (label, given) => {
    const bea = makeProfile({ name: 'Bea', ...given })
    answerPeople([bea])
    await openWithText('150%', '/all-users')
    const card = main.getByRole('listitem').filter({ hasText: '@bea' })
    const follow = card.getByRole('button', { name: label })
    await expect.element(follow).toBeVisible()
    for (const width of [320, 360, 390, 767, 1024, 1100, 1440]) {
      await page.viewport(width, 844)
      const button = follow.element().getBoundingClientRect()
      const range = document.createRange()
      range.selectNodeContents(follow.element())
      const text = range.getBoundingClientRect()
      expect(text.left, `at ${width}`).toBeGreaterThanOrEqual(button.left)
      expect(text.right, `at ${width}`).toBeLessThanOrEqual(button.right)
    }
  },
)

test('GEN-07 at twice the text size, the choice ‘Publicación pública’ wraps and is not cut', async () => {
  answerPostForm()
  await openWithText('200%', '/create-post')
  const select = page.getByLabelText('Grupo')
  await expect.element(select).toBeVisible()
  const { lineHeight } = getComputedStyle(select.element())
  expect(select.element().clientHeight).toBeGreaterThanOrEqual(2 * Number.parseFloat(lineHeight))
})
