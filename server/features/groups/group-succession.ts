/**
 * Appoints a group's next admin. Every function uses `selectSuccessors` or `selectDeclineSuccessor`, so that the
 * group never goes to a member who is blocked from the admin.
 */
import { type RawBuilder, sql } from 'kysely'
import {
  hasOpenAccount,
  memberKeyParameter,
  notBlocked,
  selectAdministeredGroupKeys,
  selectDeclinableHandover,
  selectDeclineSuccessor,
  selectSuccessors,
} from '../../policy/index.ts'
import { systemActor } from '../../store/actor.ts'
import type { StoreTransaction } from '../../store/store-transaction.ts'

type Succession = { group: number; successor: number; from: number | null; caseKey: number | null }

/** The new admin may decline. */
async function appointSuccessor(
  tx: StoreTransaction,
  groupId: string,
  { group, successor, from, caseKey }: Succession,
): Promise<void> {
  // The notification of the group's change reads the handover.
  await tx.db
    .insertInto('group_handovers')
    .values({ group_id: group, from_id: from, to_id: successor, case_id: caseKey })
    .execute()
  await tx.update(systemActor, 'groups', groupId, { admin_id: successor, without_heir: false })
}

/**
 * Appoints a successor for each group of `admin`. A group without successor keeps its admin and is hidden. The
 * caller holds the locks of the groups.
 * @param choices.successors the chosen successors by group id
 * @param choices.caseKey the case of the suspension that causes this
 */
export async function appointSuccessors(
  tx: StoreTransaction,
  admin: number,
  {
    successors = new Map(),
    caseKey = null,
  }: { successors?: ReadonlyMap<string, number>; caseKey?: number | null } = {},
): Promise<void> {
  const asAdmin = memberKeyParameter(admin)
  const { rows } = await sql<{ id: number; group: string }>`
    select g.id, g.public_id as "group" from groups g
    where g.id in ${selectAdministeredGroupKeys(asAdmin)} order by g.id`.execute(tx.db)
  for (const { id, group } of rows) {
    const chosen = successors.get(group) ?? null
    const successor = await lockSuccessor(
      tx,
      { group: id, admin },
      sql`select able.user_id from (${selectSuccessors(sql`${id}::bigint`, asAdmin)}) able
        order by able.user_id is not distinct from ${chosen}::bigint desc, able.created_at, able.id limit 1`,
    )
    if (successor === null) await hideWithoutSuccessor(tx, id, group)
    else await appointSuccessor(tx, group, { group: id, successor, from: admin, caseKey })
  }
}

/**
 * Waits for blocks and restrictions that are being written, and chooses again if one excludes the successor. Later blocks
 * wait for the commit.
 * @param select selects the first successor, or no row
 */
export async function lockSuccessor(
  tx: StoreTransaction,
  { group, admin }: { group: number; admin: number },
  select: RawBuilder<unknown>,
): Promise<number | null> {
  await sql`
    select from accounts a join users u on u.account_id = a.id where u.id = ${admin} for no key update of a`.execute(
    tx.db,
  )
  // A sign-in extends a block to another account of the blocked person without locking the admin's account.
  for (let locked: number | null = null; ; ) {
    const { rows } = (await select.execute(tx.db)) as { rows: { user_id: number }[] }
    const successor = rows[0]?.user_id ?? null
    if (successor === null || successor === locked) return successor
    await sql`
      select pg_advisory_xact_lock_shared(pair_key(${successor}::bigint, admin.id)) from (
        select ${admin}::bigint as id union
        select gh.from_id from group_handovers gh where gh.group_id = ${group} and gh.from_id <> ${successor} order by id
      ) admin`.execute(tx.db)
    locked = successor
  }
}

async function hideWithoutSuccessor(tx: StoreTransaction, group: number, groupId: string): Promise<void> {
  await tx.recordAccessLoss(
    'posts',
    sql`t.group_id = ${group} and t.hidden_by is null and t.withheld_by is null`,
    sql`array(select m.user_id from group_members m where m.group_id = ${group} and m.user_id <> t.creator_id)`,
    ['group_id'],
    { losers: sql`array(select m.user_id from group_members m where m.group_id = ${group})` },
  )
  await tx.update(systemActor, 'groups', groupId, { without_heir: true })
}

/** Deletes a group without successors. The caller holds the group's lock. */
export async function appointSuccessorOfErasedAdmin(
  tx: StoreTransaction,
  admin: number,
  { id, group }: { id: number; group: string },
): Promise<void> {
  const successor = await lockSuccessor(
    tx,
    { group: id, admin },
    sql`${selectSuccessors(sql`${id}::bigint`, memberKeyParameter(admin))} limit 1`,
  )
  if (successor === null) await tx.remove(systemActor, 'groups', group)
  else await appointSuccessor(tx, group, { group: id, successor, from: admin, caseKey: null })
}

/**
 * Appoints the member of `selectDeclineSuccessor`. The caller holds the group's lock.
 * @returns false if nobody can have the group, which therefore stays with its admin
 */
export async function declineGroup(
  tx: StoreTransaction,
  me: number,
  group: number,
  groupId: string,
): Promise<boolean> {
  const { rows } = await sql<{ id: number; from_id: number | null; case_id: number | null; stayed: boolean }>`
    select h.id, h.from_id, h.case_id, exists (
        select from group_members m where m.group_id = g.id and m.user_id = h.from_id and m.created_at <= h.created_at
      ) as stayed from groups g, lateral (${selectDeclinableHandover(sql.ref('g.id'), sql.ref('g.admin_id'))}) h
    where g.id = ${group} and g.id in ${selectAdministeredGroupKeys(memberKeyParameter(me))}`.execute(tx.db)
  const [handover] = rows
  if (!handover) return false
  const successor = await lockSuccessor(
    tx,
    { group, admin: me },
    sql`select successor.user_id from group_handovers h,
      lateral (${selectDeclineSuccessor(sql.ref('h.group_id'), memberKeyParameter(me), 'h')}) successor
      where h.id = ${handover.id}`,
  )
  if (successor === null) return false
  await tx.db
    .updateTable('group_handovers')
    .set({ declined_at: sql<Date>`clock_timestamp()` })
    .where('group_id', '=', group)
    .where('to_id', '=', me)
    .execute()
  const { from_id: from, case_id: caseKey, stayed } = handover
  if (successor !== from) await appointSuccessor(tx, groupId, { group, successor, from, caseKey })
  else if (stayed) await giveBack(tx, groupId, from)
  // A former admin who left and joined again did not ask for the group.
  else await appointSuccessor(tx, groupId, { group, successor, from: null, caseKey })
  return true
}

async function giveBack(tx: StoreTransaction, groupId: string, to: number): Promise<void> {
  await tx.update(systemActor, 'groups', groupId, { admin_id: to, without_heir: false })
}

/** Groups are locked before accounts. */
export async function lockGroupsOfSuspension(tx: StoreTransaction, caseKey: number): Promise<void> {
  await sql`
    select from groups g where g.id in (select gh.group_id from group_handovers gh where gh.case_id = ${caseKey})
    order by g.id for no key update`.execute(tx.db)
}

/** The end of the suspension returns the groups, whichever case began it. */
export async function moveHandoversToCase(
  { db }: Pick<StoreTransaction, 'db'>,
  from: number,
  to: number,
): Promise<void> {
  await db.updateTable('group_handovers').set({ case_id: to }).where('case_id', '=', from).execute()
}

/** Locks, in key order, the accounts whose blocks decide what `giveBackSuspendedGroups` does. */
export async function lockAccountsOfSuspension(
  { db }: Pick<StoreTransaction, 'db'>,
  caseKey: number,
): Promise<void> {
  await sql`
    select from accounts a where a.id in (
      select u.account_id from group_handovers gh join groups g on g.id = gh.group_id
        join users u on u.id in (gh.from_id, g.admin_id)
      where gh.case_id = ${caseKey})
    order by a.id for no key update`.execute(db)
}

/**
 * Returns the groups to their former admin, including those that a successor of the successor has. The
 * current admin keeps a group if the former admin is not a member, is blocked from them, or has no open
 * account. The caller holds the locks of the groups and of the accounts.
 */
export async function giveBackSuspendedGroups(tx: StoreTransaction, caseKey: number): Promise<void> {
  const former = sql.ref<number>('gh.from_id')
  const returned = sql`
    group_handovers gh join groups g on g.id = gh.group_id
    where gh.case_id = ${caseKey} and gh.from_id <> g.admin_id and ${hasOpenAccount(former)}
      and ${notBlocked(former, sql.ref('g.admin_id'))}
      and exists (select from group_members m where m.group_id = g.id and m.user_id = gh.from_id)
      and g.admin_id = (select newest.to_id from group_handovers newest
        where newest.group_id = g.id and newest.declined_at is null order by newest.id desc limit 1)`
  const { rows } = await sql<{ id: number; group: string; admin: number; handover: number }>`
    select distinct on (g.id) g.id, g.public_id as "group", g.admin_id as admin, gh.id as handover
    from ${returned} order by g.id, gh.id`.execute(tx.db)
  for (const { id, group, admin, handover } of rows) {
    const successor = await lockSuccessor(
      tx,
      { group: id, admin },
      sql`select gh.from_id as user_id from ${returned} and gh.id = ${handover}`,
    )
    if (successor === null) continue
    await giveBack(tx, group, successor)
    await tx.db.deleteFrom('group_handovers').where('group_id', '=', id).where('id', '>=', handover).execute()
  }
}

/**
 * From then on, groups no longer return to a member who left or became the admin again, or to `all` former
 * admins. The handovers stay, because blocks of former admins and refusals still count.
 */
export async function endGiveBacks(
  tx: StoreTransaction,
  group: number,
  former: number | 'all',
): Promise<void> {
  await sql`
    update group_handovers gh set case_id = null
    where gh.group_id = ${group} and gh.case_id is not null ${former === 'all' ? sql`` : sql`and gh.from_id = ${former}`}`.execute(
    tx.db,
  )
}

/** An admin who hands the group over by hand has accepted it. */
export async function acceptHandovers(tx: StoreTransaction, group: number): Promise<void> {
  await tx.db
    .updateTable('group_handovers')
    .set({ handed_on_at: sql<Date>`clock_timestamp()` })
    .where('group_id', '=', group)
    .where('handed_on_at', 'is', null)
    .execute()
}
