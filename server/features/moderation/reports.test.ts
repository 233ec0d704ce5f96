import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openConversationOperation } from '#contract/chat/conversations.ts'
import { sendMessageOperation } from '#contract/chat/messages.ts'
import { deleteFileOperation, getFileContentOperation } from '#contract/files/files.ts'
import { leaveGroupOperation } from '#contract/groups/group-members.ts'
import { deleteGroupOperation, getGroupOperation, updateGroupOperation } from '#contract/groups/groups.ts'
import { createReportOperation, listMyReportsOperation } from '#contract/moderation/reports.ts'
import type { OperationOutput } from '#contract/operation.ts'
import { blockMemberOperation, unblockMemberOperation } from '#contract/people/blocks.ts'
import { followOperation, updateProfileOperation } from '#contract/people/people.ts'
import { updatePrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import {
  createPostOperation,
  deletePostOperation,
  type Post,
  updatePostOperation,
} from '#contract/posts/posts.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import {
  admitMemberToGroup,
  createGroupWithMembers,
  createPostInGroup,
} from '#tests/support/group-factory.ts'
import { describeRecordedChanges } from '#tests/support/recorded-changes.ts'
import {
  countResponsesByStatus,
  createArrayByIndex,
  raceTimeoutMs,
  runRaceRounds,
} from '#tests/support/run-race-rounds.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'
import type { BlobStore } from '../../blobs/blob-store.ts'
import { openDiskBlobStore } from '../../blobs/disk-blob-store.ts'
import type { FileContext } from '../../files/stored-files.ts'
import { createImageProcessor } from '../../images/image-processor.ts'
import { createServerLogger } from '../../log.ts'
import { purgeExpiredRows } from '../../ops/retention.ts'

const images = createImageProcessor()
let w: TestWorld
let ana: MemberClient
let iria: MemberClient
let blobs: BlobStore
let context: FileContext

beforeAll(async () => {
  w = await createTestWorld()
  ;[ana, iria] = [await w.join('Ana'), await w.join('Iria')]
  blobs = await openDiskBlobStore(join(w.dataDir, 'files'))
  context = { database: w.database, blobs, images, log: createServerLogger('silent') }
})
afterAll(async () => {
  images.close()
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

const query = async (text: string, values: unknown[] = []) => (await w.database.pool.query(text, values)).rows
type Subject = { kind: 'post' | 'member' | 'message' | 'group'; id: string }
const report = (who: MemberClient, subject: Subject, more: object = {}) =>
  who.call(createReportOperation, { subject, reason: 'harassment', ...more })
const refusal = (who: MemberClient, subject: Subject, more: object = {}) =>
  who.refusal(createReportOperation, { subject, reason: 'harassment', ...more })

type Kept = { position: number; kind: string; snapshot: Record<string, unknown>; storage_key: string | null }
const evidenceOf = async (reportId: string): Promise<Kept[]> =>
  (await query(
    `select e.position, e.kind, e.snapshot, f.storage_key from evidence e join reports r on r.id = e.report_id
     left join files f on f.id = e.file_id where r.public_id = $1 order by e.position`,
    [reportId],
  )) as Kept[]
const caseOf = async (reportId: string) =>
  (
    await query(
      'select c.* from moderation_cases c join reports r on r.case_id = c.id where r.public_id = $1',
      [reportId],
    )
  )[0]
const decide = (reportId: string, decision: string, days: number) =>
  query(
    `with decided as (
       update moderation_cases c set status = 'decided', decision = $2, decided_at = clock_timestamp()
       from reports r where r.case_id = c.id and r.public_id = $1 returning c.id
     ) update evidence e set kept_until = clock_timestamp() + $3::int * interval '1 day'
       from reports r join decided on decided.id = r.case_id where e.report_id = r.id`,
    [reportId, decision, days],
  )

async function writePost(author: MemberClient, groupId: string | null = null, color = '#334455') {
  const imageId = await author.upload(await createJpeg(color))
  return author.call(createPostOperation, {
    caption: 'Una tarde juntas',
    location: 'Casa',
    tags: ['sol'],
    imageId,
    groupId,
  })
}
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const bytesUnder = async (storageKey: string | null) => {
  const opened = await blobs.open(storageKey ?? '', 'original')
  return opened && sha256(await buffer(opened.read()))
}
/** Makes every upload and release old enough, and runs the sweep that deletes them. */
const sweepTomorrow = async () => {
  await query(`update files set updated_at = updated_at - interval '25 hours'`)
  await purgeExpiredRows(context)
  await purgeExpiredRows(context)
}

describe('evidence', () => {
  test("REP-06 evidence of a post has its texts, names, times and group, and the picture's SHA-256", async () => {
    const group = await createGroupWithMembers(ana, iria)
    const post = await writePost(iria, group)
    const made = await report(ana, { kind: 'post', id: post.$id }, { note: '  Mira esto  ' })
    expect(made).toMatchObject({
      kind: 'post',
      reason: 'harassment',
      desk: 'moderators',
      status: 'received',
      outcome: null,
    })
    const [kept, ...more] = await evidenceOf(made.$id)
    expect(more).toEqual([])
    const picture = await ana.ask(getFileContentOperation, { fileId: post.imageId })
    expect(kept).toMatchObject({
      kind: 'post',
      snapshot: {
        ...{ id: post.$id, caption: 'Una tarde juntas', location: 'Casa', tags: ['sol'] },
        ...{ createdAt: post.$createdAt, updatedAt: post.$updatedAt },
        creator: { id: iria.id, name: 'Iria', username: post.creator?.username },
        group: { id: group, name: post.group?.name },
        picture: { sha256: sha256(picture.raw), mimeType: 'image/jpeg' },
      },
    })
    expect(await query('select note from reports where public_id = $1', [made.$id])).toEqual([
      { note: 'Mira esto' },
    ])
    expect(await caseOf(made.$id)).toMatchObject({
      kind: 'post',
      subject_id: post.$id,
      severity: 2,
      status: 'open',
    })
  })

  test('REP-06 evidence of a post has each of its photos with description, even after their deletion', async () => {
    const uploads = [await createJpeg('#112233'), await createJpeg('#445566'), await createJpeg('#778899')]
    const photos = await Promise.all(
      uploads.map(async (bytes, n) => ({ imageId: await iria.upload(bytes), alt: `photo ${n + 1}` })),
    )
    const post = await iria.call(createPostOperation, {
      ...{ caption: 'Una tarde juntas', location: 'Casa', tags: [] },
      photos,
    })
    const made = await report(ana, { kind: 'post', id: post.$id })
    await iria.call(updatePostOperation, { postId: post.$id, photos: photos.slice(0, 1) })
    const kept = await evidenceOf(made.$id)
    expect(kept.map(({ snapshot }) => snapshot)).toMatchObject([
      { id: post.$id, imageAlt: 'photo 1' },
      { id: post.$id, photo: 2, alt: 'photo 2' },
      { id: post.$id, photo: 3, alt: 'photo 3' },
    ])
    const hashes = kept.map(({ snapshot }) => (snapshot.picture as { sha256: string }).sha256)
    expect(new Set(hashes).size).toBe(3)
  })

  test('REP-06 evidence of a member or group contains their visible profile', async () => {
    await iria.call(updateProfileOperation, {
      personId: iria.id,
      bio: 'Pinto',
      imageId: await iria.upload(await createJpeg('#aabbcc')),
    })
    const [member] = await evidenceOf((await report(ana, { kind: 'member', id: iria.id })).$id)
    expect(member?.snapshot).toMatchObject({
      id: iria.id,
      name: 'Iria',
      bio: 'Pinto',
      picture: { width: expect.any(Number) },
    })
    const group = await createGroupWithMembers(iria)
    await iria.call(updateGroupOperation, { groupId: group, description: 'Solo nosotras' })
    const { name } = await ana.call(getGroupOperation, { groupId: group })
    const [kept] = await evidenceOf((await report(ana, { kind: 'group', id: group })).$id)
    expect(kept?.snapshot).toMatchObject({
      id: group,
      name,
      description: 'Solo nosotras',
      admin: { id: iria.id },
      picture: null,
    })
  })

  test('REP-03 evidence of a conversation has only the chosen messages, in order', async () => {
    const [eva, luz] = [await w.join('Eva'), await w.join('Luz')]
    const { $id: conversation } = await eva.call(openConversationOperation, { personId: luz.id })
    const said: string[] = []
    for (const [who, content] of [
      [eva, 'hola'],
      [luz, 'feo'],
      [eva, '¿por qué?'],
      [luz, 'más feo'],
      [luz, 'nada'],
    ] as const)
      said.push((await who.call(sendMessageOperation, { conversationId: conversation, content })).$id)
    const [first = '', ugly = '', why = '', uglier = ''] = said
    const made = await report(eva, { kind: 'message', id: uglier }, { messages: [why, ugly, first] })
    const kept = await evidenceOf(made.$id)
    expect(kept.map(({ snapshot }) => [snapshot.id, snapshot.content])).toEqual([
      [uglier, 'más feo'],
      [first, 'hola'],
      [ugly, 'feo'],
      [why, '¿por qué?'],
    ])
    expect(kept[1]?.snapshot).toMatchObject({ sender: { id: eva.id, name: 'Eva' } })
    const before = await query('select count(*) from reports')
    const other = await eva.call(openConversationOperation, { personId: ana.id })
    const foreign = await eva.call(sendMessageOperation, { conversationId: other.$id, content: 'a ti no' })
    expect(await refusal(eva, { kind: 'message', id: ugly }, { messages: [foreign.$id] })).toMatchObject({
      ...{ code: 404, type: 'report_subject_not_found', field: 'messages' },
      message: 'No encontramos lo que quieres denunciar',
    })
    expect(await refusal(eva, { kind: 'message', id: ugly }, { messages: ['inventado'] })).toMatchObject({
      code: 404,
    })
    const tooMany = createArrayByIndex(21, (n) => `mensaje${n}`)
    expect(await refusal(eva, { kind: 'message', id: ugly }, { messages: tooMany })).toMatchObject({
      code: 400,
      field: 'messages',
    })
    expect(await refusal(iria, { kind: 'message', id: ugly })).toMatchObject({ code: 404 })
    expect(await refusal(iria, { kind: 'message', id: foreign.$id }, { messages: [ugly] })).toMatchObject({
      code: 404,
    })
    expect(await refusal(eva, { kind: 'message', id: first })).toMatchObject({
      code: 400,
      type: 'report_self_not_allowed',
    })
    expect(await query('select count(*) from reports')).toEqual(before)
  })

  test('REP-04 the note of a report has at most 1,000 characters', async () => {
    const dora = await w.join('Dora')
    expect(await refusal(ana, { kind: 'member', id: dora.id }, { note: 'x'.repeat(1001) })).toMatchObject({
      ...{ code: 400, field: 'note' },
    })
    await report(ana, { kind: 'member', id: dora.id }, { note: 'é'.repeat(1000) })
  })
})

describe('REP-07 REP-08 evidence after its subject is changed or deleted', () => {
  const edit = async (post: { $id: string }, author: MemberClient) => {
    await author.call(updatePostOperation, {
      postId: post.$id,
      caption: 'Nunca dije eso',
      location: 'Otra parte',
    })
  }
  const fates: Record<
    string,
    (
      post: { $id: string; imageId: string },
      author: MemberClient,
      group: string,
      admin: MemberClient,
    ) => Promise<unknown>
  > = {
    'its author edits the post': edit,
    'its author replaces the photo': async (post, author) =>
      author.call(updatePostOperation, {
        postId: post.$id,
        imageId: await author.upload(await createJpeg('#990000')),
      }),
    'its author deletes the post, and the file': async (post, author) => {
      await author.call(deletePostOperation, { postId: post.$id })
      await author.ask(deleteFileOperation, { fileId: post.imageId })
    },
    'its author leaves the group': (_, author, group) => author.call(leaveGroupOperation, { groupId: group }),
    'its author closes the account': (_, author) => author.request('PATCH', '/v1/account/status', {}),
    'the group is deleted': async (_, __, group, admin) =>
      admin.call(deleteGroupOperation, {
        groupId: group,
        name: (await admin.call(getGroupOperation, { groupId: group })).name,
      }),
  }

  const stillShown = new Set(['its author edits the post', 'its author leaves the group'])
  test.each(Object.entries(fates))(
    '%s: the case shows the post as it was reported, and no route serves its photo',
    async (name, fate) => {
      const [admin, author] = [await w.join('Bea'), await w.join('Carla')]
      const group = await createGroupWithMembers(admin, author)
      const post = await writePost(author, group)
      await admitMemberToGroup(admin, iria, group)
      const before = sha256((await iria.ask(getFileContentOperation, { fileId: post.imageId })).raw)
      const { $id } = await report(iria, { kind: 'post', id: post.$id })
      await fate(post, author, group, admin)
      await sweepTomorrow()
      const [kept] = await evidenceOf($id)
      expect(kept?.snapshot).toMatchObject({
        caption: 'Una tarde juntas',
        location: 'Casa',
        picture: { sha256: before },
      })
      expect(await bytesUnder(kept?.storage_key ?? null)).toBe(before)
      if (stillShown.has(name)) return
      for (const who of [iria, admin, author, ana])
        expect([401, 404]).toContain(
          (await who.ask(getFileContentOperation, { fileId: post.imageId })).status,
        )
    },
  )

  test('REP-09 nobody can change evidence, not even the server', async () => {
    const made = await report(ana, { kind: 'post', id: (await writePost(iria)).$id })
    for (const change of [
      `snapshot = '{}'`,
      'position = 3',
      'file_id = null',
      `kind = 'member'`,
      'created_at = now()',
    ])
      await expect(
        query(
          `update evidence set ${change} where report_id = (select id from reports where public_id = $1)`,
          [made.$id],
        ),
      ).rejects.toMatchObject({ constraint: 'evidence_fixed' })
  })

  test('REP-14 evidence and its picture are deleted 90 days after a dismissal and 24 months after any other decision', async () => {
    const kept: { id: string; key: string }[] = []
    for (const [decision, days] of [
      ['dismiss', 90],
      ['hide', 730],
    ] as const) {
      const post = await writePost(iria)
      const { $id } = await report(ana, { kind: 'post', id: post.$id })
      const [item] = await evidenceOf($id)
      kept.push({ id: $id, key: item?.storage_key ?? '' })
      await decide($id, decision, days)
      await iria.call(deletePostOperation, { postId: post.$id })
    }
    const there = async () =>
      Promise.all(
        kept.map(async ({ id, key }) => [(await evidenceOf(id)).length, (await bytesUnder(key)) !== null]),
      )
    await sweepTomorrow()
    expect(await there()).toEqual([
      [1, true],
      [1, true],
    ])
    await query(
      `update evidence set kept_until = kept_until - interval '91 days' where kept_until is not null`,
    )
    await sweepTomorrow()
    expect(await there()).toEqual([
      [0, false],
      [1, true],
    ])
    await query(
      `update evidence set kept_until = kept_until - interval '640 days' where kept_until is not null`,
    )
    await sweepTomorrow()
    expect(await there()).toEqual([
      [0, false],
      [0, false],
    ])
    expect((await ana.call(listMyReportsOperation, { limit: 100 })).documents.map(({ $id }) => $id)).toEqual(
      expect.arrayContaining(kept.map(({ id }) => id)),
    )
    await query(
      `update moderation_cases set decided_at = decided_at - interval '25 months' where status = 'decided'`,
    )
    await purgeExpiredRows(context)
    expect(
      (await ana.call(listMyReportsOperation, { limit: 100 })).documents.map(({ $id }) => $id),
    ).not.toContain(kept[0]?.id)
  })
})

describe('one case per subject', () => {
  test('REP-10 a repeated report returns the first, others join its case, and a report after the decision opens another case', async () => {
    const [eva, luz] = [await w.join('Eva'), await w.join('Luz')]
    const subject = { kind: 'post', id: (await writePost(iria)).$id } as const
    const first = await ana.ask(createReportOperation, { subject, reason: 'spam' })
    const again = await ana.ask(createReportOperation, { subject, reason: 'threat', note: 'otra vez' })
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body])
    const { helpLines, ...made } = first.body as OperationOutput<typeof createReportOperation>
    expect(helpLines).toEqual([{ country: 'ES', number: '016' }])
    const { $id } = made
    const other = await eva.call(createReportOperation, { subject, reason: 'threat' })
    expect((await caseOf(other.$id)).id).toBe((await caseOf($id)).id)
    expect((await caseOf($id)).severity).toBe(3)
    await decide($id, 'dismiss', 90)
    const later = await luz.call(createReportOperation, { subject, reason: 'spam' })
    expect((await caseOf(later.$id)).id).not.toBe((await caseOf($id)).id)
    expect((await ana.call(createReportOperation, { subject, reason: 'spam' })).$id).not.toBe($id)
    const [mine, before] = (await ana.call(listMyReportsOperation, {})).documents
    expect([mine?.status, before]).toEqual(['received', { ...made, status: 'decided', outcome: 'no-breach' }])
  })

  test("REP-07 REP-10 reporting a changed post again adds its later text to the first report's evidence, at most three times", async () => {
    const post = await writePost(iria)
    const subject = { kind: 'post', id: post.$id } as const
    const { $id } = await report(ana, subject, { reason: 'spam' })
    const captions = async () => (await evidenceOf($id)).map(({ snapshot }) => snapshot.caption)
    await report(ana, subject)
    expect(await captions()).toEqual(['Una tarde juntas'])
    for (let n = 1; n <= 5; n += 1) {
      await iria.call(updatePostOperation, { postId: post.$id, caption: `Sé dónde vives ${n}` })
      expect((await report(ana, subject, { reason: 'threat' })).$id).toBe($id)
      expect((await report(ana, subject, { reason: 'threat' })).$id).toBe($id)
    }
    expect(await captions()).toEqual([
      'Una tarde juntas',
      'Sé dónde vives 1',
      'Sé dónde vives 2',
      'Sé dónde vives 3',
    ])
    expect(
      await query('select count(*)::int as n from reports where case_id = $1', [(await caseOf($id)).id]),
    ).toEqual([{ n: 1 }])
  })

  test('REP-12 a member lists only her own reports, in pages', async () => {
    const [eva, luz] = [await w.join('Eva'), await w.join('Luz')]
    const made: string[] = []
    for (const person of createArrayByIndex(3, () => w.join('Rosa')))
      made.push((await report(eva, { kind: 'member', id: (await person).id })).$id)
    const page = await eva.call(listMyReportsOperation, { limit: 2 })
    expect([page.documents.map(({ $id }) => $id), page.next]).toEqual([[made[2], made[1]], made[1]])
    const last = await eva.call(listMyReportsOperation, { limit: 2, cursor: page.next ?? '' })
    expect([last.documents.map(({ $id }) => $id), last.next]).toEqual([[made[0]], null])
    expect(await luz.call(listMyReportsOperation, {})).toEqual({ documents: [], next: null })
    expect(await luz.refusal(listMyReportsOperation, { cursor: made[0] })).toMatchObject({
      type: 'general_cursor_not_found',
    })
  })
})

describe('REP-11 reportable content', () => {
  const daysLater = (days: number) =>
    query(`update blocks set created_at = created_at - $1::int * interval '1 day'`, [days])
      .then(() => query(`update accounts set closed_at = closed_at - $1::int * interval '1 day'`, [days]))
      .then(() =>
        query(`update users set privatised_at = privatised_at - $1::int * interval '1 day'`, [days]),
      )
  const ways: Record<string, (me: MemberClient, other: MemberClient) => Promise<unknown>> = {
    'she blocked': (me, other) => me.call(blockMemberOperation, { personId: other.id }),
    'who blocked her': (me, other) => other.call(blockMemberOperation, { personId: me.id }),
    'who closed the account': (_, other) => other.request('PATCH', '/v1/account/status', {}),
    'who went private': (_, other) => other.call(updatePrivacySettingsOperation, { isPrivate: true }),
  }
  test.each(Object.entries(ways))(
    'for seven days a member can report content of a member %s',
    async (name, way) => {
      const [eva, luz] = [await w.join('Eva'), await w.join('Luz')]
      const { $id: id } = await writePost(luz)
      await way(eva, luz)
      await report(eva, { kind: 'post', id })
      await report(eva, { kind: 'member', id: luz.id })
      const rosa = await w.join('Rosa')
      if (name === 'who blocked her') await luz.call(blockMemberOperation, { personId: rosa.id })
      if (name === 'she blocked') await rosa.call(blockMemberOperation, { personId: luz.id })
      await daysLater(8)
      expect(await refusal(rosa, { kind: 'post', id })).toMatchObject({
        ...{ code: 404, message: 'No encontramos lo que quieres denunciar' },
      })
      // Everyone can still see a private account.
      if (name === 'who went private') await report(rosa, { kind: 'member', id: luz.id })
      else expect(await refusal(rosa, { kind: 'member', id: luz.id })).toMatchObject({ code: 404 })
    },
  )

  test("a member cannot report what she never could read: group posts, conversations, a private account's new posts", async () => {
    const [eva, luz] = [await w.join('Eva'), await w.join('Luz')]
    const group = await createGroupWithMembers(ana, luz)
    const grouped = await createPostInGroup(w.database, luz, group)
    await luz.call(updatePrivacySettingsOperation, { isPrivate: true })
    const closed = await createPostInGroup(w.database, luz, null)
    for (const id of [grouped, closed, 'nada'])
      expect(await refusal(eva, { kind: 'post', id })).toMatchObject({ code: 404 })
    await report(ana, { kind: 'post', id: grouped })
    for (const kind of ['member', 'group', 'message'] as const)
      expect(await refusal(eva, { kind, id: 'nadie' })).toMatchObject({ code: 404 })
    expect(
      (
        await w.visitor.ask(createReportOperation, {
          subject: { kind: 'member', id: luz.id },
          reason: 'spam',
        })
      ).status,
    ).toBe(401)
  })

  test('a member cannot report her own profile, post or group', async () => {
    const eva = await w.join('Eva')
    const group = await createGroupWithMembers(eva)
    const subjects = [
      { kind: 'member', id: eva.id },
      { kind: 'post', id: await createPostInGroup(w.database, eva, null) },
      { kind: 'group', id: group },
    ] as const
    for (const subject of subjects)
      expect(await refusal(eva, subject)).toMatchObject({
        ...{ code: 400, type: 'report_self_not_allowed', message: 'No puedes denunciarte a ti misma' },
      })
  })

  test('REP-13 neither the reported member nor anyone else is notified of a report', async () => {
    const [eva, luz] = [await w.join('Eva'), await w.join('Luz')]
    const id = await createPostInGroup(w.database, luz, null)
    const changes = await describeRecordedChanges(w.database, [eva, luz], async () => {
      await report(eva, { kind: 'post', id })
      await report(eva, { kind: 'member', id: luz.id })
    })
    expect(changes).toEqual([])
    expect(
      await query(
        'select count(*) from account_events e join accounts a on a.id = e.account_id where a.public_id = $1 and e.event like $2',
        [luz.accountId, '%report%'],
      ),
    ).toEqual([{ count: 0 }])
    expect((await luz.call(listMyReportsOperation, {})).documents).toEqual([])
  })

  test('REP-13 a deleted picture does not reveal whether it was reported', async () => {
    const [eva, luz] = [await w.join('Eva'), await w.join('Luz')]
    const posts = [await writePost(luz), await writePost(luz), await writePost(luz), await writePost(luz)]
    const [reported, other, laterReported, laterOther] = posts as [Post, Post, Post, Post]
    for (const { $id } of [reported, laterReported]) await report(eva, { kind: 'post', id: $id })
    for (const { $id: postId } of posts) await luz.call(deletePostOperation, { postId })
    const remove = async ({ imageId }: Post) =>
      (await luz.ask(deleteFileOperation, { fileId: imageId })).status
    for (const post of [reported, other]) expect([await remove(post), await remove(post)]).toEqual([204, 404])
    await sweepTomorrow()
    for (const post of [laterReported, laterOther]) expect(await remove(post)).toBe(404)
    for (const { imageId } of posts) {
      const form = new FormData()
      form.append('fileId', imageId)
      form.append('file', new Blob([new Uint8Array(await createJpeg())]), 'photo.jpg')
      const again = new Response(form)
      const headers = { 'content-type': again.headers.get('content-type') as string, cookie: luz.cookie }
      const payload = Buffer.from(await again.arrayBuffer())
      const url = '/v1/storage/buckets/media/files'
      expect((await w.app.inject({ method: 'POST', url, headers, payload })).statusCode).toBe(201)
    }
  })

  test('reporting a followers-only post does not reveal whether its author blocked the reporter or closed her account', async () => {
    const eva = await w.join('Eva')
    const leave: ((other: MemberClient) => Promise<unknown>)[] = [
      (other) => other.call(blockMemberOperation, { personId: eva.id }),
      (other) => other.request('PATCH', '/v1/account/status', {}),
    ]
    for (const goes of leave) {
      const luz = await w.join('Luz')
      await eva.call(followOperation, { personId: luz.id })
      await luz.call(updatePrivacySettingsOperation, { isPrivate: true })
      const { $id: id } = await writePost(luz)
      await report(eva, { kind: 'post', id })
      const { $id: unreported } = await writePost(luz)
      await goes(luz)
      expect(await refusal(eva, { kind: 'post', id: unreported })).toMatchObject({ code: 404 })
    }
  })
})

describe('concurrent requests', () => {
  test(
    'REP-07 a report concurrent with the deletion of its post has evidence with the picture, or no evidence',
    async () => {
      const posts: string[] = []
      await runRaceRounds(
        w.database,
        async (round) => {
          const author = await w.join('Rosa')
          const { $id } = await writePost(author)
          posts.push($id)
          const doing = [
            () => ana.ask(createReportOperation, { subject: { kind: 'post', id: $id }, reason: 'threat' }),
            () => author.ask(deletePostOperation, { postId: $id }),
            async () => {
              await purgeExpiredRows(context)
              return iria.ask(createReportOperation, { subject: { kind: 'post', id: $id }, reason: 'hate' })
            },
          ]
          return round % 2 === 0 ? doing : doing.reverse()
        },
        async (answers) => {
          for (const { status, body } of answers.filter(({ status }) => status === 201)) {
            const [kept] = await evidenceOf((body as { $id: string }).$id)
            await sweepTomorrow()
            const picture = kept?.snapshot.picture as { sha256: string } | null
            expect([status, picture?.sha256]).toEqual([
              201,
              (await bytesUnder(kept?.storage_key ?? null)) ?? 'no bytes',
            ])
          }
          expect(answers.every(({ status }) => [200, 201, 204, 404].includes(status))).toBe(true)
        },
      )
    },
    raceTimeoutMs,
  )

  test(
    'REP-10 many concurrent reports of one subject give one case with one report by each member',
    async () => {
      const many = await Promise.all(createArrayByIndex(4, () => w.join('Rosa')))
      let id = ''
      await runRaceRounds(
        w.database,
        async () => {
          id = await createPostInGroup(w.database, iria, null)
          return [...many, ...many].map(
            (who) => () => who.ask(createReportOperation, { subject: { kind: 'post', id }, reason: 'spam' }),
          )
        },
        async (answers) => {
          expect(countResponsesByStatus(answers)).toEqual({ 201: many.length * 2 })
          expect(
            await query('select count(*)::int from moderation_cases where subject_id = $1', [id]),
          ).toEqual([{ count: 1 }])
          expect(
            await query(
              `select count(*)::int as reports, (select count(*)::int from evidence e join reports er on er.id = e.report_id
              join moderation_cases ec on ec.id = er.case_id where ec.subject_id = $1) as evidence
              from reports r join moderation_cases c on c.id = r.case_id where c.subject_id = $1`,
              [id],
            ),
          ).toEqual([{ reports: many.length, evidence: many.length }])
        },
      )
    },
    raceTimeoutMs,
  )
})

test('two members who blocked each other can still report each other', async () => {
  const [eva, luz] = [await w.join('Eva'), await w.join('Luz')]
  await eva.call(blockMemberOperation, { personId: luz.id })
  await report(eva, { kind: 'member', id: luz.id })
  await report(luz, { kind: 'member', id: eva.id })
  await eva.call(unblockMemberOperation, { personId: luz.id })
})
