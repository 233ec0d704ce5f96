import { beforeEach, expect, test } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import { getGroupOperation } from '#contract/groups/groups.ts'
import { createReportOperation, listMyReportsOperation, type Report } from '#contract/moderation/reports.ts'
import type { OperationInput } from '#contract/operation.ts'
import { blockMemberOperation, listBlocksOperation, type MemberBlock } from '#contract/people/blocks.ts'
import { restrictMemberOperation } from '#contract/people/mutes-and-restrictions.ts'
import { getHomeFeedOperation, getPostOperation, type Post } from '#contract/posts/posts.ts'
import { bubble, conversationWith, openConversation } from '#tests/support/component/chat.ts'
import { makeGroup, makeMessage, makePost, makeProfile, newId } from '#tests/support/component/fixtures.ts'
import { sendChange } from '#tests/support/component/live-socket.ts'
import { api, openApp, phone } from '#tests/support/component/open-app.tsx'
import {
  ana,
  answerPeople,
  answerPersonMenu,
  main,
  question,
  toasts,
} from '#tests/support/component/people.ts'
import { answerPostForm, answerPostPage } from '#tests/support/component/post-form.ts'

const dialog = page.getByRole('dialog', { name: /What|Anything|Thank you/ })
const heading = dialog.getByRole('heading')
const button = (name: string) => dialog.getByRole('button', { name, exact: true })
const reasons = dialog.getByRole('radio')
const radio = (name: string | RegExp) => dialog.getByRole('radio', { name })
const item = (name: RegExp) => page.getByRole('menuitem', { name })
const more = page.getByRole('button', { name: 'More about Iria Montes' })
const thanks = 'Thank you. The moderators have your report.'
const helpLines = [{ country: 'ES', number: '016' }]
const reports = () => api.callsOf(createReportOperation)

const iria = makeProfile({ name: 'Iria Montes' })

const makeReport = (given: Partial<Report> = {}): Report => ({
  $id: newId('report'),
  $createdAt: new Date().toISOString(),
  kind: 'post',
  reason: 'spam',
  desk: 'moderators',
  status: 'received',
  outcome: null,
  ...given,
})

function keepReport({ subject, reason, desk }: OperationInput<typeof createReportOperation>) {
  const goesToAdmin = desk === undefined && (reason === 'spam' || reason === 'off-topic')
  const report = makeReport({ kind: subject.kind, reason, desk: goesToAdmin ? 'group' : 'moderators' })
  return { ...report, helpLines }
}

beforeEach(() => {
  answerPeople([iria])
  answerPersonMenu()
  api.answer(createReportOperation, keepReport)
})

async function openPost(groupId: string | null = newId('group')) {
  const group = groupId === null ? null : { $id: groupId, name: 'Costura' }
  const post = makePost({ creator: iria, groupId, group })
  answerPostForm({ posts: [post] })
  answerPostPage()
  answerPeople([iria])
  await openApp(`/posts/${post.$id}`, { me: ana })
  await expect.element(more).toBeVisible()
  return post
}

async function sendReport(reason: string) {
  await expect.element(button('Next')).toBeDisabled()
  await radio(reason).click()
  await button('Next').click()
  await button('Send report').click()
  await expect.element(heading).toHaveTextContent(thanks)
}

test("REP-01 REP-02 REP-04 ana reports a group's post with a note, and a failed report can be sent again", async () => {
  const post = await openPost()
  await more.click()
  await item(/^Report post…/).click()
  await expect.element(heading).toHaveTextContent('What is wrong with this post?')
  await expect.poll(() => reasons.elements()).toHaveLength(10)
  await expect.element(radio('It doesn’t belong in this group')).toBeVisible()
  await expect.element(button('Next')).toBeDisabled()
  await radio(/^Threats/).click()
  await button('Next').click()
  await expect.element(heading).toHaveTextContent('Anything we should know?')
  const note = dialog.getByRole('textbox')
  await note.fill('x'.repeat(799))
  expect(dialog.element().textContent).not.toContain('of 1000')
  await note.fill('x'.repeat(1000))
  await expect.element(dialog).toMatchTextContent('1000 of 1000')
  await expect.element(note).toHaveAttribute('maxlength', '1000')
  await note.fill('Ya me escribió en septiembre.')
  api.refuse(createReportOperation, 500)
  await button('Send report').click()
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Something went wrong. Please try again.')
  await expect.element(note).toHaveValue('Ya me escribió en septiembre.')
  api.answer(createReportOperation, keepReport)
  await button('Send report').click()
  await expect.element(heading).toHaveTextContent(thanks)
  await button('Done').click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(reports().at(-1)).toMatchObject({
    subject: { kind: 'post', id: post.$id },
    reason: 'threat',
    note: 'Ya me escribió en septiembre.',
  })
})

test('REP-04 REP-05 after reporting iria, ana sees emergency numbers, and restricts or blocks iria', async () => {
  api.answer(restrictMemberOperation, { restricted: true })
  api.answer(blockMemberOperation, { blocked: true, blockId: newId('block') })
  await openPost()
  await more.click()
  await item(/^Report Iria…/).click()
  await expect.element(heading).toHaveTextContent('What is wrong with this profile?')
  await expect.poll(() => reasons.elements()).toHaveLength(9)
  await sendReport('Spam or fraud')
  await expect
    .element(dialog)
    .toMatchTextContent('Are you in danger now? 112. In Spain, 016 answers day and night.')
  await dialog.getByRole('button', { name: /^Restrict her instead/ }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(toasts.getByText('Iria Montes won’t know.')).toBeVisible()
  await expect.poll(() => api.callsOf(restrictMemberOperation)).toMatchObject([{ personId: iria.$id }])

  await more.click()
  await item(/^Report Iria…/).click()
  await sendReport('Spam or fraud')
  await dialog.getByRole('button', { name: /^Block Iria Montes/ }).click()
  await question(/^Block /)
    .getByRole('button', { name: 'Block', exact: true })
    .click()
  await expect.element(question(/^Block /)).not.toBeInTheDocument()
  await expect.poll(() => api.callsOf(blockMemberOperation)).toMatchObject([{ personId: iria.$id }])
})

test('REP-01 ana reports a member whom she has blocked', async () => {
  const block: MemberBlock = {
    $id: newId('block'),
    $createdAt: new Date().toISOString(),
    person: { $id: iria.$id, name: 'Iria Montes', username: 'iriamontes' },
    newerAccounts: true,
    conversationId: null,
    groupsInCommon: 0,
  }
  api.answer(listBlocksOperation, { documents: [block], next: null })
  await openApp('/settings/blocked', { me: ana })
  await main.getByRole('button', { name: 'Report Iria Montes…' }).click()
  await expect.element(heading).toHaveTextContent('What is wrong with this profile?')
  await button('Cancel').click()
  await expect.element(dialog).not.toBeInTheDocument()
})

async function tabTo(target: Locator): Promise<void> {
  for (let stops = 0; stops < 60 && target.element() !== document.activeElement; stops += 1)
    await userEvent.keyboard('{Tab}')
  await expect.element(target).toHaveFocus()
  expect(target.element().matches(':focus-visible')).toBe(true)
}

test('REP-01 REP-02 REP-04 REP-05 using only the keyboard, ana reports a post from its card, and the focus returns to the card', async () => {
  const post = makePost({ creator: iria })
  api.answer(getHomeFeedOperation, { documents: [post], next: null })
  await openApp('/', { me: ana })
  await expect.element(more).toBeVisible()
  await tabTo(more)
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('menuitem').first()).toHaveFocus()
  for (let step = 0; step < 6 && item(/^Report post…/).element() !== document.activeElement; step += 1)
    await userEvent.keyboard('{ArrowDown}')
  await expect.element(item(/^Report post…/)).toHaveFocus()
  await userEvent.keyboard('{Enter}')

  await expect.element(heading).toHaveTextContent('What is wrong with this post?')
  await expect.element(heading).toHaveFocus()
  await expect.element(button('Next')).toBeDisabled()
  await tabTo(reasons.first())
  const threat = radio(/^Threats/)
  for (let step = 0; step < 8 && !(threat.element() as HTMLInputElement).checked; step += 1)
    await userEvent.keyboard('{ArrowDown}')
  await expect.element(threat).toBeChecked()
  await expect.element(threat).toHaveFocus()
  await tabTo(button('Next'))
  await userEvent.keyboard('{Enter}')

  await expect.element(heading).toHaveTextContent('Anything we should know?')
  await expect.element(heading).toHaveFocus()
  await tabTo(dialog.getByRole('textbox'))
  await userEvent.keyboard('Ya me escribió.')
  await tabTo(button('Send report'))
  await userEvent.keyboard('{Enter}')
  await expect.element(heading).toHaveTextContent(thanks)
  await expect.element(heading).toHaveFocus()
  expect(reports()).toMatchObject([
    { subject: { kind: 'post', id: post.$id }, reason: 'threat', note: 'Ya me escribió.' },
  ])
  await tabTo(button('Done'))
  await userEvent.keyboard('{Enter}')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(more).toHaveFocus()
})

function hidePost(post: Post) {
  api.answer(getHomeFeedOperation, { documents: [], next: null })
  api.refuse(getPostOperation, 'document_not_found')
  sendChange({
    collection: 'posts',
    kind: 'delete',
    document: { $id: post.$id, creatorId: iria.$id, groupId: null },
  })
}

test('REP-01 REP-05 if a post is hidden while ana reports it, the report is sent and its dialog stays open until she closes it', async () => {
  const post = makePost({ creator: iria })
  const card = main.getByRole('article', { name: 'Post by Iria Montes' })
  api.answer(getHomeFeedOperation, { documents: [post], next: null })
  await openApp('/', { me: ana, live: true })
  await more.click()
  await item(/^Report post…/).click()
  await radio(/^Threats/).click()
  await button('Next').click()
  await dialog.getByRole('textbox').fill('Ya me escribió.')
  hidePost(post)
  await expect.element(card).not.toBeInTheDocument()
  await expect.element(dialog.getByRole('textbox')).toHaveValue('Ya me escribió.')
  await button('Send report').click()
  await expect.element(heading).toHaveTextContent(thanks)
  await button('Done').click()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(main).toHaveFocus()
  expect(reports()).toMatchObject([{ subject: { kind: 'post', id: post.$id }, note: 'Ya me escribió.' }])
})

test('REP-05 if a post is hidden after ana reports it from its page, the helplines stay open until she closes them', async () => {
  const post = makePost({ creator: iria })
  answerPostForm({ posts: [post] })
  answerPostPage()
  answerPeople([iria])
  await openApp(`/posts/${post.$id}`, { me: ana, live: true })
  await more.click()
  await item(/^Report post…/).click()
  await sendReport('Spam or fraud')
  hidePost(post)
  await expect.element(main.getByText('Post not found')).toBeInTheDocument()
  await expect.element(dialog).toMatchTextContent('In Spain, 016 answers day and night.')
  await button('Done').click()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(main).toHaveFocus()
})

test('REP-01 REP-02 REP-04 on a phone the report dialog opens in two taps on a card, and the report is sent in three more', async () => {
  const post = makePost({ creator: iria })
  api.answer(getHomeFeedOperation, { documents: [post], next: null })
  await openApp('/', { me: ana, size: phone })
  const taps = [more, item(/^Report post…/), radio(/^Threats/), button('Next'), button('Send report')]
  for (const [tapped, target] of taps.entries()) {
    await target.click()
    if (tapped === 1) await expect.element(heading).toHaveTextContent('What is wrong with this post?')
  }
  await expect.element(heading).toHaveTextContent(thanks)
  expect(reports()).toMatchObject([{ subject: { kind: 'post', id: post.$id }, reason: 'threat' }])
})

test('REP-05 a spam report in a group goes to its admin, unless ana chooses the moderators', async () => {
  await openPost()
  for (const desk of [undefined, 'moderators']) {
    await more.click()
    await item(/^Report post…/).click()
    await radio('Spam or fraud').click()
    await button('Next').click()
    await expect.element(radio('The group’s admin')).toBeChecked()
    await expect.element(radio('The moderators')).not.toBeChecked()
    if (desk) await radio('The moderators').click()
    await button('Send report').click()
    await expect
      .element(heading)
      .toHaveTextContent(desk ? thanks : 'Thank you. The group’s admin has your report.')
    await button('Done').click()
    expect(reports().at(-1)?.desk).toBe(desk)
  }
})

test('REP-01 REP-12 ana reports a group and finds it among her reports', async () => {
  const group = makeGroup()
  const kept: Report[] = []
  api.answer(getGroupOperation, group)
  api.answer(listMyReportsOperation, () => ({ documents: kept, next: null }))
  api.answer(createReportOperation, (input) => {
    const report = keepReport(input)
    kept.unshift(report)
    return report
  })
  const { navigate } = await openApp('/settings/reports', { me: ana })
  await expect.element(main.getByText('You haven’t reported anything.')).toBeVisible()
  navigate(`/groups/${group.$id}`)
  await main.getByRole('button', { name: 'Report group…' }).click()
  await expect.element(heading).toHaveTextContent('What is wrong with this group?')
  await sendReport('Hate speech')
  await button('Done').click()
  navigate('/settings/reports')
  const rows = main.getByRole('region', { name: 'Your reports' }).getByRole('listitem')
  await expect.poll(() => rows.elements().length).toBe(1)
  for (const words of ['A group', 'Hate speech', 'Received'])
    await expect.element(rows).toMatchTextContent(words)
})

test('REP-01 REP-03 ana reports a conversation and chooses which messages the moderators may see', async () => {
  const conversation = conversationWith('Iria')
  const $createdAt = new Date().toISOString()
  const [hello, own, ugly] = [
    makeMessage({
      conversationId: conversation.$id,
      senderId: conversation.other.$id,
      content: 'hola guapa',
    }),
    makeMessage({
      conversationId: conversation.$id,
      senderId: ana.$id,
      content: 'No te conozco.',
      $createdAt,
    }),
    makeMessage({
      conversationId: conversation.$id,
      senderId: conversation.other.$id,
      content: 'sé dónde está tu taller',
    }),
  ] as const
  conversation.participants = [ana.$id, conversation.other.$id]
  await openConversation(conversation, { messages: [hello, own, ugly], me: ana })
  const options = (text: string) => bubble(text).getByRole('button', { name: 'Message options' })
  await bubble('No te conozco.').hover()
  await options('No te conozco.').click()
  await expect.element(page.getByRole('menuitem', { name: 'Unsend', exact: true })).toBeVisible()
  expect(item(/^Report message…/).elements()).toEqual([])
  await userEvent.keyboard('{Escape}')
  await bubble('sé dónde está tu taller').hover()
  await options('sé dónde está tu taller').click()
  await item(/^Report message…/).click()
  await radio(/^Threats/).click()
  await button('Next').click()
  await expect.element(heading).toHaveTextContent('What may the moderators see?')
  const chosen = dialog.getByRole('checkbox')
  await expect.poll(() => chosen.elements().length).toBe(3)
  await expect.element(chosen.nth(2)).toBeChecked()
  await expect.element(chosen.nth(2)).toBeDisabled()
  await expect.element(chosen.nth(0)).not.toBeChecked()
  await chosen.nth(1).click()
  await button('Send report').click()
  await expect.element(heading).toHaveTextContent(thanks)
  expect(reports()).toMatchObject([{ subject: { kind: 'message', id: ugly.$id }, messages: [own.$id] }])
})
