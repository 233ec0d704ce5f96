/** From keys to what the group screens show: groups, requests and members, each list in one statement. */
import { type Kysely, sql } from 'kysely'
import type { GroupMember } from '#contract/group-members.ts'
import type { GroupRequest } from '#contract/group-requests.ts'
import type { Group, Membership } from '#contract/groups.ts'
import type { Config } from './config.ts'
import type { Tables } from './database/schema.ts'
import { unseen } from './database/statements.ts'
import { asMe, isHere, may } from './policy.ts'
import { joinPortrait, type PortraitRow, portraitColumns, toPortrait } from './portraits.ts'
import { pictureUrl, toInstant } from './views.ts'

type GroupRow = {
  $id: string
  created_at: Date
  updated_at: Date
  name: string
  description: string
  image_id: string | null
  admin_id: string
  is_private: boolean
  member_count: number
  role: 'admin' | 'member' | null
  request_status: 'pending' | 'accepted' | 'rejected' | null
  request_id: string | null
  pending_count: number
  may_edit: boolean
  may_delete: boolean
}

/** Groups by key, in the order of the keys, with what `me` is to each. */
export async function hydrateGroups(
  db: Kysely<Tables>,
  config: Config,
  me: number,
  keys: readonly number[],
): Promise<Group[]> {
  if (keys.length === 0) return []
  const asking = asMe(me)
  const mayEdit = may(asking, 'update', 'groups', 'g')
  const { rows } = await sql<GroupRow>`
    select g.public_id as "$id", g.created_at, g.updated_at, g.name, g.description, g.is_private, g.member_count,
      f.public_id as image_id, a.public_id as admin_id, own.role,
      latest.status as request_status, latest.public_id as request_id,
      case when ${mayEdit} then
        (select count(*) from group_requests r where r.group_id = g.id and r.status = 'pending'
          and ${isHere(sql.ref('r.user_id'))})
      else 0 end as pending_count,
      ${mayEdit} as may_edit, ${may(asking, 'delete', 'groups', 'g')} as may_delete
    from unnest(${unseen(keys)}) with ordinality as wanted (id, position)
    join groups g on g.id = wanted.id
    join users a on a.id = g.admin_id
    left join files f on f.id = g.image_id
    left join group_members own on own.group_id = g.id and own.user_id = ${asking}
    left join lateral (
      select r.status, r.public_id from group_requests r
      where r.group_id = g.id and r.user_id = ${asking} order by r.created_at desc, r.id desc limit 1
    ) latest on own.id is null
    order by wanted.position`.execute(db)
  return rows.map((row) => toGroup(config, row))
}

function toGroup(config: Config, row: GroupRow): Group {
  const membership = membershipOf(row)
  return {
    $id: row.$id,
    $createdAt: toInstant(row.created_at),
    $updatedAt: toInstant(row.updated_at),
    name: row.name,
    description: row.description,
    imageUrl: row.image_id === null ? '' : pictureUrl(config, row.image_id),
    imageId: row.image_id,
    adminId: row.admin_id,
    isPrivate: row.is_private,
    memberCount: row.member_count,
    membership,
    requestId: membership === 'pending' ? row.request_id : null,
    pendingCount: row.pending_count,
    can: {
      edit: row.may_edit,
      delete: row.may_delete,
      decide: row.may_edit,
      leave: membership === 'member',
    },
  }
}

/** Accepted once and no member any more: she left or was removed, and may ask again. */
function membershipOf({ role, request_status: status }: GroupRow): Membership {
  if (role) return role
  return status === 'pending' || status === 'rejected' ? status : 'none'
}

type RequestRow = PortraitRow & {
  $id: string
  created_at: Date
  status: GroupRequest['status']
  group_id: string
  group_name: string
  may_decide: boolean
  may_withdraw: boolean
}

export async function hydrateRequests(
  db: Kysely<Tables>,
  config: Config,
  me: number,
  keys: readonly number[],
): Promise<GroupRequest[]> {
  if (keys.length === 0) return []
  const asking = asMe(me)
  const { rows } = await sql<RequestRow>`
    select r.public_id as "$id", r.created_at, r.status, g.public_id as group_id, g.name as group_name,
      r.status = 'pending' and ${may(asking, 'update', 'group_requests', 'r')} as may_decide,
      r.status = 'pending' and ${may(asking, 'delete', 'group_requests', 'r')} as may_withdraw, ${portraitColumns}
    from unnest(${unseen(keys)}) with ordinality as wanted (id, position)
    join group_requests r on r.id = wanted.id
    join groups g on g.id = r.group_id
    ${joinPortrait(sql`r.user_id`)}
    order by wanted.position`.execute(db)
  return rows.map((row) => ({
    $id: row.$id,
    $createdAt: toInstant(row.created_at),
    groupId: row.group_id,
    group: { $id: row.group_id, name: row.group_name },
    userId: row.person_id,
    user: toPortrait(config, row),
    status: row.status,
    requestedAt: toInstant(row.created_at),
    can: { decide: row.may_decide, withdraw: row.may_withdraw },
  }))
}

type MemberRow = PortraitRow & {
  $id: string
  created_at: Date
  group_id: string
  role: GroupMember['role']
  may_remove: boolean
  may_hand_over: boolean
}

export async function hydrateMembers(
  db: Kysely<Tables>,
  config: Config,
  me: number,
  keys: readonly number[],
): Promise<GroupMember[]> {
  if (keys.length === 0) return []
  const asking = asMe(me)
  const another = sql`m.role = 'member' and m.user_id <> ${asking}`
  const { rows } = await sql<MemberRow>`
    select m.public_id as "$id", m.created_at, m.role, g.public_id as group_id,
      ${another} and ${may(asking, 'delete', 'group_members', 'm')} as may_remove,
      ${another} and ${may(asking, 'update', 'groups', 'g')} as may_hand_over, ${portraitColumns}
    from unnest(${unseen(keys)}) with ordinality as wanted (id, position)
    join group_members m on m.id = wanted.id
    join groups g on g.id = m.group_id
    ${joinPortrait(sql`m.user_id`)}
    order by wanted.position`.execute(db)
  return rows.map((row) => ({
    $id: row.$id,
    $createdAt: toInstant(row.created_at),
    groupId: row.group_id,
    userId: row.person_id,
    user: toPortrait(config, row),
    role: row.role,
    joinedAt: toInstant(row.created_at),
    can: { remove: row.may_remove, handOver: row.may_hand_over },
  }))
}
