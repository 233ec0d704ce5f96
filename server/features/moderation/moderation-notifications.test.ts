import { afterAll, beforeEach, expect, test } from 'vitest'
import { claimCaseOperation, releaseCaseOperation } from '#contract/moderation/cases.ts'
import { createReportOperation, listMyReportsOperation } from '#contract/moderation/reports.ts'
import { updateNotificationDeliveryOperation } from '#contract/notifications/notification-delivery.ts'
import { countNotificationsOperation } from '#contract/notifications/notifications.ts'
import { blockMemberOperation } from '#contract/people/blocks.ts'
import { readConfig } from '#server/config.ts'
import { createDevOutbox } from '#server/email/dev-outbox.ts'
import { createEmailSender } from '#server/email/email-sender.ts'
import { createServerLogger } from '#server/log.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { createPostInGroup } from '#tests/support/group-factory.ts'
import { appointModeratorOnDuty, claimAndDecide, reportSubject } from '#tests/support/report-and-moderate.ts'
import { readNotifications } from '#tests/support/settle-notifications.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'
import { emailWaitingReports } from '../notifications/push/email-moderators.ts'

const w: TestWorld = await createTestWorld({ LIMITS: 'off' })
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})
const config = readConfig({ DATA_DIR: w.dataDir, PUBLIC_URL: 'http://localhost:3000' })
const outbox = createDevOutbox()
const ctx = {
  config,
  database: w.database,
  emails: await createEmailSender(config, createServerLogger('silent'), outbox),
}
const emailsTo = ({ email }: MemberClient) => outbox.entries().filter(({ to }) => to === email)
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000)

let iria: MemberClient
let ana: MemberClient
let bea: MemberClient
let mo: MemberClient
let mia: MemberClient
beforeEach(async () => {
  await w.database.pool.query('delete from moderators')
  await w.database.pool.query('delete from moderation_cases')
  ;[iria, ana, bea, mo, mia] = (await Promise.all(['Iria', 'Ana', 'Bea', 'Mo', 'Mia'].map(w.join))) as [
    MemberClient,
    MemberClient,
    MemberClient,
    MemberClient,
    MemberClient,
  ]
  for (const who of [mo, mia]) {
    await appointModeratorOnDuty(w.database, who)
    await w.database.pool.query('update accounts set email_verified = true where email = $1', [who.email])
  }
})

const aPost = () => createPostInGroup(w.database, iria, null)
const report = async (who: MemberClient, id: string) => reportSubject(w.database, who, { kind: 'post', id })
const listOf = async (who: MemberClient) => readNotifications(w.database, who)

test('NOT-19 a report notifies the moderators without naming its subject', async () => {
  const post = await aPost()
  await report(ana, post)
  for (const who of [mo, mia]) {
    const [row, ...others] = await listOf(who)
    expect(others).toEqual([])
    expect(row).toMatchObject({
      kind: 'report',
      count: 1,
      people: [],
      post: null,
      group: null,
      comment: null,
    })
    expect(JSON.stringify(row)).not.toContain(post)
    expect(JSON.stringify(row)).not.toContain(iria.id)
  }
  for (const who of [iria, ana, bea]) expect(await listOf(who)).toEqual([])
  await report(bea, await aPost())
  expect(await listOf(mo)).toMatchObject([{ kind: 'report', count: 2 }])
})

test('NOT-19 a moderator is not notified of a report about her, by her, or about somebody she blocked', async () => {
  await report(mo, await aPost())
  expect(await listOf(mo)).toEqual([])
  await ana.call(createReportOperation, { subject: { kind: 'member', id: mo.id }, reason: 'harassment' })
  expect(await listOf(mo)).toEqual([])
  await mo.call(blockMemberOperation, { personId: iria.id })
  await report(ana, await aPost())
  expect(await listOf(mo)).toEqual([])
  expect(await listOf(mia)).toMatchObject([{ kind: 'report', count: 3 }])
})

test("NOT-19 claiming a report lowers the other moderator's badge, and releasing it raises the badge", async () => {
  const { caseId } = await report(ana, await aPost())
  expect(await listOf(mo)).toMatchObject([{ kind: 'report' }])
  await mia.call(claimCaseOperation, { caseId })
  expect(await listOf(mo)).toEqual([])
  expect(await mo.call(countNotificationsOperation, {})).toEqual({ unseen: 0, unread: 0, requests: 0 })
  await mia.call(releaseCaseOperation, { caseId })
  expect(await listOf(mo)).toMatchObject([{ kind: 'report', count: 1 }])
})

test('NOT-20 a report that has waited for an hour is emailed to each moderator once, without its content', async () => {
  const { caseId } = await report(ana, await aPost())
  expect(await emailWaitingReports(ctx, inMinutes(59))).toBe(0)
  expect(await emailWaitingReports(ctx, inMinutes(61))).toBe(2)
  expect(await emailWaitingReports(ctx, inMinutes(62))).toBe(0)
  const [email, ...others] = emailsTo(mo)
  expect(others).toEqual([])
  expect(email?.text).toContain('http://localhost:3000/moderation')
  for (const word of ['Iria', 'Ana', caseId, 'Una tarde juntas']) expect(email?.text).not.toContain(word)
})

test('NOT-20 claimed and decided reports send no email, and a moderator can turn the emails off', async () => {
  await mo.call(updateNotificationDeliveryOperation, { mail: ['mention'] })
  const { caseId } = await report(ana, await aPost())
  await mia.call(claimCaseOperation, { caseId })
  expect(await emailWaitingReports(ctx, inMinutes(61))).toBe(0)
  await mia.call(releaseCaseOperation, { caseId })
  expect(await emailWaitingReports(ctx, inMinutes(61))).toBe(1)
  expect(emailsTo(mo)).toEqual([])
  expect(emailsTo(mia)).toHaveLength(1)
})

test('NOT-20 only one of two nodes sends the email', async () => {
  await report(ana, await aPost())
  const sent = await Promise.all([
    emailWaitingReports(ctx, inMinutes(61)),
    emailWaitingReports(ctx, inMinutes(61)),
  ])
  expect(sent.toSorted()).toEqual([0, 2])
})

test('NOT-21 a decision notifies every member who reported, without naming anyone', async () => {
  const post = await aPost()
  const { caseId } = await report(ana, post)
  await report(bea, post)
  expect(await listOf(ana)).toEqual([])
  await claimAndDecide(mo, caseId, { decision: 'hide', text: 'No va aquí.' })
  for (const who of [ana, bea]) {
    const [row] = await listOf(who)
    expect(row).toMatchObject({ kind: 'report-decided', people: [], post: null })
    expect(JSON.stringify(row)).not.toContain('No va aquí.')
    const { documents } = await who.call(listMyReportsOperation, {})
    expect(documents).toMatchObject([{ status: 'decided', outcome: 'acted' }])
  }
  expect((await listOf(iria)).filter(({ kind }) => kind === 'report-decided')).toEqual([])
  expect((await listOf(mia)).map(({ kind }) => kind)).toEqual([])
})
