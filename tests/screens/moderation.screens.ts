import type { Page } from '@playwright/test'
import type { ModerationCaseSummary } from '#contract/moderation/cases.ts'
import type { Post } from '#contract/posts/posts.ts'
import {
  locateMessageBubble,
  openConversationPage,
  openConversationViaApi,
  sendMessageViaApi,
} from '#tests/journeys/chat-steps.ts'
import { createGroupViaApi } from '#tests/journeys/group-steps.ts'
import { makeModerator } from '#tests/journeys/moderation-steps.ts'
import { followMemberViaApi, publishPostViaApi } from '#tests/journeys/post-steps.ts'
import { expect, findDemoDocument, takeResponsiveScreenshots, test } from './screenshot-fixtures.ts'

const main = (page: Page) => page.getByRole('main')
const panel = (page: Page, name: string | RegExp) => main(page).getByRole('region', { name })

test('reporting a post: the menu of its card, the three steps and the list of reports', async ({
  neighbour,
}) => {
  const [{ page, request }, author] = [await neighbour('lucia.ferrer'), await neighbour('yuki.t')]
  const post = await publishPostViaApi(author, { caption: 'Cuarenta bocetos para un cartel.' })
  await request.put(`/v1/people/${author.$id}/follow`, { data: {} })
  await page.goto(`/posts/${post.$id}`)
  await page.getByRole('button', { name: /^More about/ }).click()
  await expect(page.getByRole('menuitem', { name: /^Report post/ })).toBeVisible()
  await takeResponsiveScreenshots(page, 'report', 'menu')
  await page.getByRole('menuitem', { name: /^Report post/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: /^Threats/ }).check()
  await takeResponsiveScreenshots(page, 'report', 'reason')
  await dialog.getByRole('button', { name: 'Next' }).click()
  await dialog.getByRole('textbox').fill('Ya me escribió en septiembre desde otra cuenta y la bloqueé.')
  await takeResponsiveScreenshots(page, 'report', 'note')
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await expect(dialog.getByRole('heading')).toHaveText('Thank you. The moderators have your report.')
  await takeResponsiveScreenshots(page, 'report', 'thanks')
  await page.goto('/settings/reports')
  await expect(main(page).getByRole('listitem').first()).toBeVisible()
  await takeResponsiveScreenshots(page, 'report', 'mine')
})

test('message requests: waiting, opened and empty', async ({ neighbour, member }) => {
  const me = await neighbour('lucia.ferrer')
  const { page } = me
  await me.request.patch('/v1/me/privacy', { data: { messagesFrom: 'ask' } })
  const [nuria, sofia, iria] = [
    await member('Nuria Beltrán'),
    await member('Sofía Arce'),
    await member('Iria Ponte'),
  ]
  await createGroupViaApi(me, { name: 'Retrato y Luz' }, [nuria])
  await followMemberViaApi(sofia, me)
  const hello = '¡Hola! Vi tus fotos del mercado y me encantó la del puesto de flores.'
  const conversation = await openConversationViaApi(nuria, me)
  await sendMessageViaApi(nuria, conversation, hello)
  await sendMessageViaApi(sofia, await openConversationViaApi(sofia, me), 'Bonita luz.')
  const third = await openConversationViaApi(iria, me)
  for (const content of ['Oye', 'Mira https://ejemplo.example/fotos'])
    await sendMessageViaApi(iria, third, content)
  await page.goto('/message-requests')
  await expect(main(page).getByRole('button', { name: /^Accept/ })).toHaveCount(3)
  await takeResponsiveScreenshots(page, 'message-requests', 'waiting', { whole: true })
  await openConversationPage(me, conversation)
  await expect(locateMessageBubble(page, hello)).toBeVisible()
  await takeResponsiveScreenshots(page, 'message-requests', 'conversation')
})

test("moderation: the password, the queue, a case, its decision, the author's view, and a review", async ({
  neighbour,
  member,
  signedUp,
  server,
}) => {
  const mo = await neighbour('lucia.ferrer')
  await makeModerator(server.databaseUrl(), mo.$id)
  const iria = await signedUp('Iria Pazos')
  const posts: Post[] = []
  for (const caption of ['Mirad bien esta cara.', 'Vive en la calle de al lado.', 'Otra del mismo sitio.'])
    posts.push(await publishPostViaApi(iria, { caption }))
  const reporters = [await member('Ana'), await member('Bea'), await member('Carla')]
  for (const [index, reporter] of reporters.entries())
    await reporter.request.post('/v1/reports', {
      data: {
        subject: { kind: 'post', id: posts[0]?.$id },
        reason: index ? 'harassment' : 'threat',
        note: index ? '' : 'Ya me escribió en septiembre desde otra cuenta.',
      },
    })
  await reporters[0]?.request.post('/v1/reports', {
    data: { subject: { kind: 'member', id: mo.$id }, reason: 'impersonation' },
  })
  const other = await neighbour('paloma.r')
  const conversation = await openConversationViaApi(reporters[1] ?? iria, other)
  const message = await sendMessageViaApi(other, conversation, 'Sé dónde está tu taller')
  await reporters[1]?.request.post('/v1/reports', {
    data: { subject: { kind: 'message', id: message }, reason: 'threat' },
  })

  const { page } = mo
  await page.goto('/moderation')
  await expect(main(page).getByLabel('Password', { exact: true })).toBeVisible()
  await takeResponsiveScreenshots(page, 'moderation', 'password')
  await main(page).getByLabel('Password', { exact: true }).fill(mo.password)
  await main(page).getByRole('button', { name: 'Enter' }).click()
  await expect(main(page).getByRole('link', { name: /Iria Pazos/ })).toBeVisible()
  await takeResponsiveScreenshots(page, 'moderation', 'queue', { whole: true })
  await main(page).getByRole('link', { name: 'Post by Iria Pazos' }).click()
  await expect(panel(page, 'Evidence').getByRole('img').first()).toBeVisible()
  await panel(page, 'Decide').getByRole('button', { name: 'Claim' }).click()
  await panel(page, 'Decide').getByRole('radio', { name: 'Hide the post' }).check()
  const reason = panel(page, 'Decide').getByRole('textbox', { name: 'Reason, as she will read it' })
  await reason.fill('Enseña la cara de otra y dice dónde vive.')
  await takeResponsiveScreenshots(page, 'moderation', 'case', { whole: true })
  await panel(page, 'Decide').getByRole('button', { name: 'Hide the post' }).click()
  await expect(main(page).getByRole('heading', { name: 'Decided: Hidden' })).toBeVisible()
  await takeResponsiveScreenshots(page, 'moderation', 'decided', { whole: true })

  await iria.page.goto(`/posts/${posts[0]?.$id}`)
  const note = iria.page.getByRole('alertdialog', { name: 'A note from the moderators' })
  await expect(note).toBeVisible()
  await takeResponsiveScreenshots(iria.page, 'moderation', 'notice')
  await note.getByRole('button', { name: 'I understand' }).click()
  const hidden = main(iria.page).getByRole('region', { name: 'Hidden by the moderators' })
  await expect(hidden).toBeVisible()
  await takeResponsiveScreenshots(iria.page, 'moderation', 'hidden-post')
  await hidden.getByRole('button', { name: 'Ask for a review' }).click()
  await expect(iria.page.getByRole('dialog', { name: 'Ask for a review' })).toBeVisible()
  await takeResponsiveScreenshots(iria.page, 'moderation', 'appeal')

  const second = await publishPostViaApi(iria, { caption: 'Y otra.' })
  await reporters[2]?.request.post('/v1/reports', {
    data: { subject: { kind: 'post', id: second.$id }, reason: 'threat' },
  })
  const { $id: caseId } = await findDemoDocument<ModerationCaseSummary>(
    mo,
    '/v1/moderation/cases?limit=100',
    ({ about }) => about?.$id === iria.$id,
  )
  await mo.request.post(`/v1/moderation/cases/${caseId}/claim`, { data: {} })
  const decided = await mo.request.post(`/v1/moderation/cases/${caseId}/decision`, {
    data: { decision: 'suspend', days: 7, text: 'Amenaza a otra.' },
  })
  expect(decided.status()).toBe(200)
  await iria.page.goto('/sign-in')
  await iria.page.getByLabel('Email').fill(iria.email)
  await iria.page.getByLabel('Contraseña', { exact: true }).fill(iria.password)
  await iria.page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await expect(main(iria.page).getByRole('region', { name: 'Cuenta suspendida' })).toBeVisible()
  await takeResponsiveScreenshots(iria.page, 'moderation', 'suspended')
})

test('a proposed suspension in the queue, and claimed by a second moderator', async ({
  member,
  signedUp,
  server,
}) => {
  const [mo, mia, eva] = [await member('Mo'), await signedUp('Mia Soto'), await member('Eva Luna')]
  for (const { $id } of [mo, mia, eva]) await makeModerator(server.databaseUrl(), $id)
  await (await member('Ana')).request.post('/v1/reports', {
    data: { subject: { kind: 'member', id: eva.$id }, reason: 'threat' },
  })
  for (const { request, password } of [mo, mia])
    await request.post('/v1/moderation/entry', { data: { password } })
  const { $id: caseId } = await findDemoDocument<ModerationCaseSummary>(
    mia,
    '/v1/moderation/cases?limit=100',
    ({ about }) => about?.$id === eva.$id,
  )
  await mo.request.post(`/v1/moderation/cases/${caseId}/claim`, { data: {} })
  const proposed = await mo.request.post(`/v1/moderation/cases/${caseId}/decision`, {
    data: { decision: 'suspend', days: 7, text: 'Amenazó a una compañera.' },
  })
  expect(proposed.status()).toBe(200)

  const { page } = mia
  await page.goto('/moderation')
  await expect(main(page).getByText('Waiting for a second moderator')).toBeVisible()
  await takeResponsiveScreenshots(page, 'moderation', 'queue-with-proposal', { whole: true })
  await main(page)
    .getByRole('link', { name: /^Member @eva/ })
    .click()
  await panel(page, 'Decide').getByRole('button', { name: 'Claim' }).click()
  await expect(panel(page, 'Proposed suspension')).toContainText('for 7 days')
  await takeResponsiveScreenshots(page, 'moderation', 'proposed-suspension', { whole: true })
})

test('the review queue of a group', async ({ signedUp, member }) => {
  const [ana, bea, iria] = [await signedUp('Ana Prados'), await member('Bea Sol'), await member('Iria Pazos')]
  const group = await createGroupViaApi(ana, { name: 'Retrato y Luz' }, [bea, iria])
  const post = await publishPostViaApi(iria, { caption: 'Compra seguidores aquí', groupId: group.$id })
  await bea.request.post('/v1/reports', { data: { subject: { kind: 'post', id: post.$id }, reason: 'spam' } })
  const { page } = ana
  await page.goto(`/groups/${group.$id}/reports`)
  await expect(main(page).getByRole('listitem').first()).toBeVisible()
  await takeResponsiveScreenshots(page, 'group-queue', 'waiting', { whole: true })
})

test('leaving a group, the quick exit, and the muted and restricted members', async ({
  signedUp,
  member,
}) => {
  const [ana, bea] = [await member('Ana Prados'), await signedUp('Bea Sol')]
  const { page } = bea
  const group = await createGroupViaApi(ana, { name: 'Club de Cerámica' }, [bea])
  await publishPostViaApi(bea, { groupId: group.$id })
  await page.goto(`/groups/${group.$id}`)
  await main(page).getByRole('button', { name: 'Leave Group' }).click()
  await expect(page.getByRole('alertdialog').getByRole('radio').first()).toBeVisible()
  await takeResponsiveScreenshots(page, 'leave-group', 'question')
  await bea.request.put(`/v1/people/${ana.$id}/mute`, { data: {} })
  await bea.request.put(`/v1/people/${ana.$id}/restriction`, { data: {} })
  await page.goto('/settings/quiet')
  await expect(
    main(page).getByRole('switch').first().or(main(page).getByRole('button').first()),
  ).toBeVisible()
  await takeResponsiveScreenshots(page, 'muted', 'list')
})
