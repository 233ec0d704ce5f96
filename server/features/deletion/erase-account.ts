/**
 * Each batch saves its progress in its own transaction, so any node can resume after a crash.
 * A lock on the deletion's row keeps two nodes from erasing the same account.
 */
import { sql } from 'kysely'
import type { ReceiptCounts } from '#contract/deletion/deletion.ts'
import type { AppContext } from '../../app-context.ts'
import { renderLinkEmail } from '../../email/message-templates.ts'
import { whereNotHeldAsEvidence } from '../../files/evidence-hold.ts'
import { removeReleasedFileBytes } from '../../files/file-cleanup.ts'
import { consumeUnverifiedAddressLimit } from '../../http/account-notice-limits.ts'
import { getConfiguredPublicUrl } from '../../net/public-url.ts'
import type { StoreTransaction } from '../../store/store-transaction.ts'
import { findUnerasedColumns } from './column-erasure-rules.ts'
import { type DeletionReceipt, signDeletionReceipt } from './deletion-receipt.ts'
import { recordErasedAccount } from './erased-account-register.ts'
import { type ErasureCounts, type ErasureSubject, erasureSteps } from './erasure-steps.ts'

export type ErasureContext = Pick<
  AppContext,
  'config' | 'log' | 'database' | 'store' | 'blobs' | 'emails' | 'limits' | 'instanceKey'
>

const dayMs = 86_400_000
const batchFiles = 50
const firstStep = 1
const bytesStep = firstStep + erasureSteps.length
const lastStep = bytesStep + 1

type DeletionRow = {
  id: number
  receipt_id: string
  step: number
  counts: Record<string, number>
  asked_at: Date
  account: number
  account_id: string
  created_at: Date
  email: string | null
  email_verified: boolean
  member: number
  takes_back_messages: boolean
}

export async function beginDueDeletions({ database }: Pick<ErasureContext, 'database'>): Promise<void> {
  await sql`
    update deletions set state = 'erasing' where state = 'waiting' and erase_after <= clock_timestamp()`.execute(
    database.kysely,
  )
}

export async function listDeletionsUnderWay({
  database,
}: Pick<ErasureContext, 'database'>): Promise<number[]> {
  const { rows } = await sql<{
    id: number
  }>`select id from deletions where state = 'erasing' order by id limit 100`.execute(database.kysely)
  return rows.map(({ id }) => id)
}

/**
 * @param options.again erases an account that a backup restored, without a second email and receipt
 * @returns whether this node can continue
 */
export async function eraseNextBatch(
  ctx: ErasureContext,
  deletion: number,
  { again = false } = {},
): Promise<boolean> {
  const step = await peekStep(ctx, deletion)
  if (step === null) return false
  if (step < firstStep) return sendLastEmail(ctx, deletion, again)
  if (step === bytesStep) return removeBytes(ctx, deletion)
  if (step === lastStep) return finish(ctx, deletion, again)
  return ctx.store.transact(async (tx) => {
    const row = await lockDeletion(tx, deletion)
    if (row?.step !== step) return row !== null
    const { rows, counts } = (await erasureSteps[step - firstStep]?.run(tx, subjectOf(row))) ?? { rows: 0 }
    return advance(tx, row, { done: rows === 0, counts })
  })
}

/** @param between runs after each batch and returns whether to continue */
export async function eraseAccount(
  ctx: ErasureContext,
  deletion: number,
  { again = false, between = async () => true }: { again?: boolean; between?: () => Promise<boolean> } = {},
): Promise<void> {
  while (await eraseNextBatch(ctx, deletion, { again })) if (!(await between())) return
}

const receiptUrl = ({ config }: Pick<ErasureContext, 'config'>, receiptId: string): string =>
  `${getConfiguredPublicUrl(config)}/receipt/${receiptId}`

const subjectOf = ({ account, member, takes_back_messages }: DeletionRow): ErasureSubject => ({
  account,
  member,
  takesBackMessages: takes_back_messages,
})

async function peekStep({ database }: ErasureContext, deletion: number): Promise<number | null> {
  const { rows } = await sql<{
    step: number
  }>`select step from deletions where id = ${deletion} and state = 'erasing'`.execute(database.kysely)
  return rows[0]?.step ?? null
}

const selectDeletion = (deletion: number) => sql`
  select d.id, d.public_id as receipt_id, d.step, d.counts, d.asked_at, d.takes_back_messages, a.id as account,
    a.public_id as account_id, a.created_at, a.email, a.email_verified, u.id as member
  from deletions d join accounts a on a.id = d.account_id join users u on u.account_id = a.id
  where d.id = ${deletion} and d.state = 'erasing'`

async function lockDeletion({ db }: StoreTransaction, deletion: number): Promise<DeletionRow | null> {
  const { rows } = await sql<DeletionRow>`${selectDeletion(deletion)} for update of d skip locked`.execute(db)
  return rows[0] ?? null
}

async function readDeletion({ database }: ErasureContext, deletion: number): Promise<DeletionRow | null> {
  const { rows } = await sql<DeletionRow>`${selectDeletion(deletion)}`.execute(database.kysely)
  return rows[0] ?? null
}

/**
 * Sends the email before the address is erased, so that after a crash the email arrives twice rather than never.
 */
async function sendLastEmail(ctx: ErasureContext, deletion: number, again: boolean): Promise<boolean> {
  const found = await readDeletion(ctx, deletion)
  if (found && !again) await sendReceiptEmail(ctx, found)
  return ctx.store.transact(async (tx) => {
    const row = await lockDeletion(tx, deletion)
    return row !== null && (row.step >= firstStep || advance(tx, row, { done: true }))
  })
}

async function sendReceiptEmail(
  ctx: ErasureContext,
  { email, email_verified, receipt_id }: DeletionRow,
): Promise<void> {
  if (email === null) return
  if (!(await consumeUnverifiedAddressLimit(ctx, { email, email_verified }, null))) return
  ctx.emails.send(email, renderLinkEmail('deletion-done', receiptUrl(ctx, receipt_id)))
}

async function advance(
  { db }: StoreTransaction,
  { id, step, counts: before }: DeletionRow,
  { done, counts = {} }: { done: boolean; counts?: ErasureCounts | undefined },
): Promise<boolean> {
  const added = { ...before }
  for (const [name, count] of Object.entries(counts)) added[name] = (added[name] ?? 0) + count
  await db
    .updateTable('deletions')
    .set({ step: done ? step + 1 : step, counts: JSON.stringify(added) })
    .where('id', '=', id)
    .execute()
  return true
}

/** Rows are deleted only after the blob store has confirmed that the files are deleted. */
async function removeBytes(ctx: ErasureContext, deletion: number): Promise<boolean> {
  const { rows } = await sql<{ id: number; storage_key: string }>`
    select f.id, f.storage_key from files f join users u on u.id = f.owner_id join deletions d on d.account_id = u.account_id
    where d.id = ${deletion} and f.state = 'deleting' and ${whereNotHeldAsEvidence(sql.ref('f.id'))}
    order by f.id limit ${batchFiles}`.execute(ctx.database.kysely)
  const removed = await removeReleasedFileBytes(
    ctx,
    rows.map(({ storage_key }) => storage_key),
  )
  if (!(await removeExport(ctx, deletion))) return false
  for (const key of removed)
    if (await ctx.blobs.open(key, 'original')) throw new Error('the bytes of a removed file are still there')
  // The error is logged, and the next batch tries again.
  if (removed.length < rows.length) return false
  return ctx.store.transact(async (tx) => {
    const row = await lockDeletion(tx, deletion)
    if (row?.step !== bytesStep) return row !== null
    const keys = rows.map(({ id }) => id)
    if (keys.length > 0)
      await tx.db.deleteFrom('files').where('id', 'in', keys).where('state', '=', 'deleting').execute()
    return advance(tx, row, { done: keys.length === 0 })
  })
}

async function removeExport(ctx: ErasureContext, deletion: number): Promise<boolean> {
  const { rows } = await sql<{ id: number; storage_key: string }>`
    select e.id, e.storage_key from exports e join deletions d on d.account_id = e.account_id where d.id = ${deletion}`.execute(
    ctx.database.kysely,
  )
  const [copy] = rows
  if (!copy) return true
  const removed = await removeReleasedFileBytes(ctx, [copy.storage_key])
  if (removed.length > 0) await ctx.database.kysely.deleteFrom('exports').where('id', '=', copy.id).execute()
  return removed.length > 0
}

async function finish(ctx: ErasureContext, deletion: number, again: boolean): Promise<boolean> {
  const { blobs, database, config, instanceKey, store, log } = ctx
  const found = await readDeletion(ctx, deletion)
  if (found === null) return false
  const left = await findUnerasedColumns(database.kysely, subjectOf(found))
  if (left.length > 0) log.warn({ left }, 'an account gained data while it was being erased')
  const end = left.length > 0 ? { step: firstStep } : again ? null : await seal()
  return store.transact(async (tx) => {
    const row = await lockDeletion(tx, deletion)
    if (row?.step !== lastStep) return row !== null
    await (end === null
      ? tx.db.deleteFrom('deletions').where('id', '=', row.id).execute()
      : tx.db.updateTable('deletions').set(end).where('id', '=', row.id).execute())
    return left.length > 0
  })

  async function seal() {
    const { receipt_id, account_id, created_at, counts, asked_at } = found as DeletionRow
    // The account is registered before the end is recorded, so that it is registered again after a crash.
    await recordErasedAccount(blobs, { public_id: account_id, created_at })
    const erasedAt = new Date()
    const receipt: DeletionReceipt = {
      id: receipt_id,
      counts: { ...noCounts, ...counts },
      askedAt: asked_at.toISOString(),
      erasedAt: erasedAt.toISOString(),
      goneFromBackupsAt: new Date(erasedAt.getTime() + config.backupKeepDays * dayMs).toISOString(),
    }
    const signed = await signDeletionReceipt(instanceKey, receipt)
    return { state: 'done' as const, account_id: null, receipt: signed, finished_at: erasedAt }
  }
}

const noCounts: ReceiptCounts = {
  photos: 0,
  bytes: 0,
  posts: 0,
  comments: 0,
  marks: 0,
  ties: 0,
  signIns: 0,
  notifications: 0,
  messagesKept: 0,
  messagesTakenBack: 0,
}
