import { chromium, type Page } from '@playwright/test'
import { languageCookieName } from '#contract/language.ts'
import { chromiumFlags, findHeadlessShell } from '#scripts/find-chromium.ts'
import { openConversationViaApi, sendMessageViaApi } from './chat-steps.ts'
import { expect, test } from './fixtures.ts'
import { createGroupViaApi, submitJoinRequest } from './group-steps.ts'
import { followMemberViaApi, publishPostViaApi } from './post-steps.ts'

const widths = [320, 390, 768, 1024, 1440, 1920]

/** Parts outside the page, and text that its box cuts without an ellipsis. Parts that scroll may be wider. */
const findOverflow = (page: Page) =>
  page.evaluate(() => {
    const textsOf = (element: Element) =>
      [...element.childNodes].filter(({ nodeType, textContent }) => nodeType === 3 && textContent?.trim())
    const isCut = (element: Element, text: Node): boolean => {
      const range = document.createRange()
      range.selectNodeContents(text)
      const { left, right } = range.getBoundingClientRect()
      for (let above: Element | null = element; above; above = above.parentElement) {
        const { overflowX, textOverflow, webkitLineClamp } = getComputedStyle(above)
        const box = above.getBoundingClientRect()
        if (box.width < 3 || textOverflow === 'ellipsis' || webkitLineClamp !== 'none') return false
        const isWider = left < box.left - 1 || right > box.right + 1
        if (/auto|scroll/.test(overflowX)) return false
        if (isWider && /hidden|clip/.test(overflowX)) return true
        if (isWider && above.tagName === 'BUTTON') return true
      }
      return false
    }
    const inScroller = (element: Element) => {
      for (let above = element.parentElement; above && above !== document.body; above = above.parentElement)
        if (/auto|scroll|hidden|clip/.test(getComputedStyle(above).overflowX)) return true
      return false
    }
    return [...document.body.querySelectorAll('*')]
      .filter((element) => {
        const { width, height, left, right } = element.getBoundingClientRect()
        return (
          width > 0 &&
          height > 0 &&
          element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
          (((right > document.documentElement.clientWidth + 1 || left < -1) && !inScroller(element)) ||
            textsOf(element).some((text) => isCut(element, text)))
        )
      })
      .map((element) => `${element.tagName} ${element.className} ${element.textContent?.slice(0, 30)}`)
  })

for (const language of ['es', 'en'] as const)
  test(`GEN-07 no screen scrolls sideways or cuts text at twice the normal size, in ${language === 'es' ? 'Spanish' : 'English'}`, async ({
    member,
    baseURL,
  }) => {
    test.setTimeout(600_000)
    const [ana, bea] = [await member('ana'), await member('bea')]
    const post = await publishPostViaApi(bea, { caption: 'Un jarrón de barro', tags: ['barro'] })
    const own = await publishPostViaApi(ana, { caption: 'Azulejos', location: 'El Saler, Valencia' })
    await followMemberViaApi(ana, bea)
    const group = await createGroupViaApi(ana, { name: 'Senderistas del Norte' })
    await submitJoinRequest(bea, group)
    const conversation = await openConversationViaApi(ana, bea)
    await sendMessageViaApi(bea, conversation, 'Hola, ¿vienes el domingo?')
    const browser = await chromium.launch({
      executablePath: findHeadlessShell(),
      args: [...chromiumFlags, '--blink-settings=defaultFontSize=32'],
    })
    try {
      const context = await browser.newContext({ baseURL: baseURL ?? '' })
      const page = await context.newPage()
      // A whole date is longer than "2 minutes ago".
      await page.clock.setFixedTime(Date.now() + 40 * 86_400_000)
      const walk = async (paths: readonly string[]) => {
        for (const path of paths) {
          await page.goto(path)
          await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached()
          await expect(page.getByRole('status', { name: /Loading|Cargando/ })).toHaveCount(0)
          for (const width of widths) {
            await page.setViewportSize({ width, height: 900 })
            await expect(async () => {
              expect(await findOverflow(page), `${path} at ${width}`).toEqual([])
            }).toPass()
          }
        }
      }
      const domain = new URL(baseURL ?? '').hostname
      await context.addCookies([{ name: languageCookieName, value: language, domain, path: '/' }])
      await walk(['/sign-in', '/sign-up', '/recovery', '/rules'])
      const { email, password } = ana
      expect((await context.request.post('/v1/sessions', { data: { email, password } })).status()).toBe(201)
      await walk([
        ...['/', '/explore', '/all-users', '/groups', '/groups/create', '/chat', '/saved', '/create-post'],
        ...['/notifications', '/follow-requests', '/message-requests', '/photos-of-you', '/tags/barro'],
        ...[`/profile/${ana.$id}`, `/profile/${bea.$id}`, `/update-profile/${ana.$id}`, `/posts/${post.$id}`],
        ...[`/posts/${own.$id}`, `/update-post/${own.$id}`, '/settings/security/code'],
        ...[`/groups/${group.$id}`, `/update-group/${group.$id}`, `/groups/${group.$id}/requests`],
        ...[`/chat/${conversation}`, '/settings', '/settings/profile', '/settings/account'],
        ...[
          '/settings/security',
          '/settings/security/devices',
          '/settings/privacy',
          '/settings/notifications',
        ],
        ...['/settings/invitations', '/settings/data', '/settings/appearance'],
      ])
    } finally {
      await browser.close()
    }
  })
