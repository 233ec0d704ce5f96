/**
 * What a write about a group brings with it, whichever door asked: the creator becomes its admin, an accepted request
 * admits the member, and who loses sight of posts, members and requests is told before it happens (architecture §14.5).
 */
import { type Selectable, sql } from 'kysely'
import { type Actor, theServer } from './actor.ts'
import type { Tables } from './database/schema.ts'
import { fail } from './errors.ts'
import { noteGroupEvent } from './group-events.ts'
import type { Writing } from './store.ts'

type Group = Selectable<Tables['groups']>
type Membership = Selectable<Tables['group_members']>
type Request = Selectable<Tables['group_requests']>

export async function groupCreated(writing: Writing, group: Group): Promise<void> {
  const values = { group_id: group.id, user_id: group.admin_id, role: 'admin' }
  await writing.insert(theServer, 'groupMembers', values)
  await noteGroupEvent(writing.db, group.admin_id, 'group.create', { group: group.id })
}

/**
 * Handing over: the member becomes the admin and the admin a member; pending requests leave the old admin's sight.
 * @throws Failure group_member_not_found when the new admin is not in the group
 */
export async function groupUpdated(writing: Writing, before: Group, after: Group): Promise<void> {
  if (before.admin_id === after.admin_id) return
  await writing.tellLosers(
    'groupRequests',
    sql`t.group_id = ${after.id} and t.status = 'pending'`,
    sql`array[${before.admin_id}]::bigint[]`,
  )
  // In this order: a group has one admin at a time.
  await changeRole(writing, after.id, before.admin_id, 'member')
  await changeRole(writing, after.id, after.admin_id, 'admin')
  const handed = { group: after.id, whom: after.admin_id }
  await noteGroupEvent(writing.db, before.admin_id, 'group.handover', handed)
}

async function changeRole(writing: Writing, group: number, user: number, role: Membership['role']) {
  const membership = await writing.db
    .selectFrom('group_members')
    .select('public_id')
    .where('group_id', '=', group)
    .where('user_id', '=', user)
    .executeTakeFirst()
  if (!membership) return fail('group_member_not_found')
  return writing.update(theServer, 'groupMembers', membership.public_id, { role })
}

/** Each row told carries the keys of all who hear of it: so many keys a group's end may write. */
const keysWritten = 20_000

/**
 * Its posts go with it and release their pictures; members and requests follow by foreign key. The members are locked
 * first: a post on its way waits, and is then refused.
 */
export async function groupRemoving(writing: Writing, group: Group): Promise<void> {
  await sql`select from group_members where group_id = ${group.id} order by id for update`.execute(writing.db)
  const ofGroup = sql`t.group_id = ${group.id}`
  const members = sql`(select array_agg(m.user_id) from group_members m where m.group_id = ${group.id})`
  const postsNamed = Math.min(100, Math.ceil(keysWritten / group.member_count))
  await writing.tellLosers('posts', ofGroup, sql`${members} || t.creator_id`, postsNamed)
  await writing.tellLosers('groupMembers', ofGroup, sql`array[t.user_id]::bigint[]`)
  await writing.tellLosers('groupRequests', ofGroup, sql`array[t.user_id, ${group.admin_id}]::bigint[]`)
  await writing.removeAll('posts', ofGroup)
  await noteGroupEvent(writing.db, group.admin_id, 'group.delete', { group: group.id })
}

/** The group's count of members changes with her. */
export async function memberAdmitted(writing: Writing, membership: Membership): Promise<void> {
  if (membership.role === 'member') await writing.tell('groups', membership.group_id)
}

/**
 * She loses sight of the others' posts and of the members; her own posts stay hers (reading R-16).
 * @throws Failure group_admin_cannot_leave
 */
export async function memberLeaving(writing: Writing, membership: Membership, actor: Actor): Promise<void> {
  if (membership.role === 'admin') fail('group_admin_cannot_leave')
  const { group_id: group, user_id: user } = membership
  const her = sql`array[${user}]::bigint[]`
  await writing.tellLosers('posts', sql`t.group_id = ${group} and t.creator_id <> ${user}`, her)
  await writing.tellLosers('groupMembers', sql`t.group_id = ${group} and t.user_id <> ${user}`, her)
  await writing.tell('groups', group)
  if (actor === theServer) return
  const event = actor === user ? 'member.leave' : 'member.remove'
  await noteGroupEvent(writing.db, actor, event, { group, whom: user })
}

export async function requestDecided(writing: Writing, _before: Request, request: Request): Promise<void> {
  const { group_id, user_id, status } = request
  if (status === 'accepted') await writing.insert(theServer, 'groupMembers', { group_id, user_id })
  const { admin_id } = await writing.db
    .selectFrom('groups')
    .select('admin_id')
    .where('id', '=', group_id)
    .executeTakeFirstOrThrow()
  const event = status === 'accepted' ? 'request.accept' : 'request.reject'
  await noteGroupEvent(writing.db, admin_id, event, { group: group_id, whom: user_id })
}

/** @throws Failure group_request_processed: what was decided stays on record */
export async function requestWithdrawn(_writing: Writing, request: Request): Promise<void> {
  if (request.status !== 'pending') fail('group_request_processed')
}
