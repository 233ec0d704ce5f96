import type { Page } from '@playwright/test'
import { locateMessageInput, locateUserSearchInput, openConversationViaApi } from './chat-steps.ts'
import { expect, test } from './fixtures.ts'
import { createGroupViaApi } from './group-steps.ts'
import { publishPostViaApi } from './post-steps.ts'

/** Texts allowed on member pages: chat search, its labels and prompt. */
const spanish = [
  'Buscar usuarios',
  'Buscar usuarios...',
  'Usuarios',
  'No se encontraron usuarios',
  'Elige una conversación para empezar a chatear.',
]

const sentences = (page: Page) =>
  page.evaluate(() => {
    const said: { text: string; lang: string }[] = []
    const add = (element: Element, text: string | null) => {
      const lang = element.closest('[lang]')?.getAttribute('lang') ?? ''
      if (text?.trim()) said.push({ text: text.trim(), lang })
    }
    for (const element of document.body.querySelectorAll('*')) {
      if (element.closest('script, style')) continue
      for (const name of ['aria-label', 'placeholder', 'title', 'alt'])
        add(element, element.getAttribute(name))
      for (const node of element.childNodes) if (node.nodeType === 3) add(element, node.textContent)
    }
    return said
  })

const soundsSpanish =
  /[áéíóúñ¿¡]|\b(el|la|los|las|un|una|de|del|y|que|con|para|por|se|no hay|tu|tus|usuarios?|grupo)\b/i

test.use({ ownServer: 'language' })
// All tests share one worker, with its server and browser.
test.describe.configure({ mode: 'default' })

test('GEN-03 every page of a member is in English, except the Spanish texts of the spec, which are marked as Spanish', async ({
  member,
  signedUp,
}) => {
  test.slow()
  const [ana, bea] = [await signedUp('Ann'), await member('Bee')]
  const post = await publishPostViaApi(ana, { caption: 'Sunny pots', location: 'Town', tags: ['sun'] })
  const group = await createGroupViaApi(ana, { name: 'Knitting' })
  const other = await createGroupViaApi(bea, { name: 'Reading' })
  const conversation = await openConversationViaApi(ana, bea)
  const { page } = ana
  const paths = [
    '/',
    '/explore',
    '/all-users',
    '/groups',
    '/groups/create',
    '/settings',
    '/settings/profile',
    '/settings/account',
    '/settings/security',
    '/settings/security/devices',
    '/settings/security/log',
    '/settings/privacy',
    '/follow-requests',
    '/message-requests',
    `/groups/${group.$id}`,
    `/groups/${group.$id}/requests`,
    `/groups/${other.$id}`,
    `/groups/${other.$id}/requests`,
    `/update-group/${group.$id}`,
    '/groups/nowhere',
    '/chat',
    `/chat/${conversation}`,
    '/saved',
    '/create-post',
    `/posts/${post.$id}`,
    '/posts/nowhere',
    `/update-post/${post.$id}`,
    `/profile/${ana.$id}`,
    `/profile/${ana.$id}/liked-posts`,
    `/profile/${bea.$id}`,
    '/profile/nobody',
    `/update-profile/${ana.$id}`,
    '/no/such/page',
  ]
  const met = new Set<string>()
  for (const path of paths) {
    await page.goto(path)
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeAttached()
    await expect(page.getByRole('main').getByRole('status').filter({ hasText: 'Loading' })).toHaveCount(0)
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    if (path === '/chat') {
      await locateUserSearchInput(page).fill('nobody has this name')
      await expect(page.getByText('No se encontraron usuarios')).toBeVisible()
    }
    if (path.startsWith('/chat/')) await expect(locateMessageInput(page)).toBeVisible()
    for (const { text, lang } of await sentences(page)) {
      if (lang === 'es') met.add(text)
      else expect(text, path).not.toMatch(soundsSpanish)
    }
  }
  expect([...met].toSorted()).toEqual(spanish.toSorted())
})
