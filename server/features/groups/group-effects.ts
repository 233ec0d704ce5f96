import { type Selectable, sql } from 'kysely'
import { isAddressOfOtherScreen } from '#contract/screen-routes.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'
import { memberKeyParameter, whereMemberMayRead } from '../../policy/index.ts'
import { systemActor, type WriteActor } from '../../store/actor.ts'
import type { StoreTransaction } from '../../store/store-transaction.ts'
import { moveHiddenPostsOutOfGroup } from '../posts/posts-of-leaving-members.ts'
import { acceptHandovers, endGiveBacks } from './group-succession.ts'
import { recordGroupEvent } from './record-group-event.ts'

type Group = Selectable<DatabaseTables['groups']>
type Membership = Selectable<DatabaseTables['group_members']>
type Request = Selectable<DatabaseTables['group_requests']>

/** @throws Failure document_already_exists if the id is the path of another screen */
export async function afterGroupCreated(tx: StoreTransaction, group: Group): Promise<void> {
  if (isAddressOfOtherScreen('group', group.public_id)) throwFailure('document_already_exists')
  const values = { group_id: group.id, user_id: group.admin_id, role: 'admin' }
  await tx.insert(systemActor, 'groupMembers', values)
  await recordGroupEvent(tx.db, group.admin_id, 'group.create', { group: group.id })
}

/**
 * Removes access to pending requests from the old admin. When a group is hidden, everyone except its members
 * loses access to it.
 * @throws Failure group_member_not_found if the new admin is not a member
 */
export async function afterGroupUpdated(
  tx: StoreTransaction,
  before: Group,
  after: Group,
  actor: WriteActor,
): Promise<void> {
  if (before.hidden_at === null && after.hidden_at !== null)
    await tx.recordAccessLoss('groups', sql`t.id = ${after.id}`, sql`null::bigint[]`, ['hidden_at'])
  if (before.admin_id === after.admin_id) return
  await tx.recordAccessLoss(
    'groupRequests',
    sql`t.group_id = ${after.id} and t.status = 'pending'`,
    sql`array[${before.admin_id}]::bigint[]`,
    ['group_id'],
  )
  // The order matters, because a group has only one admin at a time.
  await changeRole(tx, after.id, before.admin_id, 'member')
  await changeRole(tx, after.id, after.admin_id, 'admin')
  const isByHand = actor !== systemActor
  await endGiveBacks(tx, after.id, isByHand ? 'all' : after.admin_id)
  if (isByHand) await acceptHandovers(tx, after.id)
  const about = { group: after.id, whom: after.admin_id }
  await recordGroupEvent(tx.db, before.admin_id, 'group.handover', about)
}

async function changeRole(tx: StoreTransaction, group: number, user: number, role: Membership['role']) {
  const membership = await tx.db
    .selectFrom('group_members')
    .select('public_id')
    .where('group_id', '=', group)
    .where('user_id', '=', user)
    .executeTakeFirst()
  if (!membership) return throwFailure('group_member_not_found')
  return tx.update(systemActor, 'groupMembers', membership.public_id, { role })
}

/** Each recorded row contains its whole audience, so a deletion records at most this many member keys. */
const maxAudienceKeys = 20_000

/**
 * The group's posts become unreadable here and are deleted later.
 * The members are locked first, so that a concurrent post waits and is refused.
 */
export async function beforeGroupRemoved(tx: StoreTransaction, group: Group): Promise<void> {
  await sql`select from group_members where group_id = ${group.id} order by id for update`.execute(tx.db)
  await moveHiddenPostsOutOfGroup(tx, group.id)
  const inGroup = sql`t.group_id = ${group.id}`
  const members = sql`(select array_agg(m.user_id) from group_members m where m.group_id = ${group.id})`
  const postsNamed = Math.min(100, Math.ceil(maxAudienceKeys / group.member_count))
  await tx.recordAccessLoss(
    'posts',
    inGroup,
    sql`case when t.hidden_by is null and t.withheld_by is null then ${members} else '{}' end || t.creator_id`,
    ['group_id'],
    { atMost: postsNamed, losers: members },
  )
  await tx.recordAccessLoss(
    'groupMembers',
    inGroup,
    sql`array[t.user_id]::bigint[]`,
    ['group_id', 'user_id'],
    { losers: members },
  )
  const senders = sql`(select array_agg(r.user_id) || ${group.admin_id}::bigint from group_requests r where r.group_id = ${group.id})`
  await tx.recordAccessLoss(
    'groupRequests',
    inGroup,
    sql`array[t.user_id, ${group.admin_id}]::bigint[]`,
    ['group_id'],
    { losers: senders },
  )
  await recordGroupEvent(tx.db, group.admin_id, 'group.delete', { group: group.id })
}

/** Records that the group's member count changed. */
export async function afterMemberAdmitted(tx: StoreTransaction, membership: Membership): Promise<void> {
  if (membership.role === 'member') await tx.recordChange('groups', membership.group_id, membership.user_id)
}

/**
 * Members who leave can still read their own posts. Rows that they cannot see do not count, because the number
 * of changes would reveal them.
 */
export async function beforeMemberRemoved(
  tx: StoreTransaction,
  membership: Membership,
  actor: WriteActor,
): Promise<void> {
  const { group_id: group, user_id: user } = membership
  const leavingMember = sql`array[${user}]::bigint[]`
  await tx.recordAccessLoss(
    'posts',
    sql`t.group_id = ${group} and t.creator_id <> ${user} and t.hidden_by is null and t.withheld_by is null
      and ${whereMemberMayRead(memberKeyParameter(user), 'posts', 't')}`,
    leavingMember,
    ['group_id'],
  )
  await tx.recordAccessLoss(
    'groupMembers',
    sql`t.group_id = ${group} and t.user_id <> ${user} and ${whereMemberMayRead(memberKeyParameter(user), 'group_members', 't')}`,
    leavingMember,
    ['group_id'],
  )
  await tx.recordChange('groups', group, user)
  await endGiveBacks(tx, group, user)
  if (actor === systemActor) return
  const event = actor === user ? 'member.leave' : 'member.remove'
  await recordGroupEvent(tx.db, actor, event, { group, whom: user })
}

export async function afterJoinRequestDecided(
  tx: StoreTransaction,
  _before: Request,
  request: Request,
): Promise<void> {
  const { group_id, user_id, status } = request
  if (status === 'accepted') await tx.insert(systemActor, 'groupMembers', { group_id, user_id })
  const { admin_id } = await tx.db
    .selectFrom('groups')
    .select('admin_id')
    .where('id', '=', group_id)
    .executeTakeFirstOrThrow()
  const event = status === 'accepted' ? 'request.accept' : 'request.reject'
  await recordGroupEvent(tx.db, admin_id, event, { group: group_id, whom: user_id })
}
