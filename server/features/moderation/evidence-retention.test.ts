/**
 * This test follows one report from start to end: its subject is deleted, and a week later a moderator
 * decides from the evidence.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signInOperation } from '#contract/account/sign-up-and-sign-in.ts'
import { getFileContentOperation } from '#contract/files/files.ts'
import {
  claimCaseOperation,
  decideCaseOperation,
  getCaseOperation,
  getEvidencePictureOperation,
  listCasesOperation,
  unlockModerationOperation,
} from '#contract/moderation/cases.ts'
import { createReportOperation, listMyReportsOperation } from '#contract/moderation/reports.ts'
import { getPersonOperation } from '#contract/people/people.ts'
import { createPostOperation, deletePostOperation, getPostOperation } from '#contract/posts/posts.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { listFilePathsBelow } from '#tests/support/list-files-below.ts'
import { appointModeratorOnDuty } from '#tests/support/report-and-moderate.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'
import { openDiskBlobStore } from '../../blobs/disk-blob-store.ts'
import type { FileContext } from '../../files/stored-files.ts'
import { createImageProcessor } from '../../images/image-processor.ts'
import { createServerLogger } from '../../log.ts'
import { purgeExpiredRows } from '../../ops/retention.ts'

const images = createImageProcessor()
let w: TestWorld
let context: FileContext
let ana: MemberClient
let iria: MemberClient
let bea: MemberClient
let mo: MemberClient

beforeAll(async () => {
  w = await createTestWorld()
  ;[ana, iria, bea, mo] = [await w.join('Ana'), await w.join('Iria'), await w.join('Bea'), await w.join('Mo')]
  const blobs = await openDiskBlobStore(join(w.dataDir, 'files'))
  context = { database: w.database, blobs, images, log: createServerLogger('silent') }
  await appointModeratorOnDuty(w.database, mo)
})
afterAll(async () => {
  images.close()
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

const query = async (text: string, values: unknown[] = []) => (await w.database.pool.query(text, values)).rows
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Moves every stored time back, without running triggers. */
async function letDaysPass(days: number): Promise<void> {
  const tables = await query(`
    select c.table_name as name, string_agg(format('%1$I = %1$I - interval ''${days} days''', c.column_name), ', ') as earlier
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = current_schema() and t.table_type = 'BASE TABLE' and c.data_type = 'timestamp with time zone'
      and c.is_generated = 'NEVER' group by c.table_name`)
  const steps = tables.map(
    ({ name, earlier }) =>
      `alter table ${name} disable trigger user; update ${name} set ${earlier}; alter table ${name} enable trigger user;`,
  )
  await w.database.pool.query(`begin; ${steps.join(' ')} commit`)
}

async function sweep(): Promise<void> {
  await purgeExpiredRows(context)
  await purgeExpiredRows(context)
}

async function writePost(color: string) {
  const imageId = await iria.upload(await createJpeg(color))
  const words = { caption: 'Sé dónde vives', location: 'Tu portal', tags: ['sol'] }
  return iria.call(createPostOperation, { ...words, imageId })
}
const storageKeyOf = async (fileId: string) =>
  (await query('select storage_key from files where public_id = $1', [fileId]))[0].storage_key as string
const isOnDisk = (storageKey: string) =>
  listFilePathsBelow(join(w.dataDir, 'files')).some((path) => path.includes(storageKey))

test('REP-06 REP-07 REP-08 REP-11 REP-12 REP-14 MOD-03 MOD-10 MOD-15 MOD-16 MOD-20 a moderator decides from the evidence a week after the post, its author and its picture were deleted', async () => {
  const [post, unreported] = [await writePost('#7a1d3c'), await writePost('#1d3c7a')]
  const reported = sha256((await ana.ask(getFileContentOperation, { fileId: post.imageId })).raw)
  const [keptKey, otherKey] = [await storageKeyOf(post.imageId), await storageKeyOf(unreported.imageId)]
  const subject = { kind: 'post', id: post.$id } as const
  const report = await ana.call(createReportOperation, { subject, reason: 'threat' })
  const [{ caseId }] = await query(
    'select c.public_id as "caseId" from moderation_cases c join reports r on r.case_id = c.id where r.public_id = $1',
    [report.$id],
  )

  // The next sweep deletes the pictures.
  for (const { $id: postId } of [post, unreported]) await iria.call(deletePostOperation, { postId })
  expect((await iria.request('PATCH', '/v1/account/status', {})).status).toBe(200)
  await letDaysPass(1)
  await sweep()
  expect([isOnDisk(keptKey), isOnDisk(otherKey)]).toEqual([true, false])
  expect(
    await query('select 1 from files where public_id in ($1, $2)', [post.imageId, unreported.imageId]),
  ).toEqual([])

  await letDaysPass(7)
  await sweep()
  for (const who of [ana, bea, mo]) {
    expect((await who.ask(getPostOperation, { postId: post.$id })).status).toBe(404)
    expect((await who.ask(getPersonOperation, { personId: iria.id })).status).toBe(404)
    for (const fileId of [post.imageId, unreported.imageId, keptKey])
      expect((await who.ask(getFileContentOperation, { fileId })).status).toBe(404)
  }
  expect(await bea.refusal(createReportOperation, { subject, reason: 'threat' })).toMatchObject({
    type: 'report_subject_not_found',
  })
  const ofIria = { kind: 'member', id: iria.id } as const
  expect(await bea.refusal(createReportOperation, { subject: ofIria, reason: 'threat' })).toMatchObject({
    type: 'report_subject_not_found',
  })

  // The moderator's half hour of re-authentication has expired.
  expect(await mo.refusal(getCaseOperation, { caseId })).toMatchObject({
    type: 'moderation_password_required',
  })
  await mo.call(unlockModerationOperation, { password: testPassword })
  expect((await mo.call(listCasesOperation, {})).documents).toMatchObject([
    { $id: caseId, kind: 'post', status: 'open', excerpt: 'Sé dónde vives', deletedAt: expect.any(String) },
  ])
  const shown = await mo.call(getCaseOperation, { caseId })
  const [evidence] = shown.reports[0]?.evidence ?? []
  expect(evidence).toMatchObject({
    ...{ place: '1-0', kind: 'post', hasPicture: true, keptUntil: null },
    snapshot: {
      ...{ id: post.$id, caption: 'Sé dónde vives', location: 'Tu portal', tags: ['sol'] },
      createdAt: post.$createdAt,
      creator: { id: iria.id, name: 'Iria' },
      picture: { sha256: reported },
    },
  })
  const look = () => mo.ask(getEvidencePictureOperation, { caseId, place: '1-0' })
  expect(sha256((await look()).raw)).toBe(reported)
  expect((await ana.ask(getEvidencePictureOperation, { caseId, place: '1-0' })).status).toBe(404)

  await mo.call(claimCaseOperation, { caseId })
  const text = 'Amenazas a una persona'
  const decided = await mo.call(decideCaseOperation, { caseId, decision: 'suspend', text, days: 30 })
  expect(decided).toMatchObject({ status: 'decided', decision: 'suspend', text })
  expect(decided.log.map(({ act }) => act)).toEqual(expect.arrayContaining(['claim', 'suspend']))
  expect((await ana.call(listMyReportsOperation, {})).documents).toMatchObject([
    { $id: report.$id, status: 'decided', outcome: 'acted' },
  ])
  const signIn = await w.visitor.ask(signInOperation, { email: iria.email, password: testPassword })
  expect(signIn).toMatchObject({ status: 401, body: { type: 'user_blocked' } })
  expect((signIn.body as { message: string }).message).toContain(`Motivo: ${text}`)

  // The evidence stays as long as the decision can be appealed.
  const years = (of: string) => (Date.parse(of) - Date.now()) / (365.25 * 86_400_000)
  const [kept] = decided.reports[0]?.evidence ?? []
  expect(years(kept?.keptUntil ?? '')).toBeCloseTo(2, 1)
  await letDaysPass(7)
  await sweep()
  await mo.call(unlockModerationOperation, { password: testPassword })
  expect(sha256((await look()).raw)).toBe(reported)
  expect(sha256((await look()).raw)).toBe(
    evidence && (evidence.snapshot.picture as { sha256: string }).sha256,
  )
})
