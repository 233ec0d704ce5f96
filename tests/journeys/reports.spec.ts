/** Reporting a post, a person, a group, a message and a comment, and what the reporter is shown of it. */
import type { Locator, Page } from '@playwright/test'
import type { Comment } from '#contract/comments/comments.ts'
import {
  locateMessageBubble,
  openConversationPage,
  openConversationViaApi,
  sendMessageViaApi,
} from './chat-steps.ts'
import { expect, fulfillWithServerError, type JourneyMember, test } from './fixtures.ts'
import { createGroupViaApi } from './group-steps.ts'
import { tabTo } from './keyboard-steps.ts'
import { makeModerator } from './moderation-steps.ts'
import { followMemberViaApi, publishPostViaApi } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const dialog = (page: Page) => page.getByRole('dialog', { name: /What|Anything|Thank you/ })
const button = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true })
const reasons = (page: Page) => dialog(page).getByRole('radio')
const thanks = 'Thank you. It is with the moderators.'

/** From the open dialog to the thanks. */
async function sendReport(page: Page, reason: string) {
  await expect(button(page, 'Next')).toBeDisabled()
  await dialog(page).getByRole('radio', { name: reason }).check()
  await button(page, 'Next').click()
  await button(page, 'Send report').click()
  await expect(dialog(page).getByRole('heading')).toHaveText(thanks)
}

test('REP-01 REP-02 REP-04 REP-05 ana reports a post of a group and its author, says why, and blocks her @quick', async ({
  signedUp,
  member,
}) => {
  const [ana, iria] = [await signedUp('Ana'), await member('Iria Montes')]
  const group = await createGroupViaApi(iria, {}, [ana])
  const post = await publishPostViaApi(iria, { groupId: group.$id })
  const { page } = ana
  await page.goto(`/posts/${post.$id}`)
  const more = page.getByRole('button', { name: 'More about Iria Montes' })
  await more.click()
  await page.getByRole('menuitem', { name: /^Report post…/ }).click()
  await expect(dialog(page).getByRole('heading')).toHaveText('What is wrong with this post?')
  await expect(reasons(page)).toHaveCount(10)
  await expect(dialog(page).getByRole('radio', { name: 'It doesn’t belong in this group' })).toBeVisible()
  await expect(button(page, 'Next')).toBeDisabled()
  await dialog(page)
    .getByRole('radio', { name: /^It threatens/ })
    .check()
  await button(page, 'Next').click()
  await expect(dialog(page).getByRole('heading')).toHaveText('Anything we should know?')
  const note = dialog(page).getByRole('textbox')
  await note.fill('x'.repeat(799))
  await expect(dialog(page)).not.toContainText('of 1000')
  await note.fill('x'.repeat(1200))
  await expect(dialog(page)).toContainText('1000 of 1000')
  await note.fill('Ya me escribió en septiembre.')
  // What could not be sent stays, and is sent again.
  await page.route('**/v1/reports', fulfillWithServerError, { times: 1 })
  await button(page, 'Send report').click()
  await expect(dialog(page).getByRole('alert')).toHaveText('Something went wrong. Please try again.')
  await expect(note).toHaveValue('Ya me escribió en septiembre.')
  await button(page, 'Send report').click()
  await expect(dialog(page).getByRole('heading')).toHaveText(thanks)
  await button(page, 'Done').click()
  await expect(dialog(page)).toHaveCount(0)

  await more.click()
  await page.getByRole('menuitem', { name: /^Report Iria…/ }).click()
  await expect(dialog(page).getByRole('heading')).toHaveText('What is wrong with this profile?')
  await expect(reasons(page)).toHaveCount(9)
  await sendReport(page, 'Spam or fraud')
  await expect(dialog(page)).toContainText('Are you in danger now? 112. In Spain, 016 listens day and night.')
  await dialog(page)
    .getByRole('button', { name: /^Restrict her instead/ })
    .click()
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.getByText('Iria Montes won’t notice.', { exact: true })).toBeVisible()
  const restriction = await ana.request.get(`/v1/people/${iria.$id}/restriction`)
  expect(await restriction.json()).toEqual({ restricted: true })

  await more.click()
  await page.getByRole('menuitem', { name: /^Report Iria…/ }).click()
  await sendReport(page, 'Spam or fraud')
  await dialog(page)
    .getByRole('button', { name: /^Block Iria Montes/ })
    .click()
  const confirm = page.getByRole('alertdialog').getByRole('button', { name: 'Block', exact: true })
  // It learns first which groups both are in.
  await expect(confirm).not.toHaveAttribute('aria-busy')
  await confirm.click()
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await page.goto('/settings/blocked')
  await main(page).getByRole('button', { name: 'Report Iria Montes…' }).click()
  await expect(dialog(page).getByRole('heading')).toHaveText('What is wrong with this profile?')
  await button(page, 'Cancel').click()
  await expect(dialog(page)).toHaveCount(0)
})

test('REP-01 REP-02 REP-04 REP-05 by keyboard alone ana reports a post from its card, and is back where she was', async ({
  signedUp,
  member,
}) => {
  const [ana, iria] = [await signedUp('Ana'), await member('Iria Montes')]
  await followMemberViaApi(ana, iria)
  const post = await publishPostViaApi(iria)
  const { page } = ana
  await page.goto('/')
  const more = main(page).getByRole('button', { name: 'More about Iria Montes' })
  await tabTo(page, more)
  await page.keyboard.press('Enter')
  const items = page.getByRole('menuitem')
  await expect(items.first()).toBeFocused()
  const reportPost = page.getByRole('menuitem', { name: /^Report post…/ })
  await expect(async () => {
    await page.keyboard.press('ArrowDown')
    await expect(reportPost).toBeFocused({ timeout: 200 })
  }).toPass({ intervals: [20] })
  await page.keyboard.press('Enter')

  const question = dialog(page).getByRole('heading')
  await expect(question).toHaveText('What is wrong with this post?')
  await expect(question).toBeFocused()
  await expect(button(page, 'Next')).toBeDisabled()
  await tabTo(page, reasons(page).first())
  const threat = dialog(page).getByRole('radio', { name: /^It threatens/ })
  for (let pressed = 0; pressed < 8 && !(await threat.isChecked()); pressed++)
    await page.keyboard.press('ArrowDown')
  await expect(threat).toBeChecked()
  await expect(threat).toBeFocused()
  await tabTo(page, button(page, 'Next'))
  await page.keyboard.press('Enter')

  await expect(question).toHaveText('Anything we should know?')
  await expect(question).toBeFocused()
  await tabTo(page, dialog(page).getByRole('textbox'))
  await page.keyboard.type('Ya me escribió en septiembre.')
  const sent = page.waitForRequest((request) => request.url().endsWith('/v1/reports'))
  await tabTo(page, button(page, 'Send report'))
  await page.keyboard.press('Enter')
  expect((await sent).postDataJSON()).toMatchObject({
    subject: { kind: 'post', id: post.$id },
    reason: 'threat',
    note: 'Ya me escribió en septiembre.',
  })

  await expect(question).toHaveText(thanks)
  await expect(question).toBeFocused()
  await tabTo(page, button(page, 'Done'))
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toHaveCount(0)
  await expect(more).toBeFocused()
})

test('REP-01 REP-02 REP-04 the question stands after two taps on a post’s card, and five send the report @phone', async ({
  signedUp,
  member,
}) => {
  const [ana, iria] = [await signedUp('Ana'), await member('Iria Montes')]
  await followMemberViaApi(ana, iria)
  const post = await publishPostViaApi(iria)
  const { page } = ana
  await page.goto('/')
  let taps = 0
  const tap = async (target: Locator, at?: { x: number; y: number }) => {
    await target.tap({ position: at })
    taps += 1
  }
  await tap(main(page).getByRole('button', { name: 'More about Iria Montes' }))
  await tap(page.getByRole('menuitem', { name: /^Report post…/ }))
  await expect(dialog(page).getByRole('heading')).toHaveText('What is wrong with this post?')
  expect(taps).toBe(2)
  await tap(dialog(page).getByRole('radio', { name: /^It threatens/ }))
  // The next button takes this one's place, where a second tap at once would be a double tap to the browser.
  await tap(button(page, 'Next'), { x: 40, y: 20 })
  const answered = page.waitForResponse((response) => response.url().endsWith('/v1/reports'))
  await tap(button(page, 'Send report'), { x: 300, y: 20 })
  expect(taps).toBe(5)
  expect((await answered).status()).toBe(201)
  expect((await answered).request().postDataJSON()).toMatchObject({
    subject: { kind: 'post', id: post.$id },
    reason: 'threat',
  })
  await expect(dialog(page).getByRole('heading')).toHaveText(thanks)
})

test('REP-01 REP-12 she reports a group and finds it among her reports', async ({ signedUp, member }) => {
  const [ana, bea] = [await signedUp('Ana'), await member('Bea')]
  const group = await createGroupViaApi(bea, {})
  const { page } = ana
  await page.goto('/settings/reports')
  await expect(main(page)).toContainText('You haven’t reported anything.')
  await page.goto(`/groups/${group.$id}`)
  await main(page).getByRole('button', { name: 'Report group…' }).click()
  await expect(dialog(page).getByRole('heading')).toHaveText('What is wrong with this group?')
  await sendReport(page, 'Hate against who somebody is')
  await button(page, 'Done').click()
  await page.goto('/settings/privacy')
  await main(page)
    .getByRole('link', { name: /^Your reports/ })
    .click()
  const rows = main(page).getByRole('region', { name: 'Your reports' }).getByRole('listitem')
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('A group')
  await expect(rows).toContainText('Hate against who somebody is')
  await expect(rows).toContainText('Received')
})

test('REP-01 REP-03 of a conversation she chooses what the moderators may see', async ({
  signedUp,
  member,
}) => {
  const [ana, iria] = [await signedUp('Ana'), await member('Iria')]
  const talk = await openConversationViaApi(ana, iria)
  await sendMessageViaApi(iria, talk, 'hola guapa')
  await sendMessageViaApi(ana, talk, 'No te conozco.')
  const ugly = await sendMessageViaApi(iria, talk, 'sé dónde está tu taller')
  await openConversationPage(ana, talk)
  const { page } = ana
  const bubble = locateMessageBubble(page, 'sé dónde está tu taller')
  await bubble.hover()
  const own = locateMessageBubble(page, 'No te conozco.')
  await own.hover()
  await own.getByRole('button', { name: 'Message options' }).click()
  await expect(page.getByRole('menuitem', { name: 'Unsend', exact: true })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Report message…' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await bubble.hover()
  await bubble.getByRole('button', { name: 'Message options' }).click()
  await page.getByRole('menuitem', { name: 'Report message…' }).click()
  await dialog(page)
    .getByRole('radio', { name: /^It threatens/ })
    .check()
  await button(page, 'Next').click()
  await expect(dialog(page).getByRole('heading')).toHaveText('What may the moderators see?')
  const chosen = dialog(page).getByRole('checkbox')
  await expect(chosen).toHaveCount(3)
  await expect(chosen.nth(2)).toBeChecked()
  await expect(chosen.nth(2)).toBeDisabled()
  await expect(chosen.nth(0)).not.toBeChecked()
  await chosen.nth(1).check()
  const sent = page.waitForRequest((request) => request.url().endsWith('/v1/reports'))
  await button(page, 'Send report').click()
  const { subject, messages } = (await sent).postDataJSON()
  expect(subject).toEqual({ kind: 'message', id: ugly })
  expect(messages).toHaveLength(1)
  await expect(dialog(page).getByRole('heading')).toHaveText(thanks)
})

test('REP-05 MOD-19 spam in a group goes to its admin, who takes it out, removes its author or passes it on', async ({
  signedUp,
  member,
}) => {
  const [gala, ana, iria] = [await signedUp('Gala'), await signedUp('Ana'), await member('Iria Montes')]
  const group = await createGroupViaApi(gala, {}, [ana, iria])
  const posts = [
    await publishPostViaApi(iria, { groupId: group.$id }),
    await publishPostViaApi(iria, { groupId: group.$id }),
    await publishPostViaApi(iria, { groupId: group.$id }),
  ]
  const { page } = ana
  await page.goto(`/posts/${posts[0]?.$id}`)
  await page.getByRole('button', { name: 'More about Iria Montes' }).click()
  await page.getByRole('menuitem', { name: /^Report post…/ }).click()
  await dialog(page).getByRole('radio', { name: 'Spam or fraud' }).check()
  await button(page, 'Next').click()
  await expect(dialog(page).getByRole('radio', { name: 'The group’s admin' })).toBeChecked()
  await expect(dialog(page).getByRole('radio', { name: 'The moderators' })).not.toBeChecked()
  await dialog(page).getByRole('textbox').fill('Vende zapatos.')
  await button(page, 'Send report').click()
  await expect(dialog(page).getByRole('heading')).toHaveText('Thank you. It is with the group’s admin.')
  for (const post of posts.slice(1)) {
    const data = { subject: { kind: 'post', id: post.$id }, reason: 'off-topic' }
    expect((await ana.request.post('/v1/reports', { data })).status()).toBe(201)
  }

  await page.goto(`/groups/${group.$id}/reports`)
  await expect(main(page)).toContainText('Only group administrators can look at reports.')

  const desk = gala.page
  await desk.goto(`/groups/${group.$id}`)
  await main(desk).getByRole('link', { name: 'Reports' }).click()
  const rows = main(desk).getByRole('region', { name: 'Reports' }).getByRole('listitem')
  const decision = main(desk).getByRole('region', { name: 'Decide' })
  const decide = async (what: string) => {
    await decision.getByRole('radio', { name: what }).check()
    await decision.getByRole('button', { name: what }).click()
  }
  await expect(rows).toHaveCount(3)
  await rows.nth(0).getByRole('link', { name: 'Post by Iria Montes' }).click()
  await expect(main(desk).getByRole('region', { name: 'What was said' })).toContainText('Vende zapatos.')
  await expect(main(desk).getByRole('img', { name: 'As it was when it was reported' })).toBeVisible()
  await expect(main(desk)).not.toContainText('Ana')
  await expect(decision.getByRole('radio')).toHaveCount(4)
  await decision.getByRole('radio', { name: 'Take out of the group' }).check()
  await decision.getByRole('textbox').fill('Aquí no se vende.')
  // What could not be sent stays, and is sent again.
  let refused = 0
  await desk.route(/\/reports\/[^/]+$/, (route) => {
    if (route.request().method() === 'GET' || refused > 0) return route.fallback()
    refused += 1
    return fulfillWithServerError(route)
  })
  await decision.getByRole('button', { name: 'Take out of the group' }).click()
  await expect(decision.getByRole('alert')).toHaveText('Something went wrong. Please try again.')
  await decision.getByRole('button', { name: 'Take out of the group' }).click()
  await expect(rows).toHaveCount(2)
  expect((await ana.request.get(`/v1/posts/${posts[0]?.$id}`)).status()).toBe(404)
  expect(await (await iria.request.get(`/v1/posts/${posts[0]?.$id}`)).json()).toMatchObject({
    hidden: { by: 'group', reason: 'Aquí no se vende.' },
  })

  await rows.nth(0).getByRole('link').click()
  await decide('Pass on to the moderators')
  await expect(rows).toHaveCount(1)
  await rows.nth(0).getByRole('link').click()
  await decide('Remove member')
  await expect(main(desk)).toContainText('Nothing to look at.')
  expect((await iria.request.get(`/v1/groups/${group.$id}/posts`)).status()).not.toBe(200)
})

test('REP-01 REP-02 REP-04 MOD-10 MOD-12 ana reports a comment under a third’s post, and its author blocks her meanwhile; mo hides it', async ({
  signedUp,
  member,
  server,
}) => {
  const [ana, mo, iria] = [await signedUp('Ana'), await signedUp('Mo'), await signedUp('Iria Pazos')]
  const bea = await member('Bea')
  await makeModerator(server.databaseUrl(), mo.$id)
  const post = await publishPostViaApi(bea)
  const comment = async (by: JourneyMember, content: string, parentId?: string) => {
    const answer = await by.request.post(`/v1/posts/${post.$id}/comments`, { data: { content, parentId } })
    return (await answer.json()) as Comment
  }
  const question = await comment(bea, '¿Quién viene el viernes?')
  const threat = await comment(iria, 'Sé dónde vives', question.$id)
  const { page } = ana
  await page.goto(`/posts/${post.$id}`)
  const by = (on: Page, name: string) => main(on).getByRole('article', { name: new RegExp(`^${name}, `) })
  await by(page, 'Iria Pazos').getByRole('button', { name: 'Report…' }).click()
  await expect(dialog(page).getByRole('heading')).toHaveText('What is wrong with this comment?')
  await expect(reasons(page)).toHaveCount(9)
  await dialog(page)
    .getByRole('radio', { name: /^It threatens/ })
    .check()
  await button(page, 'Next').click()
  await dialog(page).getByRole('textbox').fill('Es mi ex')
  // Out of her sight, it is reported all the same.
  expect((await iria.request.put(`/v1/people/${ana.$id}/block`, { data: {} })).ok()).toBe(true)
  await expect(by(page, 'Iria Pazos')).toHaveCount(0)
  const answered = page.waitForResponse((response) => response.url().endsWith('/v1/reports'))
  await button(page, 'Send report').click()
  expect((await answered).request().postDataJSON()).toMatchObject({
    ...{ subject: { kind: 'comment', id: threat.$id }, reason: 'threat', note: 'Es mi ex' },
  })
  await expect(dialog(page).getByRole('heading')).toHaveText(thanks)
  await button(page, 'Done').click()

  const desk = mo.page
  await desk.goto('/moderation')
  await main(desk).getByLabel('Password', { exact: true }).fill(mo.password)
  await main(desk).getByRole('button', { name: 'Enter' }).click()
  await main(desk).getByRole('link', { name: 'Comment by Iria Pazos' }).click()
  const panel = (name: string) => main(desk).getByRole('region', { name })
  await expect(panel('Evidence')).toContainText('Sé dónde vives')
  await expect(panel('Evidence')).toContainText('In answer to Bea: ¿Quién viene el viernes?')
  await expect(panel('Evidence').getByRole('link', { name: 'The post it stands under' })).toHaveAttribute(
    'href',
    `/posts/${post.$id}`,
  )
  await panel('Decide').getByRole('button', { name: 'Claim' }).click()
  await panel('Decide').getByRole('radio', { name: 'Hide the comment' }).check()
  await panel('Decide')
    .getByRole('textbox', { name: 'Reason, as she will read it' })
    .fill('Aquí no se amenaza')
  await panel('Decide').getByRole('button', { name: 'Hide the comment' }).click()
  await expect(main(desk).getByRole('heading', { name: 'Decided: Hidden' })).toBeVisible()

  const left = await (await bea.request.get(`/v1/posts/${post.$id}/comments`)).json()
  expect([left.total, left.documents[0].replies]).toEqual([1, []])
  await iria.page.goto('/')
  const note = iria.page.getByRole('alertdialog', { name: 'A note from the moderators' })
  await expect(note).toContainText(
    'They hid a comment of yours. Nobody sees it now, and it does not come back.',
  )
  await expect(note).toContainText('Sé dónde vives')
  await expect(note).toContainText('Aquí no se amenaza')
  await note.getByRole('button', { name: 'I understand' }).click()
  await by(page, 'Bea').first().scrollIntoViewIfNeeded()
  await expect(by(page, 'Bea').getByRole('button', { name: 'Report…' })).toBeVisible()
  await page.goto('/settings/reports')
  await expect(main(page).getByRole('region', { name: 'Your reports' }).getByRole('listitem')).toContainText([
    /A comment.*Decided: we acted/s,
  ])
})
