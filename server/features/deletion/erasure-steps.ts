/**
 * Each step runs transactions of limited size until nothing remains, so it can be interrupted and repeated.
 * Clients receive no live events, because a closed account is already hidden; only its messages stay visible.
 */
import { randomInt } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { ReceiptCounts } from '#contract/deletion/deletion.ts'
import { columnsWithWords, erasedColumnValues } from '../../database/personal-columns.ts'
import { memberKeyParameter, selectAdministeredGroupKeys } from '../../policy/index.ts'
import { deleteRows } from '../../store/delete-rows.ts'
import type { StoreTransaction } from '../../store/store-transaction.ts'
import { recordCommentRemovalInCases } from '../comments/comment-effects.ts'
import { appointSuccessorOfErasedAdmin } from '../groups/group-succession.ts'

export type ErasureSubject = { account: number; member: number; takesBackMessages: boolean }

export type ErasureCounts = Partial<ReceiptCounts>

/** A step is complete when `rows` is 0. */
type Progress = { rows: number; counts?: ErasureCounts }

type ErasureStep = { name: string; run(tx: StoreTransaction, of: ErasureSubject): Promise<Progress> }

const batchRows = 500
/** Deleting a post also deletes its photos, earlier versions and photo tags. */
const batchPosts = 25
/** Unsending a message sends an event. */
const batchMessages = 100

export const deletedMemberName = 'Deleted member'

const erase = ({ db }: StoreTransaction, table: string, which: RawBuilder<unknown>): Promise<number> =>
  deleteRows(db, table, which, batchRows)

/** @param which a condition on `t` that changed rows no longer meet */
async function change(
  { db }: StoreTransaction,
  table: string,
  values: RawBuilder<unknown>,
  which: RawBuilder<unknown>,
  atMost = batchRows,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update ${sql.table(table)} set ${values} where ctid = any(array(
      select t.ctid from ${sql.table(table)} t where ${which} limit ${atMost}))`.execute(db)
  return Number(numAffectedRows)
}

async function eraseEach(
  tx: StoreTransaction,
  tables: readonly (readonly [table: string, which: RawBuilder<unknown>])[],
): Promise<number> {
  let rows = 0
  for (const [table, which] of tables) rows += await erase(tx, table, which)
  return rows
}

const ofAccount = ({ account }: Pick<ErasureSubject, 'account'>) => sql`t.account_id = ${account}`
const ofMember = ({ member }: ErasureSubject) => sql`t.user_id = ${member}`
const ofOwnPost = ({ member }: ErasureSubject) =>
  sql`t.post_id in (select p.id from posts p where p.creator_id = ${member})`

export const erasureSteps: readonly ErasureStep[] = [
  {
    name: 'what opens the account',
    async run(tx, of) {
      const rows = await eraseEach(tx, [
        ['sessions', ofAccount(of)],
        [
          'tokens',
          sql`(${ofAccount(of)} or t.sent_to in (select a.email from accounts a where a.id = ${of.account}))`,
        ],
        ['identities', ofAccount(of)],
        ['passkeys', ofAccount(of)],
        ['totp_secrets', ofAccount(of)],
        ['recovery_codes', ofAccount(of)],
        ['unlock_requests', ofAccount(of)],
        ['oauth_attempts', ofAccount(of)],
        // Known browsers are erased before the account's own blocks.
        // Otherwise the remaining block of a mutual pair would begin to apply to newer accounts that use
        // these browsers.
        ['known_devices', ofAccount(of)],
      ])
      return { rows, counts: { signIns: rows } }
    },
  },
  {
    name: 'likes and saves',
    async run(tx, of) {
      const rows = await eraseEach(tx, [
        ['post_likes', ofMember(of)],
        ['comment_likes', ofMember(of)],
        ['saves', ofMember(of)],
        ['message_reactions', ofMember(of)],
      ])
      return { rows, counts: { marks: rows } }
    },
  },
  {
    // This step comes first, so that deleting a post does not cascade to more rows than a transaction may
    // hold.
    name: 'what others left at the posts',
    async run(tx, of) {
      await recordCommentRemovalInCases(tx, ofOwnPost(of))
      const rows = await eraseEach(tx, [
        ['post_likes', ofOwnPost(of)],
        ['saves', ofOwnPost(of)],
        ['comments', sql`t.parent_id is not null and ${ofOwnPost(of)}`],
        ['comments', sql`${ofOwnPost(of)} and t.reply_count = 0`],
      ])
      return { rows }
    },
  },
  { name: 'posts', run: erasePosts },
  { name: 'comments', run: eraseComments },
  // This step comes before the step for blocks, because blocks decide who can take over a group.
  { name: 'groups', run: eraseGroups },
  {
    name: 'follows, requests and choices about others',
    async run(tx, of) {
      const { member } = of
      const rows = await eraseEach(tx, [
        ['follows', sql`${member} in (t.follower_id, t.following_id)`],
        ['follow_requests', sql`${member} in (t.asker_id, t.asked_id)`],
        ['mutes', sql`${member} in (t.muter_id, t.muted_id)`],
        ['restrictions', sql`${member} in (t.restricter_id, t.restricted_id)`],
        ['blocks', sql`t.blocker_id = ${member}`],
        ['group_requests', ofMember(of)],
      ])
      const answered = await change(
        tx,
        'group_requests',
        sql`processed_by = null`,
        sql`t.processed_by = ${member}`,
      )
      const named = await change(
        tx,
        'block_pairs',
        sql`other_name = ${deletedMemberName}, other_username = ''`,
        sql`t.other_id = ${member} and t.other_username <> ''`,
      )
      return { rows: rows + answered + named, counts: { ties: rows } }
    },
  },
  {
    name: 'the name in photos and texts of others',
    async run(tx, of) {
      const rows = await eraseEach(tx, [
        ['mentions', ofMember(of)],
        ['post_people', sql`t.person_id = ${of.member} and t.hidden_at is null`],
      ])
      // A photo that the member asked to hide stays hidden.
      const hidden = await change(
        tx,
        'post_people',
        sql`state = 'declined', decided_at = clock_timestamp()`,
        sql`t.person_id = ${of.member} and t.state <> 'declined'`,
      )
      return { rows: rows + hidden, counts: { ties: rows } }
    },
  },
  // This step comes before the step for files, because unsent messages release their photos.
  { name: 'messages', run: eraseMessages },
  { name: 'pictures and uploads', run: eraseFiles },
  {
    name: 'notifications and the log',
    async run(tx, of) {
      const rows = await eraseEach(tx, [
        ['notifications', sql`${of.member} in (t.user_id, t.person_id)`],
        ['notification_marks', ofMember(of)],
        ['notification_preferences', ofMember(of)],
        ['notification_delivery', ofMember(of)],
        ['push_subscriptions', ofMember(of)],
        ['notification_throttle', sql`${of.member} in (t.user_id, t.actor_id)`],
      ])
      const events = await erase(tx, 'account_events', ofAccount(of))
      return { rows: rows + events, counts: { notifications: rows } }
    },
  },
  {
    // Reports by or about the member stay, without the member's key. The member's appeals are erased.
    name: 'the place in cases',
    async run(tx, { account, member }) {
      const rows = await eraseEach(tx, [
        ['moderation_notices', sql`t.member_id = ${member}`],
        ['appeals', sql`t.case_id in (select c.id from moderation_cases c where c.about_id = ${member})`],
        ['moderators', sql`t.member_id = ${member}`],
        ['suspensions', sql`t.account_id = ${account}`],
        ['invitations', sql`t.inviter_id = ${member}`],
        [
          'applications',
          sql`(${ofAccount({ account })} or t.email in (select a.email from accounts a where a.id = ${account}))`,
        ],
      ])
      let freed = await change(tx, 'invitations', sql`account_id = null`, sql`t.account_id = ${account}`)
      freed += await change(
        tx,
        'applications',
        sql`voucher_id = null, voucher_named = null, vouched = null, vouched_at = null`,
        // An application after the account was closed contains only the username of the member it names.
        sql`(t.voucher_id = ${member}
          or lower(t.voucher_named) = (select u.username_key from users u where u.id = ${member}))`,
      )
      for (const [table, column] of [
        ['applications', 'decided_by'],
        ['reports', 'reporter_id'],
        ['moderation_cases', 'about_id'],
        ['moderation_cases', 'claimed_by'],
        ['moderation_cases', 'decided_by'],
        ['appeals', 'decided_by'],
        ['suspension_proposals', 'proposed_by'],
      ] as const)
        freed += await change(
          tx,
          table,
          sql`${sql.ref(column)} = null`,
          sql`${sql.ref(`t.${column}`)} = ${member}`,
        )
      return { rows: rows + freed }
    },
  },
  {
    // The outbox keeps ids for a week, so that offline clients still learn what was deleted.
    name: 'texts in the outbox',
    run: async (tx, { member }) => ({
      rows: await change(
        tx,
        'changes',
        sql`state = state - ${columnsWithWords}::text[]`,
        sql`t.state ?| ${columnsWithWords}::text[] and ${member}::text in (
          t.state ->> 'creator_id', t.state ->> 'sender_id', t.state ->> 'author_id', t.state ->> 'owner_id',
          case t.collection when 'users' then t.row_id::text end)`,
      ),
    }),
  },
  { name: 'profile and account', run: emptyAccount },
]

async function erasePosts(tx: StoreTransaction, { member }: ErasureSubject): Promise<Progress> {
  const batch = sql`select p.id from posts p where p.creator_id = ${member} order by p.id limit ${batchPosts}`
  const { rows } = await sql<{ posts: number; photos: number; bytes: number }>`
    select count(distinct p.id)::int as posts, count(f.id)::int as photos, coalesce(sum(f.size), 0)::bigint as bytes
    from posts p left join lateral (
      select p.image_id as id union all select pp.file_id from post_photos pp where pp.post_id = p.id
    ) shown on true left join files f on f.id = shown.id
    where p.id in (${batch})`.execute(tx.db)
  const counted = rows[0] ?? { posts: 0, photos: 0, bytes: 0 }
  if (counted.posts === 0) return { rows: 0 }
  await sql`
    update moderation_cases set subject_deleted_at = clock_timestamp()
    where kind = 'post' and subject_id in (select p.public_id from posts p where p.id in (${batch}))`.execute(
    tx.db,
  )
  await tx.removeAll('posts', sql`t.id in (${batch})`)
  const { posts, photos, bytes } = counted
  return { rows: posts, counts: { posts, photos, bytes: Number(bytes) } }
}

/** The replies of an emptied comment stay together. */
async function eraseComments(tx: StoreTransaction, { member }: ErasureSubject): Promise<Progress> {
  const own = sql`t.author_id = ${member} and t.removed_at is null`
  await recordCommentRemovalInCases(tx, own)
  const answers = await erase(tx, 'comments', sql`${own} and t.parent_id is not null`)
  const threads = await erase(tx, 'comments', sql`${own} and t.parent_id is null and t.reply_count = 0`)
  if (answers + threads > 0) return { rows: answers + threads, counts: { comments: answers + threads } }
  const emptied = await change(tx, 'comments', sql`removed_at = clock_timestamp()`, own)
  return { rows: emptied, counts: { comments: emptied } }
}

async function eraseGroups(tx: StoreTransaction, { member }: ErasureSubject): Promise<Progress> {
  const { rows } = await sql<{ id: number; group: string }>`
    select g.id, g.public_id as "group" from groups g
    where g.id in ${selectAdministeredGroupKeys(memberKeyParameter(member))} order by g.id limit 1 for no key update`.execute(
    tx.db,
  )
  const [administered] = rows
  if (administered) {
    await appointSuccessorOfErasedAdmin(tx, member, administered)
    return { rows: 1 }
  }
  const left = await erase(tx, 'group_members', sql`t.user_id = ${member}`)
  const received = await erase(tx, 'group_handovers', sql`t.to_id = ${member}`)
  const given = await change(tx, 'group_handovers', sql`from_id = null`, sql`t.from_id = ${member}`)
  return { rows: left + received + given, counts: { ties: left } }
}

/**
 * The group's picture passes to its new admin, and message photos stay with their messages.
 * The bytes of other files are removed after the commit.
 */
async function eraseFiles(tx: StoreTransaction, { member }: ErasureSubject): Promise<Progress> {
  const { numAffectedRows: given = 0n } = await sql`
    update files f set owner_id = g.admin_id from groups g
    where g.image_id = f.id and f.owner_id = ${member} and g.admin_id <> f.owner_id`.execute(tx.db)
  await tx.updateAll('users', sql`t.id = ${member} and t.image_id is not null`, { image_id: null })
  const { rows } = await sql<{ photos: number; bytes: number; files: number }>`
    with released as (
      update files set state = 'deleting' where id in (
        select f.id from files f where f.owner_id = ${member} and f.state <> 'deleting'
          and not exists (select from message_photos mp where mp.file_id = f.id) order by f.id limit ${batchRows}
      ) returning size
    )
    select count(*)::int as files, count(size)::int as photos, coalesce(sum(size), 0)::bigint as bytes from released`.execute(
    tx.db,
  )
  const { files = 0, photos = 0, bytes = 0 } = rows[0] ?? {}
  // Files of evidence or messages keep their bytes but lose their file names.
  const unnamed = await change(
    tx,
    'files',
    sql`name = '·'`,
    sql`t.owner_id = ${member} and t.state in ('deleting', 'attached') and t.name <> '·'`,
  )
  return {
    rows: Number(given) + files + unnamed,
    counts: { photos, bytes: Number(bytes) },
  }
}

async function eraseMessages(
  tx: StoreTransaction,
  { member, takesBackMessages }: ErasureSubject,
): Promise<Progress> {
  const silent = await erase(
    tx,
    'conversations',
    sql`(t.low_id = ${member} or t.high_id = ${member}) and not exists (select from messages m where m.conversation_id = t.id)`,
  )
  if (!takesBackMessages) return { rows: silent }
  const { rows } = await sql<{ id: number; conversation_id: number }>`
    select m.id, m.conversation_id from messages m where m.sender_id = ${member} and m.unsent_at is null
    order by m.id limit ${batchMessages}`.execute(tx.db)
  const keys = rows.map(({ id }) => id)
  const shown = await sql<{ photos: number; bytes: number }>`
    select count(*)::int as photos, coalesce(sum(f.size), 0)::bigint as bytes from message_photos mp join files f on f.id = mp.file_id
    where mp.message_id = any(${keys}::bigint[])`.execute(tx.db)
  const { photos = 0, bytes = 0 } = shown.rows[0] ?? {}
  await tx.updateAll('messages', sql`t.id = any(${keys}::bigint[])`, { unsent_at: sql`clock_timestamp()` })
  for (const { id } of rows) await tx.recordChange('messages', id)
  for (const id of new Set(rows.map(({ conversation_id }) => conversation_id)))
    await tx.recordChange('conversations', id)
  return {
    rows: silent + rows.length,
    counts: { messagesTakenBack: rows.length, photos, bytes: Number(bytes) },
  }
}

const erasedAccountColumns = sql.join(
  Object.entries(erasedColumnValues('accounts')).map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
)

/** Other members' data refers to the profile's row. The username stays reserved for thirty days. */
async function emptyAccount(tx: StoreTransaction, { account, member }: ErasureSubject): Promise<Progress> {
  const { db } = tx
  const { rows } = await sql`
    update accounts set ${erasedAccountColumns}, erased_at = clock_timestamp()
    where id = ${account} and erased_at is null returning id`.execute(db)
  if (rows.length === 0) return { rows: 0 }
  await tx.updateAll('users', sql`t.id = ${member}`, {
    name: deletedMemberName,
    username: generateDeletedUsername(),
    ...erasedColumnValues('users'),
  })
  const kept = await sql<{ messages: number }>`
    select count(*)::int as messages from messages where sender_id = ${member} and unsent_at is null`.execute(
    db,
  )
  return { rows: 0, counts: { messagesKept: kept.rows[0]?.messages ?? 0 } }
}

/** Random letters could spell a forbidden name. */
const generateDeletedUsername = () =>
  `deleted-${[0, 1].map(() => String(randomInt(1e9)).padStart(9, '0')).join('')}`
