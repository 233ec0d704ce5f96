import { locateMessageBubble, openConversationViaApi, sendMessageViaApi } from './chat-steps.ts'
import { expect, test } from './fixtures.ts'
import { createGroupViaApi } from './group-steps.ts'
import { publishPostViaApi } from './post-steps.ts'

const markup = '<img src=x onerror=alert(1)><script>alert(2)</script>'
const marks = '{{7*7}} javascript:alert(3) "><svg/onload=alert(4)>'

test('X04 markup that members write is shown as text, and the browser blocks code that turns text into markup @quick', async ({
  member,
  signedUp,
  violations,
}) => {
  const eva = await member('Eva')
  const ana = await signedUp('Ana')
  await eva.request.patch(`/v1/people/${eva.$id}`, { data: { name: markup, bio: marks } })
  const post = await publishPostViaApi(eva, {
    caption: `${markup} ${marks}`,
    location: markup,
    tags: ['<b>x</b>'],
  })
  const group = await createGroupViaApi(eva, { name: markup.slice(0, 50), description: marks })
  const conversation = await openConversationViaApi(eva, ana)
  await sendMessageViaApi(eva, conversation, markup)
  const { page } = ana
  const dialogs: string[] = []
  page.on('dialog', async (dialog) => {
    dialogs.push(dialog.message())
    await dialog.dismiss()
  })
  const main = page.getByRole('main')

  await page.goto(`/posts/${post.$id}`)
  await expect(main.getByText(`${markup} ${marks}`)).toBeVisible()
  await page.goto(`/profile/${eva.$id}`)
  await expect(main.getByText(marks)).toBeVisible()
  await page.goto(`/groups/${group.$id}`)
  await expect(main.getByText(markup.slice(0, 50)).first()).toBeVisible()
  await page.goto('/explore')
  await expect(main.getByRole('link').first()).toBeVisible()
  await page.goto(`/chat/${conversation}`)
  await expect(locateMessageBubble(page, markup)).toBeVisible()
  expect(dialogs).toEqual([])
  await expect(page.locator('img[src="x"], svg[onload]')).toHaveCount(0)

  const stopped = await page.evaluate(() => {
    try {
      document.body.innerHTML = '<img src=x onerror=alert(1)>'
      return false
    } catch {
      return true
    }
  })
  expect(stopped).toBe(true)
  await expect.poll(() => violations).toHaveLength(1)
  expect(violations.pop()).toContain('require-trusted-types-for')
})
