import { findAxeProblems } from './axe-steps.ts'
import {
  locateMessageBubble,
  locateMessageInput,
  openConversationPage,
  openConversationViaApi,
  sendMessageViaApi,
  typeAndSendMessage,
} from './chat-steps.ts'
import { expect, type JourneyMember, type JourneyMemberWithPage, test } from './fixtures.ts'

type Shown = { showsTyping?: boolean; showsReceipts?: boolean }

async function choose(person: JourneyMember, shown: Shown): Promise<void> {
  expect((await person.request.patch('/v1/me/privacy', { data: shown })).ok()).toBe(true)
}

async function talking(signedUp: (name: string) => Promise<JourneyMemberWithPage>) {
  const [ana, bea] = [await signedUp('ana'), await signedUp('bea')]
  const talk = await openConversationViaApi(ana, bea)
  await sendMessageViaApi(ana, talk, 'hola')
  return { ana, bea, talk }
}

test('TYPE-01 who turned it on sees the other write, if she did too, and of three other couples nobody does @quick', async ({
  signedUp,
}) => {
  const { ana, bea, talk } = await talking(signedUp)
  for (const [hers, mine] of [
    [false, false],
    [true, false],
    [false, true],
    [true, true],
  ] as const) {
    await choose(bea, { showsTyping: hers })
    await choose(ana, { showsTyping: mine })
    await openConversationPage(ana, talk)
    await openConversationPage(bea, talk)
    await locateMessageInput(bea.page).pressSequentially('va')
    const typing = ana.page.getByText('bea is typing…')
    if (hers && mine) await expect(typing).toBeVisible()
    else {
      await sendMessageViaApi(bea, talk, `${hers} ${mine}`)
      await expect(locateMessageBubble(ana.page, `${hers} ${mine}`)).toBeVisible()
      await expect(typing).toBeHidden()
    }
  }
  await expect(bea.page.getByText('is typing…')).toBeHidden()
  expect(await findAxeProblems(ana.page)).toEqual([])
})

/** Both show that they write, and bea begins to. */
async function seeingBeaWrite(signedUp: (name: string) => Promise<JourneyMemberWithPage>) {
  const { ana, bea, talk } = await talking(signedUp)
  await choose(ana, { showsTyping: true })
  await choose(bea, { showsTyping: true })
  await ana.page.clock.install()
  await openConversationPage(ana, talk)
  await openConversationPage(bea, talk)
  await locateMessageInput(bea.page).pressSequentially('v')
  const typing = ana.page.getByText('bea is typing…')
  await expect(typing).toBeVisible()
  return { ana, bea, typing }
}

test('TYPE-02 it goes seven seconds after the last sign, and is not announced', async ({ signedUp }) => {
  const { ana, typing } = await seeingBeaWrite(signedUp)
  expect(
    await typing.evaluate((element) => element.closest('[aria-live], [role=status], [role=log]')),
  ).toBeNull()
  await ana.page.clock.runFor(7000)
  await expect(typing).toBeHidden()
})

test('TYPE-02 it goes with the message', async ({ signedUp }) => {
  const { ana, bea, typing } = await seeingBeaWrite(signedUp)
  const now = () => ana.page.evaluate(() => Date.now())
  const before = await now()
  await locateMessageInput(bea.page).press('Enter')
  await expect(ana.page.getByRole('log')).toContainText('bea: v')
  await expect(typing).toBeHidden()
  expect((await now()) - before).toBeLessThan(5000)
})

test('TYPE-01 TYPE-03 the settings have both, typing off and receipts on, and keep what she chose', async ({
  signedUp,
}) => {
  const { page } = await signedUp('ana')
  await page.goto('/settings/privacy')
  const [typing, receipts] = [
    page.getByRole('switch', { name: 'Show when I’m typing' }),
    page.getByRole('switch', { name: 'Show when I’ve read messages' }),
  ]
  await expect(typing).not.toBeChecked()
  await expect(receipts).toBeChecked()
  for (const [choice, checked] of [
    [typing, true],
    [receipts, false],
  ] as const) {
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
    await choice.click()
    expect((await saved).status()).toBe(200)
    await expect(choice).toBeChecked({ checked })
  }
  await page.reload()
  await expect(typing).toBeChecked()
  await expect(receipts).not.toBeChecked()
})

test('TYPE-03 a choice that fails is taken back and said', async ({ signedUp }) => {
  const { page } = await signedUp('ana')
  await page.route('**/v1/me/privacy', (route) =>
    route.request().method() === 'PATCH' ? route.fulfill({ status: 500, json: {} }) : route.fallback(),
  )
  await page.goto('/settings/privacy')
  const receipts = page.getByRole('switch', { name: 'Show when I’ve read messages' })
  await receipts.click()
  await expect(page.getByText('Something went wrong. Please try again.', { exact: true })).toBeVisible()
  await expect(receipts).toBeChecked()
})

test('TYPE-03 CMSG-18 with both on the check turns coloured; off on either side it does for neither', async ({
  signedUp,
}) => {
  const { ana, bea, talk } = await talking(signedUp)
  const status = (page: JourneyMemberWithPage['page'], text: string, name: string) =>
    locateMessageBubble(page, text).getByRole('img', { name })
  await openConversationPage(ana, talk)
  await openConversationPage(bea, talk)
  await typeAndSendMessage(ana.page, 'uno')
  await expect(status(ana.page, 'uno', 'Read')).toBeVisible()

  await choose(bea, { showsReceipts: false })
  await typeAndSendMessage(ana.page, 'dos')
  await expect(locateMessageBubble(bea.page, 'dos')).toBeVisible()
  // She answers: what was written before it has been read.
  await typeAndSendMessage(bea.page, 'tres')
  await expect(locateMessageBubble(ana.page, 'tres')).toBeVisible()
  await expect(status(ana.page, 'dos', 'Delivered')).toBeVisible()
  await expect(status(bea.page, 'tres', 'Delivered')).toBeVisible()
  await openConversationPage(ana, talk)
  await expect(status(ana.page, 'uno', 'Delivered')).toBeVisible()
  await expect(status(ana.page, 'dos', 'Delivered')).toBeVisible()
  // Her own dot is gone all the same.
  await openConversationPage(bea, talk)
  await expect(bea.page.getByText('unread conversations:')).toBeHidden()
})
