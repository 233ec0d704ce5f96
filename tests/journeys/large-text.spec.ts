import { chromium, type Page } from '@playwright/test'
import { chromiumFlags, findHeadlessShell } from '#scripts/find-chromium.ts'
import { openConversationViaApi, sendMessageViaApi } from './chat-steps.ts'
import { expect, test } from './fixtures.ts'
import { createGroupViaApi } from './group-steps.ts'
import { publishPostViaApi } from './post-steps.ts'

const widths = [320, 390, 768, 1280, 1920]

/** Checks only the width. Parts that scroll may be wider. */
const findOverflow = (page: Page) =>
  page.evaluate(() => {
    const inScroller = (element: Element) => {
      for (let above = element.parentElement; above && above !== document.body; above = above.parentElement)
        if (/auto|scroll|hidden|clip/.test(getComputedStyle(above).overflowX)) return true
      return false
    }
    return [...document.body.querySelectorAll('*')]
      .filter((element) => {
        const { width, height, right } = element.getBoundingClientRect()
        return (
          width > 0 &&
          height > 0 &&
          right > document.documentElement.clientWidth + 1 &&
          getComputedStyle(element).visibility !== 'hidden' &&
          !inScroller(element)
        )
      })
      .map((element) => `${element.tagName} ${element.className} ${element.textContent?.slice(0, 30)}`)
  })

test('GEN-07 no screen scrolls sideways when text is twice its normal size', async ({ member, baseURL }) => {
  test.slow()
  const [ana, bea] = [await member('ana'), await member('bea')]
  const post = await publishPostViaApi(bea, { caption: 'Un jarrón de barro', tags: ['barro'] })
  const group = await createGroupViaApi(ana, { name: 'Senderistas del Norte' })
  const conversation = await openConversationViaApi(ana, bea)
  await sendMessageViaApi(bea, conversation, 'Hola, ¿vienes el domingo?')
  const browser = await chromium.launch({
    executablePath: findHeadlessShell(),
    args: [...chromiumFlags, '--blink-settings=defaultFontSize=32'],
  })
  try {
    const context = await browser.newContext({ baseURL: baseURL ?? '' })
    const page = await context.newPage()
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
    await walk(['/sign-in', '/sign-up', '/recovery', '/rules'])
    const { email, password } = ana
    expect((await context.request.post('/v1/sessions', { data: { email, password } })).status()).toBe(201)
    await walk([
      ...['/', '/explore', '/all-users', '/groups', '/groups/create', '/chat', '/saved', '/create-post'],
      ...['/notifications', '/follow-requests', '/message-requests', '/photos-of-you', '/tags/barro'],
      ...[`/profile/${ana.$id}`, `/profile/${bea.$id}`, `/update-profile/${ana.$id}`, `/posts/${post.$id}`],
      ...[`/groups/${group.$id}`, `/update-group/${group.$id}`, `/groups/${group.$id}/requests`],
      ...[`/chat/${conversation}`, '/settings', '/settings/profile', '/settings/account'],
      ...['/settings/security', '/settings/security/devices', '/settings/privacy', '/settings/notifications'],
      ...['/settings/invitations', '/settings/data', '/settings/language'],
    ])
  } finally {
    await browser.close()
  }
})
