import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getCurrentMemberOperation, signUpOperation } from '#contract/account/sign-up-and-sign-in.ts'
import { listConversationsOperation, openConversationOperation } from '#contract/chat/conversations.ts'
import { listMessagesOperation, sendMessageOperation } from '#contract/chat/messages.ts'
import { listCommentsOperation } from '#contract/comments/comments.ts'
import * as contract from '#contract/deletion/deletion.ts'
import { createPostOperation, deletePostOperation, getPostOperation } from '#contract/posts/posts.ts'
import { createInstanceKey } from '#server/auth/instance-key.ts'
import { createBackup } from '#server/backup/create-backup.ts'
import { restoreBackup } from '#server/backup/restore-backup.ts'
import { openBlobStore } from '#server/blobs/open-blob-store.ts'
import { readConfig } from '#server/config.ts'
import { connectToDatabase } from '#server/database/open-database.ts'
import { erasedColumnValues } from '#server/database/personal-columns.ts'
import { createDevOutbox } from '#server/email/dev-outbox.ts'
import { createEmailSender } from '#server/email/email-sender.ts'
import { collectionEffects } from '#server/features/collection-effects.ts'
import { openRateCounterStore } from '#server/http/rate-limit-store.ts'
import { createRateLimits } from '#server/http/rate-limits.ts'
import { createServerLogger } from '#server/log.ts'
import { purgeExpiredRows } from '#server/ops/retention.ts'
import { createTransactionalStore } from '#server/store/store.ts'
import { createUnmigratedTestDatabase } from '#tests/support/database.ts'
import {
  type AccountKeys,
  findAccountKeys,
  findColumnsContainingWord,
  findColumnsNamingAccount,
  findOrphanedFiles,
} from '#tests/support/deletion/erasure-traces.ts'
import {
  createFullAccount,
  type FullAccount,
  fullAccountContent,
  uploadNamedPhoto,
} from '#tests/support/deletion/full-account.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { reportSubject } from '#tests/support/report-and-moderate.ts'
import { startSecondServerNode } from '#tests/support/second-node.ts'
import { waitFor } from '#tests/support/wait-for.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'
import {
  accountColumnErasureRules,
  memberColumnErasureRules,
  unreferencedColumnErasureRules,
} from './column-erasure-rules.ts'
import {
  beginDueDeletions,
  type ErasureContext,
  eraseAccount,
  eraseNextBatch,
  listDeletionsUnderWay,
} from './erase-account.ts'
import { eraseRestoredAccounts } from './erase-restored-accounts.ts'
import { deletedMemberName, erasureSteps } from './erasure-steps.ts'

async function createErasureContext(
  { database, dataDir }: TestWorld,
  outbox = createDevOutbox(),
): Promise<ErasureContext> {
  const config = readConfig({ DATA_DIR: dataDir, PUBLIC_URL: 'http://localhost:3000', LOG_LEVEL: 'silent' })
  const log = createServerLogger(config.logLevel)
  return {
    config,
    log,
    database,
    store: createTransactionalStore(database, collectionEffects, () => {}),
    blobs: await openBlobStore(config),
    emails: await createEmailSender(config, log, outbox),
    limits: createRateLimits(config, await openRateCounterStore({ config, database, log })),
    instanceKey: createInstanceKey(config, database),
  }
}

async function eraseWaitingAccounts(ctx: ErasureContext): Promise<void> {
  await ctx.database.pool.query(
    `update deletions set erase_after = clock_timestamp() - interval '1 second' where state = 'waiting'`,
  )
  await beginDueDeletions(ctx)
  // The test server's own worker may hold a deletion.
  for (let left = await listDeletionsUnderWay(ctx); left.length > 0; left = await listDeletionsUnderWay(ctx))
    for (const deletion of left) await eraseAccount(ctx, deletion)
}

let w: TestWorld
let ctx: ErasureContext
const outbox = createDevOutbox()
beforeAll(async () => {
  w = await createTestWorld()
  ctx = await createErasureContext(w, outbox)
})
afterAll(() => w.end())

const query = async <T = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await w.database.pool.query(text, values)).rows as T[]
const ask = async (who: MemberClient, takeBackMessages = false) =>
  who.call(contract.requestDeletionOperation, {
    username: (await who.call(getCurrentMemberOperation, {})).username,
    password: testPassword,
    takeBackMessages,
  })

describe('DEL-09 every column that refers to a member', () => {
  test('every foreign key to a member has an erasure rule', async () => {
    const references = await query<{ place: string; target: string }>(
      `select c.conrelid::regclass || '.' || a.attname as place, c.confrelid::regclass::text as target
       from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
       where c.contype = 'f' and c.confrelid in ('users'::regclass, 'accounts'::regclass)`,
    )
    const to = (table: string) =>
      references
        .filter(({ target }) => target === table)
        .map(({ place }) => place)
        .sort()
    expect(to('users')).toEqual(Object.keys(memberColumnErasureRules).sort())
    expect(to('accounts')).toEqual(Object.keys(accountColumnErasureRules).sort())
  })

  test('every other column that may refer to a member has an erasure rule or is listed as an exception', async () => {
    const others = await query<{ place: string }>(
      `select table_name || '.' || column_name as place from information_schema.columns c
       where table_schema = 'public' and (udt_name in ('int8', '_int8') or domain_name = 'public_id')
         and column_name not in ('id', 'public_id') and not exists (
           select from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any(k.conkey)
           where k.contype = 'f' and k.conrelid = quote_ident(c.table_name)::regclass and a.attname = c.column_name)`,
    )
    const numbers = [
      ...['backups.bytes', 'backups.files', 'backups.rows'],
      ...['file_move.bytes', 'file_move.files', 'file_move.verified_id'],
      ...['changes.group_id', 'conversations.high_read_id', 'conversations.low_read_id', 'file_chunks.size'],
      ...[
        'conversations.high_receipt_id',
        'conversations.low_receipt_id',
        'post_topics.group_id',
        'posts.group_id',
      ],
      ...['trending_posts.group_id', 'trending_posts.post_id'],
      ...[
        'export_entries.crc32',
        'export_entries.size',
        'export_entries.starts_at',
        'export_entries.listed_at',
      ],
      ...['exports.bytes', 'exports.directory_at', 'exports.directory_bytes', 'files.crc32'],
      ...['files.announced_size', 'files.size', 'moderation_log.case_id', 'notification_cursor.after_id'],
      ...['notification_delivery.summarized_seq', 'push_schedule.told_up_to'],
      ...['notification_marks.last_seq', 'notification_marks.read_seq', 'notification_marks.seen_seq'],
      ...['notifications.read_seq', 'notifications.seq', 'passkeys.sign_count', 'totp_secrets.last_step'],
    ]
    expect(others.map(({ place }) => place).sort()).toEqual(
      [...Object.keys(unreferencedColumnErasureRules), ...numbers].sort(),
    )
  })
})

describe('erasing an account with everything', () => {
  let full: FullAccount
  let keys: AccountKeys
  let receiptId: string
  let evidence: string[]

  beforeAll(async () => {
    full = await createFullAccount(w)
    keys = await findAccountKeys(w.database, full.her)
    receiptId = (await ask(full.her)).receiptId
    evidence = (
      await query<{ key: string }>(
        'select f.storage_key as key from evidence e join files f on f.id = e.file_id where f.owner_id = $1',
        [keys.member],
      )
    ).map(({ key }) => key)
    await eraseWaitingAccounts(ctx)
  })

  test('DEL-09 erasing an account leaves no row, file or text of the member except what others keep', async () => {
    expect(await findColumnsNamingAccount(w.database, keys)).toEqual([])
    // A case keeps the bytes of its evidence, and messages keep their photos. Nothing else is stored.
    const files = await query<{ name: string; key: string }>(
      'select name, storage_key as key from files where owner_id = $1',
      [keys.member],
    )
    const sent = await query<{ key: string }>(
      `select f.storage_key as key from message_photos mp join files f on f.id = mp.file_id where f.owner_id = $1`,
      [keys.member],
    )
    expect(sent).toHaveLength(1)
    const held = [...evidence, ...sent.map(({ key }) => key)]
    expect(files.map(({ name }) => name)).toEqual(held.map(() => '·'))
    expect(files.map(({ key }) => key).sort()).toEqual(held.sort())
    expect(await findOrphanedFiles(w.database, w.dataDir)).toEqual([])
    expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  })

  test('DEL-09 erasing an account leaves each profile and account column as its rule says', async () => {
    const rows = {
      users: await query('select * from users where id = $1', [keys.member]),
      accounts: await query('select * from accounts where id = $1', [keys.account]),
    }
    const { labels, prefs, ...account } = erasedColumnValues('accounts')
    expect([labels, prefs]).toEqual(['{}', '{}'])
    expect(rows.users[0]).toMatchObject(erasedColumnValues('users'))
    expect(rows.accounts[0]).toMatchObject({ ...account, labels: [], prefs: {} })
  })

  test("DEL-09 erasing an account removes the member's name and address everywhere, and her text except in others' messages", async () => {
    expect(await findColumnsContainingWord(w.database, full.her.email)).toEqual([])
    // Only her messages to Bea, the evidence and, for thirty days, the username's normalised form are left.
    expect(await findColumnsContainingWord(w.database, 'zarzamora')).toEqual(
      [
        ...['evidence.snapshot', 'held_usernames.username_skeleton'],
        ...['messages.content', 'messages.content_folded'],
      ].sort(),
    )
    const [held] = await query<{ count: number }>(
      'select count(*)::int as count from held_usernames where account_id = $1',
      [keys.account],
    )
    expect(held?.count).toBe(1)
  })

  test('DEL-10 bea keeps the conversation with a deleted member and cannot write in it', async () => {
    const { documents } = await full.bea.call(listConversationsOperation, {})
    const conversation = documents.find(({ $id }) => $id === full.conversation)
    expect(conversation).toMatchObject({
      other: { name: deletedMemberName, username: '', visible: false, imageId: null },
      can: { write: false },
    })
    const messages = await full.bea.call(listMessagesOperation, { conversationId: full.conversation })
    expect(messages.documents.map(({ content }) => content).sort()).toEqual(['Hola', 'zarzamora te escribe'])
    expect(messages.documents.find(({ content }) => content.startsWith('zarzamora'))?.senderId).toBe(
      full.her.id,
    )
    expect(
      await full.bea.ask(sendMessageOperation, { conversationId: full.conversation, content: '¿Estás?' }),
    ).toMatchObject({ status: 403 })
  })

  test("DEL-09 replies in the deleted member's thread stay, and a photo that she hid stays hidden", async () => {
    const { documents } = await full.bea.call(listCommentsOperation, { postId: full.kept })
    expect(JSON.stringify(documents)).not.toContain('Zarzamora')
    const [thread] = await query<{ content: string; reply_count: number }>(
      'select content, reply_count from comments where public_id = $1',
      [full.thread],
    )
    expect(thread).toEqual({ content: '', reply_count: 1 })
    expect((await full.bea.call(getPostOperation, { postId: full.kept })).people ?? []).toEqual([])
    expect(await full.cleo.ask(getPostOperation, { postId: full.withheld })).toMatchObject({ status: 404 })
  })

  test('DEL-12 DEL-13 the receipt is signed, counts what was erased, and names nobody', async () => {
    const { state, receipt } = await w.visitor.call(contract.getReceiptOperation, { receiptId })
    expect(state).toBe('done')
    expect(receipt?.counts).toMatchObject({ posts: 3, comments: 3, messagesKept: 1, messagesTakenBack: 0 })
    expect(receipt?.counts.photos).toBeGreaterThanOrEqual(5)
    expect(receipt?.counts.bytes).toBeGreaterThan(0)
    const kept = Math.round(
      (new Date(receipt?.goneFromBackupsAt ?? 0).getTime() - new Date(receipt?.erasedAt ?? 0).getTime()) /
        86_400_000,
    )
    expect(kept).toBe(30)
    const signed = receipt?.signed ?? ''
    const valid = async (text: string) =>
      (await w.visitor.call(contract.checkReceiptOperation, { signed: text })).valid
    expect(await valid(signed)).toBe(true)
    const payload = Buffer.from(signed.split('.')[1] ?? '', 'base64url').toString()
    const forged = Buffer.from(payload.replace('"posts":3', '"posts":4')).toString('base64url')
    expect(await valid(signed.replace(/\.[^.]+\./, `.${forged}.`))).toBe(false)
    expect(await valid('nothing')).toBe(false)
    for (const secret of [full.her.id, full.her.accountId, full.her.email, 'zarzamora'])
      expect(payload.toLowerCase()).not.toContain(secret.toLowerCase())
    const { keys: published } = await w.visitor.call(contract.getReceiptKeysOperation, {})
    expect(published[0]).toMatchObject({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA' })
    const [received] = outbox.entries().filter(({ to }) => to === full.her.email)
    expect(received?.kind).toBe('deletion-done')
    expect(received?.text).toContain(`/receipt/${receiptId}`)
    expect(await w.visitor.ask(contract.getReceiptOperation, { receiptId: 'nobody' })).toMatchObject({
      status: 404,
    })
  })

  test('DEL-15 a new account can use the erased address at once and the username after thirty days, and inherits nothing', async () => {
    const given = { name: 'Otra', username: 'zarzamora', email: full.her.email, password: testPassword }
    expect(await w.visitor.refusal(signUpOperation, given)).toMatchObject({
      type: 'user_username_already_exists',
    })
    await w.database.pool.query(
      `update held_usernames set held_until = clock_timestamp() - interval '1 second'`,
    )
    const fresh = await w.visitor.call(signUpOperation, given)
    expect(fresh.$id).not.toBe(full.her.id)
    const [of] = await query<{ count: number }>(
      `select count(*)::int as count from follows f join users u on u.id in (f.follower_id, f.following_id) where u.public_id = $1`,
      [fresh.$id],
    )
    expect(of?.count).toBe(0)
  })
})

test('DEL-10 if the deletion also unsends messages, bea sees them as unsent, and the counts are correct', async () => {
  const [hana, bea] = [await w.join('Hana'), await w.join('Bea')]
  const conversation = await hana.call(openConversationOperation, { personId: bea.id })
  await bea.call(sendMessageOperation, { conversationId: conversation.$id, content: 'Dime' })
  const imageId = await uploadNamedPhoto(hana, '#bbccdd')
  await hana.call(sendMessageOperation, {
    conversationId: conversation.$id,
    content: 'Un secreto',
    photos: [{ imageId }],
  })
  const { receiptId } = await ask(hana, true)
  await eraseWaitingAccounts(ctx)
  const { documents } = await bea.call(listMessagesOperation, { conversationId: conversation.$id })
  expect(documents.map(({ content, unsentAt }) => [content, unsentAt !== null]).sort()).toEqual([
    ['', true],
    ['Dime', false],
  ])
  expect((await w.visitor.call(contract.getReceiptOperation, { receiptId })).receipt?.counts).toMatchObject({
    messagesKept: 0,
    messagesTakenBack: 1,
    photos: 1,
  })
  expect((await bea.request('GET', `/v1/files/${imageId}/content`)).status).toBe(404)
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
})

test('DEL-11 if erasing stops between or within batches, another node continues and counts the same', async () => {
  const [even, broken] = [await createFullAccount(w), await createFullAccount(w)]
  const receipts = [await ask(even.her), await ask(broken.her)].map(({ receiptId }) => receiptId)
  // The column rounds to milliseconds, so the current time could be rounded up to a later time.
  await w.database.pool.query(
    `update deletions set erase_after = clock_timestamp() - interval '1 second' where state = 'waiting'`,
  )
  await beginDueDeletions(ctx)
  const [first, second] = await listDeletionsUnderWay(ctx)
  if (first === undefined || second === undefined) throw new Error('nothing is under way')
  await eraseAccount(ctx, first)
  // This node is killed before the commit of every first attempt, and another node continues after every
  // batch.
  const killed: ErasureContext = {
    ...ctx,
    store: {
      ...ctx.store,
      transact: (work) =>
        ctx.store.transact(async (tx) => {
          await work(tx)
          throw new Error('killed')
        }),
    },
  }
  const failing: ErasureContext = {
    ...ctx,
    blobs: { ...ctx.blobs, remove: () => Promise.reject(new Error('the disk is full')) },
  }
  let batches = 0
  for (let more = true; more; batches += 1) {
    const [row] = await query<{ step: number; state: string }>(
      'select step, state from deletions where id = $1',
      [second],
    )
    if (row?.state !== 'erasing') break
    await eraseNextBatch(killed, second).catch((error: Error) => expect(error.message).toBe('killed'))
    if (row.step === erasureSteps.length + 1) await eraseNextBatch(failing, second)
    const both = await Promise.all([
      eraseNextBatch(await createErasureContext(w), second),
      eraseNextBatch(ctx, second),
    ])
    more = both.some(Boolean)
    expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  }
  expect(batches).toBeGreaterThan(erasureSteps.length)
  const [undisturbed, disturbed] = await Promise.all(
    receipts.map(
      async (receiptId) => (await w.visitor.call(contract.getReceiptOperation, { receiptId })).receipt,
    ),
  )
  // Notifications are written asynchronously, so the test ignores their count.
  const {
    signIns: _,
    notifications: __,
    ...expected
  } = undisturbed?.counts ?? { signIns: 0, notifications: 0 }
  expect(disturbed?.counts).toMatchObject({ ...expected, bytes: disturbed?.counts.bytes })
})

test('DEL-11 a starting node continues immediately where a killed node stopped', async () => {
  const elena = await w.join('Elena')
  const { receiptId } = await ask(elena)
  // A direct change does not notify the test server's own worker, which polls only every five minutes.
  await w.database.pool.query(
    `update deletions set state = 'erasing', erase_after = clock_timestamp() - interval '1 second' where public_id = $1`,
    [receiptId],
  )
  const node = await startSecondServerNode(w.database, { DATA_DIR: w.dataDir })
  try {
    await waitFor(async () =>
      expect(await w.visitor.call(contract.getReceiptOperation, { receiptId })).toMatchObject({
        state: 'done',
      }),
    )
  } finally {
    await node.end()
  }
})

test('DEL-09 an empty erased account is deleted once nothing that others keep refers to it', async () => {
  const [lola, bea] = [await w.join('Lola'), await w.join('Bea')]
  const conversation = await lola.call(openConversationOperation, { personId: bea.id })
  await lola.call(sendMessageOperation, { conversationId: conversation.$id, content: 'Adiós' })
  const nadie = await w.join('Nadie')
  for (const who of [lola, nadie]) await ask(who)
  await eraseWaitingAccounts(ctx)
  await w.database.pool.query(
    `update accounts set erased_at = erased_at - interval '31 days' where erased_at is not null`,
  )
  await purgeExpiredRows({ ...ctx, images: null as never, uploadSlots: null as never } as never)
  const left = await query<{ id: string }>('select public_id as id from users where public_id = any($1)', [
    [lola.id, nadie.id],
  ])
  expect(left.map(({ id }) => id)).toEqual([lola.id])
})

test('DEL-14 restoring an earlier backup erases deleted members again and leaves other accounts in their state', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'juntas-erased-'))
  const log = createServerLogger('silent')
  const blobs = await openBlobStore(ctx.config)
  const target = await createUnmigratedTestDatabase()
  try {
    const [marga, nora, ona] = [await w.join('Marga'), await w.join('Nora'), await w.join('Ona')]
    // If a post was reported and then deleted, its picture stays, although no record shows it.
    const reported = await marga.call(createPostOperation, {
      ...fullAccountContent,
      imageId: await uploadNamedPhoto(marga, '#99aabb'),
    })
    await reportSubject(w.database, ona, { kind: 'post', id: reported.$id })
    await marga.call(deletePostOperation, { postId: reported.$id })
    const { receiptId } = await ask(nora)
    await createBackup({ url: w.database.directUrl, blobs }, join(folder, 'backup'))
    await ask(marga)
    await w.database.pool.query(
      `update deletions set erase_after = clock_timestamp() - interval '1 second' where public_id <> $1`,
      [receiptId],
    )
    await beginDueDeletions(ctx)
    for (const deletion of await listDeletionsUnderWay(ctx)) await eraseAccount(ctx, deletion)
    await restoreBackup(join(folder, 'backup'), { url: target.directUrl, blobs, log })
    const restored = connectToDatabase({ url: target.directUrl, log })
    try {
      expect(
        await eraseRestoredAccounts({ config: ctx.config, log, database: restored, blobs }),
      ).toBeGreaterThan(0)
      const { rows } = await restored.pool.query(
        `select u.public_id as id, u.name, a.email, a.status from users u join accounts a on a.id = u.account_id
         where u.public_id = any($1) order by u.id`,
        [[marga.id, nora.id, ona.id]],
      )
      expect(rows).toEqual([
        { id: marga.id, name: deletedMemberName, email: null, status: 'blocked' },
        { id: nora.id, name: 'Nora', email: nora.email, status: 'blocked' },
        { id: ona.id, name: 'Ona', email: ona.email, status: 'active' },
      ])
      const waiting = await restored.pool.query(
        `select erase_after > clock_timestamp() + interval '13 days' as later from deletions where state = 'waiting'`,
      )
      expect(waiting.rows).toEqual([{ later: true }])
      expect(await findBrokenDatabaseInvariants(restored)).toEqual([])
    } finally {
      await restored.close()
    }
  } finally {
    await target.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
