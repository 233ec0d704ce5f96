import type { Page } from '@playwright/test'
import type { Comment } from '#contract/comments/comments.ts'
import { expect, fulfillWithServerError, type JourneyMember, test } from './fixtures.ts'
import { createGroupViaApi } from './group-steps.ts'
import { makeModerator } from './moderation-steps.ts'
import { publishPostViaApi } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const dialog = (page: Page) => page.getByRole('dialog', { name: /What|Anything|Thank you/ })
const button = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true })
const reasons = (page: Page) => dialog(page).getByRole('radio')
const thanks = 'Thank you. The moderators have your report.'

test("REP-01 REP-02 REP-05 MOD-19 the group's admin handles a spam report: she removes the post, removes its author or passes the report on @quick", async ({
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
  await expect(dialog(page).getByRole('heading')).toHaveText('Thank you. The group’s admin has your report.')
  for (const post of posts.slice(1)) {
    const data = { subject: { kind: 'post', id: post.$id }, reason: 'off-topic' }
    expect((await ana.request.post('/v1/reports', { data })).status()).toBe(201)
  }

  await page.goto(`/groups/${group.$id}/reports`)
  await expect(main(page)).toContainText('Only group administrators can see reports.')

  const queue = gala.page
  await queue.goto(`/groups/${group.$id}`)
  await main(queue).getByRole('link', { name: 'Reports' }).click()
  const rows = main(queue).getByRole('region', { name: 'Reports' }).getByRole('listitem')
  const decision = main(queue).getByRole('region', { name: 'Decide' })
  const decide = async (what: string) => {
    await decision.getByRole('radio', { name: what }).check()
    await decision.getByRole('button', { name: what }).click()
  }
  await expect(rows).toHaveCount(3)
  await rows.nth(0).getByRole('link', { name: 'Post by Iria Montes' }).click()
  await expect(main(queue).getByRole('region', { name: 'What was said' })).toContainText('Vende zapatos.')
  await expect(main(queue).getByRole('img', { name: 'As it was when it was reported' })).toBeVisible()
  await expect(main(queue)).not.toContainText('Ana')
  await expect(decision.getByRole('radio')).toHaveCount(4)
  await decision.getByRole('radio', { name: 'Remove from the group' }).check()
  await decision.getByRole('textbox').fill('Aquí no se vende.')
  // The form keeps a decision that could not be sent.
  let refused = 0
  await queue.route(/\/reports\/[^/]+$/, (route) => {
    if (route.request().method() === 'GET' || refused > 0) return route.fallback()
    refused += 1
    return fulfillWithServerError(route)
  })
  await decision.getByRole('button', { name: 'Remove from the group' }).click()
  await expect(decision.getByRole('alert')).toHaveText('Something went wrong. Please try again.')
  await decision.getByRole('button', { name: 'Remove from the group' }).click()
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
  await expect(main(queue)).toContainText('No reports.')
  expect((await iria.request.get(`/v1/groups/${group.$id}/posts`)).status()).not.toBe(200)
})

test("REP-01 REP-02 REP-04 MOD-10 MOD-12 ana reports iria's comment on bea's post although iria blocks ana meanwhile, and mo hides the comment", async ({
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
    .getByRole('radio', { name: /^Threats/ })
    .check()
  await button(page, 'Next').click()
  await dialog(page).getByRole('textbox').fill('Es mi ex')
  // Ana, now blocked by Iria, can report a comment that she no longer sees.
  expect((await iria.request.put(`/v1/people/${ana.$id}/block`, { data: {} })).ok()).toBe(true)
  await expect(by(page, 'Iria Pazos')).toHaveCount(0)
  const answered = page.waitForResponse((response) => response.url().endsWith('/v1/reports'))
  await button(page, 'Send report').click()
  expect((await answered).request().postDataJSON()).toMatchObject({
    ...{ subject: { kind: 'comment', id: threat.$id }, reason: 'threat', note: 'Es mi ex' },
  })
  await expect(dialog(page).getByRole('heading')).toHaveText(thanks)
  await button(page, 'Done').click()

  const queue = mo.page
  await queue.goto('/moderation')
  await main(queue).getByLabel('Password', { exact: true }).fill(mo.password)
  await main(queue).getByRole('button', { name: 'Enter' }).click()
  await main(queue).getByRole('link', { name: 'Comment by Iria Pazos' }).click()
  const panel = (name: string) => main(queue).getByRole('region', { name })
  await expect(panel('Evidence')).toContainText('Sé dónde vives')
  await expect(panel('Evidence')).toContainText('In answer to Bea: ¿Quién viene el viernes?')
  await expect(panel('Evidence').getByRole('link', { name: 'The post it belongs to' })).toHaveAttribute(
    'href',
    `/posts/${post.$id}`,
  )
  await panel('Decide').getByRole('button', { name: 'Claim' }).click()
  await panel('Decide').getByRole('radio', { name: 'Hide the comment' }).check()
  await panel('Decide')
    .getByRole('textbox', { name: 'Reason, as she will read it' })
    .fill('Aquí no se amenaza')
  await panel('Decide').getByRole('button', { name: 'Hide the comment' }).click()
  await expect(main(queue).getByRole('heading', { name: 'Decided: Hidden' })).toBeVisible()

  const left = await (await bea.request.get(`/v1/posts/${post.$id}/comments`)).json()
  expect([left.total, left.documents[0].replies]).toEqual([1, []])
  await iria.page.goto('/')
  const note = iria.page.getByRole('alertdialog', { name: 'A note from the moderators' })
  await expect(note).toContainText(
    'One of your comments was hidden. Nobody sees it now, and it cannot be restored.',
  )
  await expect(note).toContainText('Sé dónde vives')
  await expect(note).toContainText('Aquí no se amenaza')
  await note.getByRole('button', { name: 'I understand' }).click()
  await by(page, 'Bea').first().scrollIntoViewIfNeeded()
  await expect(by(page, 'Bea').getByRole('button', { name: 'Report…' })).toBeVisible()
  await page.goto('/settings/reports')
  await expect(main(page).getByRole('region', { name: 'Your reports' }).getByRole('listitem')).toContainText([
    /A comment.*Resolved: we took action/s,
  ])
})
