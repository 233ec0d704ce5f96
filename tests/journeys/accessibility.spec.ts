/** Checks both widths and both colour schemes. */
import type { Page } from '@playwright/test'
import { createPng } from '#scripts/harness/image-fixtures.ts'
import { expectNoAxeProblemsAtBothWidths } from './axe-steps.ts'
import {
  locateConversationList,
  locateMessageBubble,
  locateMessageInput,
  locateSendButton,
  locateUserSearchInput,
  openConversationPage,
  openConversationViaApi,
  sendMessageViaApi,
} from './chat-steps.ts'
import { expect, test } from './fixtures.ts'
import { createGroupViaApi, submitJoinRequest } from './group-steps.ts'
import { makeModerator } from './moderation-steps.ts'
import {
  followMemberViaApi,
  publishPostViaApi,
  toUploadFilePayload,
  uploadPhotoInForm,
} from './post-steps.ts'

// Generous, because test machines can be busy.
test.describe.configure({ timeout: 600_000 })

const main = (page: Page) => page.getByRole('main')
const title = (page: Page) => page.getByRole('heading', { level: 1 })

test('axe finds no problems on any screen, light or dark', async ({ page: visitor, signedUp }) => {
  const bea = await signedUp('Bea de nombre largo '.repeat(5))
  const ana = await signedUp('Anastasia'.repeat(7))
  const { page } = ana

  await test.step('sign-in and sign-up', async () => {
    for (const path of ['/sign-in', '/sign-up']) {
      await visitor.goto(path)
      await expect(title(visitor)).toBeVisible()
      if (path === '/sign-up') await visitor.getByRole('button', { name: 'Crear cuenta' }).click()
      await expectNoAxeProblemsAtBothWidths(visitor, path)
    }
  })

  await followMemberViaApi(ana, bea)
  const hers = await publishPostViaApi(bea)
  await ana.request.put(`/v1/posts/${hers.$id}/like`, { data: {} })
  await publishPostViaApi(ana)
  const post = await publishPostViaApi(ana, {
    caption: 'palabra '.repeat(270).trim(),
    location: 'L'.repeat(200),
    tags: Array.from({ length: 30 }, (_, number) => `etiqueta${number}`),
  })

  await test.step('people', async () => {
    for (const path of [
      '/all-users',
      `/profile/${bea.$id}`,
      `/profile/${ana.$id}`,
      `/profile/${ana.$id}/liked-posts`,
      `/update-profile/${ana.$id}`,
      '/nowhere',
    ]) {
      await page.goto(path)
      await expect(title(page)).toBeAttached()
      await page.waitForLoadState('networkidle')
      await expectNoAxeProblemsAtBothWidths(page, path)
    }
  })

  await test.step('lists and searches of people', async () => {
    for (const [path, name] of [
      [`/profile/${ana.$id}?list=following`, 'Following'],
      [`/profile/${ana.$id}?list=followers`, 'Followers'],
      [`/posts/${hers.$id}?list=likers`, 'Likes'],
    ] as const) {
      await page.goto(path)
      const dialog = page.getByRole('dialog', { name })
      await expect(dialog.getByRole('listitem').or(dialog.getByText('No followers yet'))).toBeVisible()
      await expectNoAxeProblemsAtBothWidths(page, path)
    }
    await page.goto('/all-users?search=nadie se llama así')
    await expect(main(page).getByRole('heading', { name: 'Nobody found' })).toBeVisible()
    await expectNoAxeProblemsAtBothWidths(page, 'People, nobody found')
    await page.goto('/explore?from=groups')
    await expect(main(page).getByRole('heading', { name: 'No posts yet' })).toBeVisible()
    await expectNoAxeProblemsAtBothWidths(page, 'Explore, nothing in her groups')
  })

  await test.step('lists of posts', async () => {
    await page.goto('/')
    await expect(main(page).getByRole('article').first().locator('[data-picture=shown]')).toBeVisible()
    await expect(
      main(page).getByRole('complementary', { name: 'People' }).getByRole('listitem').first(),
    ).toBeVisible()
    await expectNoAxeProblemsAtBothWidths(page, 'Home')
    await page.goto('/explore')
    await expect(main(page).getByRole('listitem').first()).toBeVisible()
    await expectNoAxeProblemsAtBothWidths(page, 'Explore')
    await page.getByRole('searchbox', { name: 'Search Posts' }).fill('zzzz no hay')
    await expect(main(page).getByText('No results found')).toBeVisible()
    await expectNoAxeProblemsAtBothWidths(page, 'Explore, nothing found')
    for (const path of ['/tags/nada', '/places/Ninguna%20parte', '/tags/etiqueta0', '/places/Tonal%C3%A1']) {
      await page.goto(path)
      await expect(
        main(page).getByRole('listitem').or(main(page).getByText('No posts here')).first(),
      ).toBeVisible()
      await expectNoAxeProblemsAtBothWidths(page, path)
    }
    await page.goto('/saved')
    await expect(main(page).getByRole('heading', { name: 'No available posts' })).toBeVisible()
    await expectNoAxeProblemsAtBothWidths(page, 'Saved, empty')
    expect((await ana.request.put(`/v1/posts/${hers.$id}/save`, { data: {} })).ok()).toBe(true)
    await page.goto('/saved')
    await expect(main(page).getByRole('listitem').locator('[data-picture=shown]')).toBeVisible()
    await expectNoAxeProblemsAtBothWidths(page, 'Saved')
  })

  await test.step('a post with very long texts', async () => {
    await page.goto(`/posts/${post.$id}`)
    await expect(main(page).getByRole('article')).toContainText(post.caption)
    const related = main(page).getByRole('region', { name: 'More Related Posts' })
    await expect(related.getByRole('link')).toHaveCount(1)
    await expectNoAxeProblemsAtBothWidths(page, 'a post')
    const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth
    expect(await page.evaluate(overflow)).toBe(0)
    await main(page).getByRole('button', { name: 'Delete post' }).click()
    await expect(page.getByRole('alertdialog', { name: 'Delete this post?' })).toBeVisible()
    await expectNoAxeProblemsAtBothWidths(page, 'deleting a post')
    await page.goto(`/update-post/${post.$id}`)
    await expect(main(page).getByRole('button', { name: 'Update Post' })).toBeVisible()
    await expectNoAxeProblemsAtBothWidths(page, 'Edit Post')
  })

  await test.step('the Create Post form, empty, invalid and filled', async () => {
    await page.goto('/create-post')
    await expect(title(page)).toHaveText('Create Post')
    await expectNoAxeProblemsAtBothWidths(page, 'Create Post')
    await main(page).getByRole('button', { name: 'Create Post' }).click()
    await expect(page.getByText('Minimum 5 characters.')).toBeVisible()
    await expectNoAxeProblemsAtBothWidths(page, 'Create Post, wrong')
    await page.getByLabel('Caption').fill('Una tarde')
    await uploadPhotoInForm(page)
    await page.getByLabel('Location').fill('Tonalá')
    await expect(main(page).getByRole('button', { name: 'Click or drag photo to replace' })).toBeVisible()
    await expectNoAxeProblemsAtBothWidths(page, 'Create Post, filled')
    await page
      .getByLabel('Files to add')
      .setInputFiles([
        toUploadFilePayload(await createPng()),
        toUploadFilePayload(await createPng('#17704A'), 'otra.png'),
      ])
    await expect(main(page).getByRole('button', { name: /^Photo \d, / })).toHaveCount(3)
    await expectNoAxeProblemsAtBothWidths(page, 'Create Post, three photos')
    await main(page).getByRole('button', { name: 'Options for photo 2' }).click()
    await expect(page.getByRole('menu')).toBeVisible()
    await expectNoAxeProblemsAtBothWidths(page, 'Create Post, the menu of a photo')
    await page.keyboard.press('Escape')
  })
})

test('SET-15 axe finds no problems on the pages of email links and in the settings, light or dark @quick', async ({
  page: visitor,
  signedUp,
}) => {
  for (const path of ['/recovery', '/recovery/new', '/sign-in/link', '/verify?userId=ana&secret=old']) {
    await visitor.goto(path)
    await expect(title(visitor)).toBeVisible()
    await expectNoAxeProblemsAtBothWidths(visitor, path)
  }
  const { page } = await signedUp('Anastasia'.repeat(7))
  for (const path of [
    '',
    '/profile',
    '/account',
    '/security',
    '/security/devices',
    '/security/passkeys',
    '/security/log',
  ]) {
    await page.goto(`/settings${path}`)
    await expect(title(page)).toBeVisible()
    await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
    await expectNoAxeProblemsAtBothWidths(page, `/settings${path}`)
  }
})

test('PRIV-02 REQ-03 EXIT-01 axe finds no problems on the screens of private accounts and the quick exit, light or dark', async ({
  signedUp,
  member,
}) => {
  const petra = await signedUp('Petra de nombre largo '.repeat(4))
  const [ana, bea] = [await signedUp('ana'), await member('Anastasia'.repeat(7))]
  const { page } = petra
  await followMemberViaApi(bea, petra)
  await page.goto('/settings/privacy')
  await main(page).getByRole('switch', { name: 'Private account' }).click()
  await expect(page.getByRole('alertdialog').getByRole('link')).toBeVisible()
  await expectNoAxeProblemsAtBothWidths(page, 'going private')
  await page.getByRole('button', { name: 'Make private' }).click()
  await expect(main(page).getByRole('link', { name: 'Follow requests' })).toBeVisible()
  await followMemberViaApi(ana, petra)
  await expect(main(page).getByRole('link', { name: 'Follow requests 1' })).toBeVisible()
  await expectNoAxeProblemsAtBothWidths(page, 'the privacy of a private account')
  await main(page).getByRole('switch', { name: 'Private account' }).click()
  await expect(page.getByRole('alertdialog').getByRole('radio').first()).toBeVisible()
  await expectNoAxeProblemsAtBothWidths(page, 'going public')
  await page.goto('/follow-requests')
  await expect(main(page).getByRole('button', { name: 'Approve ana' })).toBeVisible()
  await expectNoAxeProblemsAtBothWidths(page, 'the requests to follow')
  await page.goto(`/profile/${petra.$id}?list=followers`)
  await expect(page.getByRole('dialog').getByRole('button', { name: /^Remove/ })).toBeVisible()
  await expectNoAxeProblemsAtBothWidths(page, 'her own followers')
  await page.goto('/all-users')
  await expect(main(page).getByRole('link', { name: /^Follow requests/ })).toBeVisible()
  await expectNoAxeProblemsAtBothWidths(page, 'People, with requests')

  await ana.page.goto(`/profile/${petra.$id}`)
  await expect(main(ana.page).getByRole('button', { name: 'Requested' })).toBeVisible()
  await expectNoAxeProblemsAtBothWidths(ana.page, 'a private profile')
  await main(ana.page).getByRole('button', { name: 'Requested' }).click()
  await expect(ana.page.getByRole('alertdialog')).toBeVisible()
  await expectNoAxeProblemsAtBothWidths(ana.page, 'withdrawing a request')
  await ana.page.goto(`/profile/${petra.$id}?list=followers`)
  await expect(ana.page.getByRole('dialog').getByText(/^Only followers of/)).toBeVisible()
  await expectNoAxeProblemsAtBothWidths(ana.page, 'a closed list')

  expect((await ana.request.patch('/v1/me/privacy', { data: { quickExit: 'leave' } })).ok()).toBe(true)
  await ana.page.goto('/settings/privacy')
  const choice = ana.page.getByRole('radiogroup', { name: 'Quick exit' })
  await expect(choice.getByRole('radio', { name: 'Leave', exact: true })).toBeChecked()
  await expect(ana.page.getByRole('button', { name: 'Leave', exact: true })).toBeVisible()
  await expectNoAxeProblemsAtBothWidths(ana.page, 'the quick exit, chosen')
})

test('axe finds no problems on any screen of groups, chats and blocks, light or dark', async ({
  signedUp,
  member,
}) => {
  const [ana, bea, cleo] = [await signedUp('ana'), await signedUp('bea'), await signedUp('cleo')]
  const { page } = ana

  await test.step('groups', async () => {
    const group = await createGroupViaApi(ana, { description: 'Los jueves, con paciencia.' }, [bea])
    const [joinable, waiting] = [
      await createGroupViaApi(bea),
      await createGroupViaApi(bea, { name: `Espera ${bea.username}` }),
    ]
    await submitJoinRequest(ana, waiting)
    await submitJoinRequest(cleo, group)
    await publishPostViaApi(bea, { groupId: group.$id })

    await page.goto('/groups')
    const card = main(page).getByRole('article', { name: joinable.name })
    await expect(card.getByRole('button', { name: 'Join Group', exact: true })).toBeVisible()
    await expectNoAxeProblemsAtBothWidths(page, 'the list of groups')
    await page.goto('/groups/create')
    await main(page).getByRole('button', { name: 'Create Group' }).click()
    await expect(page.getByText('Group name is required')).toBeVisible()
    await expectNoAxeProblemsAtBothWidths(page, 'Create Group, wrong')

    for (const person of [ana, bea, cleo]) {
      await person.page.goto(`/groups/${group.$id}`)
      await expect(main(person.page).getByRole('heading', { level: 1 })).toHaveText(group.name)
      const closed = main(person.page).getByRole('heading', { name: 'This is a private group' })
      await expect(main(person.page).getByRole('article').or(closed)).toBeVisible()
      await expectNoAxeProblemsAtBothWidths(person.page, `a group as ${person.name} sees it`)
    }
    await main(page).getByRole('button', { name: 'Members (2)' }).click()
    await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(2)
    await expectNoAxeProblemsAtBothWidths(page, 'the members of a group')
    await page.goto(`/update-group/${group.$id}`)
    await expect(main(page).getByRole('heading', { level: 1 })).toHaveText('Edit Group')
    await expectNoAxeProblemsAtBothWidths(page, 'Edit Group')
    await main(page).getByRole('button', { name: 'Delete Group' }).click()
    await expectNoAxeProblemsAtBothWidths(page, 'deleting a group')

    for (const person of [ana, bea]) {
      await person.page.goto(`/groups/${group.$id}/requests`)
      await expect(main(person.page).getByRole('heading', { level: 1 })).toHaveText(
        /Join Requests for|Access Denied/,
      )
      await expect(main(person.page).getByRole('status')).toHaveCount(0)
      await expectNoAxeProblemsAtBothWidths(person.page, `the requests as ${person.name} sees them`)
    }
  })

  await test.step('message requests', async () => {
    const requester = await member('Anastasia'.repeat(7))
    await ana.request.patch('/v1/me/privacy', { data: { messagesFrom: 'ask' } })
    const conversation = await openConversationViaApi(requester, ana)
    await sendMessageViaApi(requester, conversation, `https://juntas.test/${'largo'.repeat(40)}`)
    await page.goto('/message-requests')
    await expect(main(page).getByRole('button', { name: /^Accept/ })).toBeVisible()
    await expectNoAxeProblemsAtBothWidths(page, 'the message requests')
    await page.goto(`/chat/${conversation}`)
    await expect(page.getByRole('button', { name: 'Accept' })).toBeVisible()
    await expect(locateMessageBubble(page, 'juntas.test')).toBeVisible()
    await expectNoAxeProblemsAtBothWidths(page, 'a message request')
    await ana.request.patch('/v1/me/privacy', { data: { messagesFrom: 'everyone' } })
  })

  await test.step('blocks', async () => {
    const iria = await member('Iria de nombre largo '.repeat(5))
    await createGroupViaApi(ana, {}, [iria])
    const conversation = await openConversationViaApi(iria, ana)
    await sendMessageViaApi(iria, conversation, 'Hola')
    expect((await ana.request.put(`/v1/people/${iria.$id}/mute`, { data: {} })).ok()).toBe(true)
    expect((await ana.request.put(`/v1/people/${cleo.$id}/restriction`, { data: {} })).ok()).toBe(true)
    await page.goto('/settings/quiet')
    await expect(main(page).getByRole('button', { name: /^Unmute/ })).toBeVisible()
    await expect(main(page).getByRole('button', { name: /^Unrestrict/ })).toBeVisible()
    await expectNoAxeProblemsAtBothWidths(page, 'the muted and restricted')
    await page.goto(`/profile/${iria.$id}`)
    await page.getByRole('button', { name: /^More about/ }).click()
    const block = page.getByRole('menuitem', { name: /^Block/ })
    await expect(block).toBeVisible()
    await expectNoAxeProblemsAtBothWidths(page, 'the menu of a person')
    await page.getByRole('menuitem', { name: /^Report/ }).click()
    const report = page.getByRole('dialog', { name: /What|Anything|Thank you/ })
    await report.getByRole('radio').first().check()
    await expectNoAxeProblemsAtBothWidths(page, 'reporting somebody: what is wrong')
    await report.getByRole('button', { name: 'Next' }).click()
    await expectNoAxeProblemsAtBothWidths(page, 'reporting somebody: a note')
    await report.getByRole('button', { name: 'Send report' }).click()
    await expect(report.getByRole('heading')).toHaveText('Thank you. The moderators have your report.')
    await expectNoAxeProblemsAtBothWidths(page, 'reporting somebody: what she can do now')
    await report.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: /^More about/ }).click()
    await block.click()
    await expect(page.getByRole('alertdialog').getByRole('checkbox')).toBeChecked()
    await expectNoAxeProblemsAtBothWidths(page, 'blocking somebody')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Block', exact: true }).click()
    await expect(main(page).getByRole('switch')).toBeVisible()
    await expectNoAxeProblemsAtBothWidths(page, 'the blocked')
    await main(page)
      .getByRole('button', { name: /^Unblock/ })
      .click()
    await expectNoAxeProblemsAtBothWidths(page, 'unblocking somebody')
    for (const path of ['/settings', '/settings/privacy']) {
      await page.goto(path)
      await expect(title(page)).toBeVisible()
      await expectNoAxeProblemsAtBothWidths(page, path)
    }
    await page.goto(`/chat/${conversation}`)
    await expect(locateMessageBubble(page, 'Hola')).toBeVisible()
    await expectNoAxeProblemsAtBothWidths(page, 'a conversation with somebody blocked')
  })

  await test.step('chat', async () => {
    const conversation = await openConversationViaApi(ana, bea)
    await sendMessageViaApi(ana, conversation, 'Hola, bea')
    await sendMessageViaApi(bea, conversation, 'Hola, ana')
    await openConversationPage(ana, conversation)
    await expect(locateMessageBubble(page, 'Hola, ana')).toBeVisible()
    await expectNoAxeProblemsAtBothWidths(page, 'a conversation')
    await locateMessageInput(page).fill('a'.repeat(4001))
    await expect(page.getByText('At most 4,000 characters')).toBeVisible()
    await expectNoAxeProblemsAtBothWidths(page, 'a message that is too long')
    await locateMessageInput(page).fill('Sin conexión')
    await ana.context.setOffline(true)
    await locateSendButton(page).click()
    await expect(locateMessageBubble(page, 'Sin conexión')).toContainText('Waiting')
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page.getByRole('alertdialog', { name: 'Log out now?' })).toBeVisible()
    await expectNoAxeProblemsAtBothWidths(page, 'logging out while a message waits')
    await page.getByRole('button', { name: 'Stay' }).click()
    await ana.context.setOffline(false)
    await page.goto('/chat')
    await expect(locateConversationList(page)).toBeVisible()
    await locateUserSearchInput(page).fill(bea.username)
    await expect(page.getByRole('option').filter({ hasText: `@${bea.username}` })).toBeVisible()
    await expectNoAxeProblemsAtBothWidths(page, 'the search for people')
  })
})

test('axe finds no problems on any screen of reports and moderation, light or dark', async ({
  signedUp,
  member,
  server,
}) => {
  const [mo, iria, gala] = [await signedUp('Mo'), await signedUp('Iria Lamas'), await signedUp('Gala')]
  const ana = await member('Ana')
  await makeModerator(server.databaseUrl(), mo.$id)
  const group = await createGroupViaApi(gala, {}, [iria, ana])
  const [post, offTopic] = [
    await publishPostViaApi(iria),
    await publishPostViaApi(iria, { groupId: group.$id }),
  ]
  for (const [{ $id: id }, reason] of [
    [post, 'threat'],
    [offTopic, 'off-topic'],
  ] as const) {
    const data = { subject: { kind: 'post', id }, reason, note: 'palabra '.repeat(60).trim() }
    expect((await ana.request.post('/v1/reports', { data })).status()).toBe(201)
  }
  const panel = (page: Page, name: string) => main(page).getByRole('region', { name })

  await test.step('the moderation console', async () => {
    const { page } = mo
    await page.goto('/moderation')
    const password = main(page).getByLabel('Password', { exact: true })
    await password.fill('no es esta clave')
    await main(page).getByRole('button', { name: 'Enter' }).click()
    await expect(password).toHaveAttribute('aria-invalid', 'true')
    await expectNoAxeProblemsAtBothWidths(page, 'the password of a moderator, wrong')
    await password.fill(mo.password)
    await main(page).getByRole('button', { name: 'Enter' }).click()
    const reported = main(page).getByRole('link', { name: 'Post by Iria Lamas' })
    await expect(reported.first()).toBeVisible()
    await expectNoAxeProblemsAtBothWidths(page, 'the open cases')
    await reported.first().click()
    await expect(panel(page, 'Evidence').getByRole('img')).toBeVisible()
    await panel(page, 'Decide').getByRole('button', { name: 'Claim' }).click()
    await panel(page, 'Decide').getByRole('radio', { name: 'Suspend' }).check()
    await expect(panel(page, 'Decide').getByRole('radio', { name: '7 days' })).toBeChecked()
    await expectNoAxeProblemsAtBothWidths(page, 'a case, suspending')
    await panel(page, 'Decide').getByRole('radio', { name: 'Hide the post' }).check()
    await panel(page, 'Decide').getByRole('textbox').fill('Busca a una persona')
    await expectNoAxeProblemsAtBothWidths(page, 'a case, hiding the post')
    await panel(page, 'Decide').getByRole('button', { name: 'Hide the post' }).click()
    await expect(main(page).getByRole('heading', { name: 'Decided: Hidden' })).toBeVisible()
    await expectNoAxeProblemsAtBothWidths(page, 'a case that is decided')
    await page.goto('/moderation')
    await main(page).getByRole('tab', { name: 'Decided' }).click()
    await expect(reported).toHaveCount(1)
    await expectNoAxeProblemsAtBothWidths(page, 'the decided cases')
  })

  await test.step('moderation notices', async () => {
    const { page } = iria
    await page.goto(`/posts/${post.$id}`)
    const note = page.getByRole('alertdialog', { name: 'A note from the moderators' })
    await expect(note).toContainText('Busca a una persona')
    await expectNoAxeProblemsAtBothWidths(page, 'a note from the moderators')
    await note.getByRole('button', { name: 'I understand' }).click()
    await expect(note).toHaveCount(0)
    const hidden = panel(page, 'Hidden by the moderators')
    await expect(hidden).toContainText('Busca a una persona')
    await expectNoAxeProblemsAtBothWidths(page, 'a hidden post, as its author sees it')
    await hidden.getByRole('button', { name: 'Ask for a review' }).click()
    const asking = page.getByRole('dialog', { name: 'Ask for a review' })
    await asking.getByRole('textbox').fill('Es mi hermana')
    await expectNoAxeProblemsAtBothWidths(page, 'asking for a review')
    await asking.getByRole('button', { name: 'Send' }).click()
    await expect(asking).toHaveCount(0)
    await mo.page.reload()
    await main(mo.page)
      .getByRole('tab', { name: /^Reviews/ })
      .click()
    const reviewed = main(mo.page).getByRole('link', { name: 'Post by Iria Lamas' })
    await expect(reviewed).toHaveCount(1)
    await expectNoAxeProblemsAtBothWidths(mo.page, 'the reviews')
    await reviewed.click()
    await expect(panel(mo.page, 'Review')).toContainText('Es mi hermana')
    await expectNoAxeProblemsAtBothWidths(mo.page, 'a case with a review')
  })

  await test.step("a group's review queue, and leaving the group", async () => {
    const { page } = gala
    await page.goto(`/groups/${group.$id}/reports`)
    const reported = main(page).getByRole('link', { name: 'Post by Iria Lamas' })
    await expect(reported).toBeVisible()
    await expectNoAxeProblemsAtBothWidths(page, 'the reports in a group')
    await reported.click()
    await panel(page, 'Decide').getByRole('radio', { name: 'Remove from the group' }).check()
    await expect(panel(page, 'Decide').getByRole('textbox')).toBeVisible()
    await expectNoAxeProblemsAtBothWidths(page, 'a report in a group')
    await iria.page.goto(`/groups/${group.$id}`)
    await main(iria.page).getByRole('button', { name: 'Leave Group' }).click()
    const question = iria.page.getByRole('alertdialog', { name: `Leave ${group.name}?` })
    await expect(question.getByRole('radio').first()).toBeChecked()
    await expectNoAxeProblemsAtBothWidths(iria.page, 'leaving a group with a post in it')
  })
})

test('CROP-01 EDIT-07 SHARE-01 axe finds no problems in the crop dialog, the drafts and the share dialog, light or dark', async ({
  signedUp,
}) => {
  const ana = await signedUp('Anastasia'.repeat(7))
  const bea = await signedUp('Bea de nombre largo '.repeat(5))
  const { page } = ana
  await page.goto('/create-post')
  await uploadPhotoInForm(page, toUploadFilePayload(await createPng()))
  await page.getByLabel('Caption').fill('palabra '.repeat(40).trim())
  await page.getByRole('button', { name: 'Crop photo 1', exact: true }).click()
  const crop = page.getByRole('dialog', { name: 'Crop photo 1' })
  await expect(crop.getByRole('application', { name: /^Frame\./ })).toBeFocused()
  for (const shape of ['1:1', 'Free']) {
    await crop.getByRole('radio', { name: shape, exact: true }).check()
    await expectNoAxeProblemsAtBothWidths(page, `crop, ${shape}`)
  }
  await crop.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(crop).toHaveCount(0)
  await page.getByRole('main').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Save draft' }).click()
  await expect(page).not.toHaveURL('/create-post')
  await page.goto('/create-post')
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Drafts \(\d+\)$/ })
    .click()
  await expect(page.getByRole('dialog', { name: 'Drafts' })).toBeVisible()
  await expectNoAxeProblemsAtBothWidths(page, 'drafts')

  const post = await publishPostViaApi(ana)
  await sendMessageViaApi(ana, await openConversationViaApi(ana, bea), 'hola')
  await page.goto(`/posts/${post.$id}`)
  await page.getByRole('button', { name: 'Share', exact: true }).first().click()
  const share = page.getByRole('dialog', { name: 'Share this post' })
  await share.getByRole('checkbox').first().check()
  await expectNoAxeProblemsAtBothWidths(page, 'share')
})
