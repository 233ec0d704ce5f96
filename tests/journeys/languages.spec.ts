import type { Locator, Page } from '@playwright/test'
import { listUiTexts } from '#tests/conventions/ui-texts.ts'
import { clickSignInButton, fillSignIn } from './auth-form-steps.ts'
import { openConversationViaApi, sendMessageViaApi } from './chat-steps.ts'
import { expect, type JourneyMember, type JourneyMemberWithPage, test } from './fixtures.ts'
import { createGroupViaApi } from './group-steps.ts'
import { followMemberViaApi, publishPostViaApi } from './post-steps.ts'

// Every word counts, and Explore must not show other tests' posts.
test.use({ ownServer: 'languages' })

const texts = listUiTexts()

/** Returns the words, without URLs and authenticator keys. */
const wordsOf = (text: string) =>
  /^(?:[A-Z2-7]{4} ?)+$/.test(text)
    ? []
    : (text
        .replace(/\S*[@/_\d]\S*/g, '')
        .toLowerCase()
        .match(/\p{L}[\p{L}’']+/gu) ?? [])

/** Returns whole texts, long parts, and words. */
function wordsOnlyIn(language: 'es' | 'en') {
  const other = language === 'es' ? 'en' : 'es'
  const others = new Set(texts.flatMap(({ texts }) => texts[other]))
  const own = texts.flatMap(({ texts }) => texts[language]).filter((text) => !others.has(text))
  const words = new Set(own.flatMap(wordsOf))
  for (const word of [...others].flatMap(wordsOf)) words.delete(word)
  return { whole: new Set(own), parts: own.filter((text) => text.length > 14 && text.includes(' ')), words }
}

const onlyIn = { es: wordsOnlyIn('es'), en: wordsOnlyIn('en') }

const sentences = (page: Page) =>
  page.evaluate(() => {
    const said: string[] = []
    for (const element of document.body.querySelectorAll('*')) {
      if (element.closest('script, style, noscript, [data-members-words]')) continue
      for (const name of ['aria-label', 'placeholder', 'title', 'alt', 'aria-roledescription'])
        said.push(element.getAttribute(name) ?? '')
      for (const node of element.childNodes) if (node.nodeType === 3) said.push(node.textContent ?? '')
    }
    return said.map((text) => text.trim()).filter(Boolean)
  })

const names = [
  'English',
  'Español',
  'Everything in English',
  'En femenino: bienvenida, administradora, todas',
  'Português (tradução automática)',
  'O que ainda não tem tradução aparece em espanhol',
]

/** Finds foreign text by its words and by the `lang` attribute. */
async function listForeignTexts(page: Page, language: 'es' | 'en'): Promise<string[]> {
  const wrong = onlyIn[language === 'es' ? 'en' : 'es']
  const met = (await sentences(page)).filter(
    (text) =>
      wrong.whole.has(text) ||
      wrong.parts.some((part) => text.includes(part)) ||
      wordsOf(text).some((word) => wrong.words.has(word)),
  )
  const marked = await page.locator(`[lang="${language === 'es' ? 'en' : 'es'}"]`).allTextContents()
  return [...met, ...marked.map((text) => text.trim())].filter(
    (text) => !names.some((name) => text === name || (marked.includes(text) && text.includes(name))),
  )
}

async function expectOnly(page: Page, language: 'es' | 'en', where: string) {
  await expect(page.locator('html'), where).toHaveAttribute('lang', language)
  expect(await listForeignTexts(page, language), where).toEqual([])
}

const settings = [
  'profile',
  'account',
  'security',
  'security/devices',
  'security/passkeys',
  'security/code',
  'security/recovery-codes',
  'security/log',
  'notifications',
  'privacy',
  'blocked',
  'quiet',
  'reports',
  'appearance',
  'data',
  'data/delete',
] // prettier-ignore

/** Creates data that belongs to no language. Ana then chooses one. */
async function settle(ana: JourneyMemberWithPage, bea: JourneyMember, language: 'es' | 'en') {
  const post = await publishPostViaApi(ana, { caption: 'Zzz zzzzz', location: 'Xxx', tags: ['zz'] })
  const group = await createGroupViaApi(ana, { name: 'Qqq' })
  const other = await createGroupViaApi(bea, { name: 'Www' })
  const inGroup = await publishPostViaApi(bea, { caption: 'Zzz zzzzz', groupId: other.$id })
  const hidden = await publishPostViaApi(bea, { caption: 'Zzz zzzzz' })
  expect((await bea.request.patch('/v1/me/privacy', { data: { isPrivate: true } })).status()).toBe(200)
  const conversation = await openConversationViaApi(ana, bea)
  const { page } = ana
  await page.goto('/settings/language')
  const reloaded = page.waitForEvent('load')
  await page.getByRole('radio', { name: language === 'es' ? 'Español' : 'English' }).click()
  await reloaded
  return { page, post, hidden, inGroup, group, other, conversation, ana, bea }
}

async function openPage(page: Page, path: string) {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached()
  await expect(
    page.locator('[role=status]').filter({ hasText: /(Loading|Cargando)(?! more| más)/ }),
  ).toHaveCount(0)
}

for (const [row, language] of [
  ['LANG-02', 'es'],
  ['LANG-03', 'en'],
] as const) {
  test(`${row} every page of a member, and everything its buttons open, is in ${language === 'es' ? 'Spanish' : 'English'} after she chooses it`, async ({
    signedUp,
    member,
  }) => {
    test.setTimeout(600_000)
    const { page, post, hidden, inGroup, group, other, conversation, ana, bea } = await settle(
      await signedUp('Zuzu'),
      await member('Kiki'),
      language,
    )
    const hers = await publishPostViaApi(await member('Lulu'), { caption: 'Zzz zzzzz' })
    await sendMessageViaApi(bea, conversation, 'Zzz')
    const pressed = new Set<string>()
    const found: string[] = []
    const paths = [
      '/',
      '/explore',
      '/explore?order=loved',
      '/explore?search=zzz',
      '/all-users',
      '/all-users?search=nobody',
      '/groups',
      '/groups?search=nothing',
      '/groups/create',
      '/settings',
      ...settings.map((section) => `/settings/${section}`),
      '/notifications',
      '/photos-of-you',
      '/follow-requests',
      '/message-requests',
      `/groups/${group.$id}`,
      `/groups/${group.$id}/requests`,
      `/groups/${group.$id}/reports`,
      `/groups/${other.$id}`,
      `/groups/${other.$id}/requests`,
      `/update-group/${group.$id}`,
      '/groups/nowhere',
      '/chat',
      `/chat/${conversation}`,
      '/chat/nowhere',
      '/saved',
      '/create-post',
      `/posts/${post.$id}`,
      `/posts/${hers.$id}`,
      '/posts/nowhere',
      `/posts/${hidden.$id}`,
      `/posts/${inGroup.$id}`,
      `/update-post/${post.$id}`,
      `/profile/${ana.$id}`,
      `/profile/${ana.$id}/liked-posts`,
      `/profile/${bea.$id}`,
      '/profile/nobody',
      `/update-profile/${ana.$id}`,
      '/tags/zz',
      '/places/Xxx',
      '/rules',
      '/receipt/nothing',
      '/no/such/page',
      '/moderation',
    ] // prettier-ignore
    // These pages come last, because their buttons change other pages.
    const withButtons = [
      `/posts/${post.$id}`,
      `/posts/${hers.$id}`,
      `/profile/${bea.$id}`,
      `/profile/${ana.$id}`,
      `/chat/${conversation}`,
      `/groups/${group.$id}`,
      `/groups/${other.$id}`,
      `/update-group/${group.$id}`,
      `/update-post/${post.$id}`,
      `/update-profile/${ana.$id}`,
      '/create-post',
      '/groups/create',
      '/all-users',
      '/message-requests',
      '/settings/profile',
      '/settings/account',
      '/settings/security',
      '/settings/security/passkeys',
      '/settings/security/code',
      '/settings/notifications',
      '/settings/privacy',
      '/settings/quiet',
      '/settings/data',
      '/settings/data/delete',
    ] // prettier-ignore
    for (const path of [...paths.filter((each) => !withButtons.includes(each)), ...withButtons]) {
      await openPage(page, path)
      await expectOnly(page, language, path)
      if (withButtons.includes(path)) found.push(...(await pressEverything(page, language, path, pressed)))
    }
    expect(found).toEqual([])
    expect(pressed.size).toBeGreaterThan(40)
  })
}

/** @returns texts in the other language */
async function pressEverything(page: Page, language: 'es' | 'en', path: string, pressed: Set<string>) {
  const found: string[] = []
  let opener = ''
  for (let times = 0; times < 80; times += 1) {
    if (new URL(page.url()).pathname !== path) await openPage(page, path)
    const next = await page.evaluate(
      (known) => {
        const isShown = (element: Element) => element.checkVisibility({ visibilityProperty: true })
        const dialog = [...document.querySelectorAll('dialog[open]')].at(-1)
        const menu = dialog?.querySelector('[role=menu]')
        if (dialog && !menu) return { inMenu: false, name: null, isOpen: true }
        const nameOf = (element: Element) =>
          (element.getAttribute('aria-label') ?? element.textContent ?? '').replace(/[\d\s]+/g, ' ').trim()
        const button = [...(menu ?? document).querySelectorAll(menu ? 'button' : 'main button:enabled')].find(
          (each) => isShown(each) && !known.includes(nameOf(each)),
        )
        for (const each of document.querySelectorAll('[data-next]')) each.removeAttribute('data-next')
        button?.setAttribute('data-next', '')
        return { inMenu: Boolean(menu), name: button ? nameOf(button) : null, isOpen: Boolean(dialog) }
      },
      [...pressed],
    )
    if (next.name === null) {
      if (!next.isOpen) return found
      await page.keyboard.press('Escape')
      continue
    }
    pressed.add(next.name)
    if (next.inMenu) pressed.delete(opener)
    else opener = next.name
    // Content is hidden while its part of the page loads.
    await expect(page.locator('[data-next]')).toBeVisible()
    await page.locator('[data-next]').click({ force: true })
    await page.waitForLoadState('networkidle')
    const foreign = await listForeignTexts(page, language)
    found.push(...foreign.map((text) => `${path}, ${next.name}: ${text}`))
  }
  return found
}

test('LANG-02 LANG-03 on a phone the bottom bar covers no field or button, and Spanish button labels fit on one line @phone', async ({
  signedUp,
  member,
}) => {
  const [ana, bea] = [await signedUp('ana'), await member('bea')]
  await followMemberViaApi(ana, bea)
  const post = await publishPostViaApi(bea)
  await ana.request.put(`/v1/posts/${post.$id}/like`, { data: {} })
  const asked = await bea.request.post(`/v1/posts/${post.$id}/people`, {
    data: { imageId: post.imageId, personId: ana.$id, x: 0.5, y: 0.5 },
  })
  expect(asked.status()).toBe(201)
  const conversation = await openConversationViaApi(ana, bea)
  const { page } = ana
  const bar = page.locator('[data-bottom-bar]')
  const topOfBar = async () => (await bar.boundingBox())?.y ?? 0
  const bottomOf = async (control: Locator) => {
    const box = await control.boundingBox()
    return box ? box.y + box.height : Number.POSITIVE_INFINITY
  }
  for (const [language, send, create] of [
    ['English', 'Send', 'Create Post'],
    ['Español', 'Enviar', 'Crear publicación'],
  ] as const) {
    await page.goto('/settings/language')
    const reloaded = page.waitForEvent('load')
    await page.getByRole('radio', { name: language }).click()
    await reloaded

    await page.goto(`/chat/${conversation}`)
    const input = page.getByRole('textbox').last()
    await expect(input).toBeVisible()
    await expect(bar).toBeVisible()
    expect(await bottomOf(input)).toBeLessThanOrEqual(await topOfBar())
    expect(await bottomOf(page.getByRole('button', { name: send, exact: true }))).toBeLessThanOrEqual(
      await topOfBar(),
    )
    // On a phone, the on-screen keyboard replaces the bar.
    await input.tap()
    await expect(bar).toBeHidden()

    await page.goto('/create-post')
    const submit = page.getByRole('button', { name: create, exact: true })
    await expect(submit).toBeVisible()
    expect(await bottomOf(submit)).toBeLessThanOrEqual(await topOfBar())

    await page.goto('/settings')
    await page.getByRole('main').getByRole('link').last().scrollIntoViewIfNeeded()
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    expect(await bottomOf(page.getByRole('main').getByRole('link').last())).toBeLessThanOrEqual(
      await topOfBar(),
    )
  }

  const expectOneLine = async (control: Locator) => {
    await control.scrollIntoViewIfNeeded()
    await page.evaluate(() => document.fonts.ready)
    const { height, isCut } = await control.evaluate((element) => {
      const words = document.createRange()
      words.selectNodeContents(element)
      const tops = [...words.getClientRects()].map(({ top }) => top)
      const inner = [element, ...element.querySelectorAll('*')]
      return {
        height: Math.max(...tops) - Math.min(...tops),
        isCut: inner.some(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth),
      }
    })
    // A second line would start lower.
    expect(height).toBeLessThan(12)
    expect(isCut).toBe(false)
  }
  await page.goto('/photos-of-you')
  await expectOneLine(page.getByRole('button', { name: 'Mostrar mi nombre' }))
  await page.goto(`/posts/${post.$id}`)
  await expectOneLine(page.getByRole('link', { name: 'A quién le gusta' }))
  await expectOneLine(page.getByRole('button', { name: 'Publicar', exact: true }))
  const box = page.getByRole('textbox', { name: 'Comentario', exact: true })
  expect((await box.boundingBox())?.height).toBeLessThan(52)
  await page.getByRole('main').getByRole('button', { name: 'Compartir' }).first().click()
  await expectOneLine(page.getByRole('button', { name: 'Copiar el enlace' }))
})

test("LANG-02 LANG-03 LANG-04 sign-in pages use the language chosen in their footer; ana's choice applies on her next device and after logout @quick", async ({
  page,
  signedUp,
  browser,
  server,
}) => {
  for (const [name, language, enter] of [
    ['English', 'en', 'Sign in'],
    ['Español', 'es', 'Entrar'],
  ] as const) {
    await page.goto('/sign-in')
    const reloaded = page.waitForEvent('load')
    await page.getByRole('button', { name, exact: true }).click()
    await reloaded
    await expect(page.getByRole('button', { name: enter, exact: true })).toBeVisible()
    for (const path of ['/sign-in', '/sign-up', '/recovery', '/sign-in/link', '/rules']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
      await expectOnly(page, language, path)
    }
  }

  const ana = await signedUp('ana')
  await ana.page.goto('/settings/language')
  const reloaded = ana.page.waitForEvent('load')
  await ana.page.getByRole('radio', { name: 'Español' }).click()
  await reloaded
  await expect(ana.page.getByRole('link', { name: 'Inicio' }).first()).toBeVisible()

  const context = await browser.newContext({ baseURL: server.url })
  const next = await context.newPage()
  await next.goto('/sign-in')
  await fillSignIn(next, ana)
  await clickSignInButton(next)
  await expect(next.getByRole('link', { name: 'Inicio' }).first()).toBeVisible()
  await expect(next.locator('html')).toHaveAttribute('lang', 'es')
  await next.getByRole('button', { name: 'Cerrar sesión' }).first().click()
  await expect(next).toHaveURL('/sign-in')
  await expect(next.locator('html')).toHaveAttribute('lang', 'es')
  await context.close()
})

const screensInPortuguese: readonly [path: string, text: string | RegExp][] = [
  ['/', 'Início'],
  ['/explore', 'Explorar'],
  ['/all-users', 'Pessoas'],
  ['/profile/me', 'Curtidas'],
  ['/profile/bea', 'Seguindo'],
  ['/update-profile/me', 'Salvar perfil'],
  ['/settings', 'Configurações'],
  ['/settings/privacy', 'Conta privada'],
  ['/settings/language', 'Idioma e aparência'],
  ['/settings/security', 'Chaves de acesso'],
  ['/settings/blocked', 'Você não bloqueou ninguém.'],
  ['/notifications', 'Notificações'],
  ['/chat', 'Conversas'],
  ['/chat/conversation', 'Mensagem'],
  ['/message-requests', 'Mensagens'],
  ['/groups', 'Grupos'],
  ['/groups/group', 'Você é a administradora'],
  ['/groups/group/requests', 'Nenhuma solicitação pendente'],
  ['/groups/create', 'Descrição'],
  ['/saved', 'Publicações salvas'],
  ['/create-post', 'Criar publicação'],
  ['/posts/post', /^Escreva um comentário/],
  ['/follow-requests', 'Solicitações para seguir'],
  ['/no/such/page', 'Não encontrado'],
]

test('LANG-09 LANG-10 ana chooses Portuguese in Settings: her screens are Portuguese and none is wider than her phone @phone', async ({
  signedUp,
  member,
}) => {
  const [ana, bea] = [await signedUp('ana'), await member('bea')]
  const post = await publishPostViaApi(bea)
  const group = await createGroupViaApi(ana)
  const conversation = await openConversationViaApi(ana, bea)
  const { page } = ana
  await page.goto('/settings/language')
  const reloaded = page.waitForEvent('load')
  await page.getByRole('radio', { name: 'Português (tradução automática)' }).click()
  await reloaded
  const ids: Record<string, string> = {
    me: ana.$id,
    bea: bea.$id,
    post: post.$id,
    group: group.$id,
    conversation,
  }
  for (const [path, text] of screensInPortuguese) {
    await openPage(
      page,
      path.replace(/(?<=\/)(me|bea|post|group|conversation)(?=\/|$)/, (name) => ids[name] ?? name),
    )
    await expect(page.locator('html'), path).toHaveAttribute('lang', 'pt')
    const shown = page
      .getByText(text)
      .or(page.getByRole('textbox', { name: text }))
      .or(page.getByPlaceholder(text))
      .or(page.getByRole('link', { name: text }))
      .filter({ visible: true })
    await expect(shown.first(), path).toBeVisible()
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(wider, path).toBeLessThanOrEqual(0)
  }
})
