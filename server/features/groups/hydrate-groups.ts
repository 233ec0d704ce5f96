import { type Kysely, sql } from 'kysely'
import type { GroupMember } from '#contract/groups/group-members.ts'
import type { JoinRequest } from '#contract/groups/group-requests.ts'
import type { Group, MembershipStatus } from '#contract/groups/groups.ts'
import type { Config } from '../../config.ts'
import { formatIsoTimestamp } from '../../database/iso-timestamp.ts'
import { hideKeyArrayLengthFromPlanner } from '../../database/prepared-statements.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { buildPictureUrl } from '../../files/picture-urls.ts'
import {
  memberKeyParameter,
  whereAccessRuleAllows,
  whereMemberHasAbility,
  whereMemberMayRead,
} from '../../policy/index.ts'
import {
  joinPersonSummaryRow,
  type PersonSummaryRecord,
  personSummaryColumns,
  toPersonSummary,
} from '../people/person-summary.ts'

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
  may_decide: boolean
  may_leave: boolean
  may_decline: boolean
}

export async function hydrateGroups(
  db: Kysely<DatabaseTables>,
  config: Config,
  me: number,
  keys: readonly number[],
): Promise<Group[]> {
  if (keys.length === 0) return []
  const meParam = memberKeyParameter(me)
  const mayDecide = whereMemberHasAbility(meParam, 'decide', 'groups', 'g')
  const { rows } = await sql<GroupRow>`
    select g.public_id as "$id", g.created_at, g.updated_at, g.name, g.description, g.is_private, g.member_count,
      f.public_id as image_id, a.public_id as admin_id, own.role,
      latest.status as request_status, latest.public_id as request_id,
      case when ${mayDecide} then
        (select count(*) from group_requests r where r.group_id = g.id and r.status = 'pending'
          and ${whereMemberMayRead(meParam, 'group_requests', 'r')})
      else 0 end as pending_count,
      ${whereMemberHasAbility(meParam, 'edit', 'groups', 'g')} as may_edit, ${whereMemberHasAbility(meParam, 'delete', 'groups', 'g')} as may_delete,
      ${mayDecide} as may_decide, ${whereMemberHasAbility(meParam, 'leave', 'groups', 'g')} as may_leave,
      ${whereMemberHasAbility(meParam, 'decline', 'groups', 'g')} as may_decline
    from unnest(${hideKeyArrayLengthFromPlanner(keys)}) with ordinality as wanted (id, position)
    join groups g on g.id = wanted.id
    join users a on a.id = g.admin_id
    left join files f on f.id = g.image_id
    left join group_members own on own.group_id = g.id and own.user_id = ${meParam}
    left join lateral (
      select r.status, r.public_id from group_requests r
      where r.group_id = g.id and r.user_id = ${meParam} order by r.created_at desc, r.id desc limit 1
    ) latest on own.id is null
    order by wanted.position`.execute(db)
  return rows.map((row) => toGroup(config, row))
}

function toGroup(config: Config, row: GroupRow): Group {
  const membership = membershipOf(row)
  return {
    $id: row.$id,
    $createdAt: formatIsoTimestamp(row.created_at),
    $updatedAt: formatIsoTimestamp(row.updated_at),
    name: row.name,
    description: row.description,
    imageUrl: row.image_id === null ? '' : buildPictureUrl(config, row.image_id),
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
      decide: row.may_decide,
      leave: row.may_leave,
      decline: row.may_decline,
    },
  }
}

/**
 * If a request was accepted but the membership is missing, the member left or was removed and may ask again.
 */
function membershipOf({ role, request_status: status }: GroupRow): MembershipStatus {
  if (role) return role
  return status === 'pending' || status === 'rejected' ? status : 'none'
}

type RequestRow = PersonSummaryRecord & {
  $id: string
  created_at: Date
  status: JoinRequest['status']
  group_id: string
  group_name: string
  may_decide: boolean
  may_withdraw: boolean
}

export async function hydrateJoinRequests(
  db: Kysely<DatabaseTables>,
  config: Config,
  me: number,
  keys: readonly number[],
): Promise<JoinRequest[]> {
  if (keys.length === 0) return []
  const meParam = memberKeyParameter(me)
  const { rows } = await sql<RequestRow>`
    select r.public_id as "$id", r.created_at, r.status, g.public_id as group_id, g.name as group_name,
      ${whereMemberHasAbility(meParam, 'decide', 'group_requests', 'r')} as may_decide,
      ${whereMemberHasAbility(meParam, 'withdraw', 'group_requests', 'r')} as may_withdraw, ${personSummaryColumns}
    from unnest(${hideKeyArrayLengthFromPlanner(keys)}) with ordinality as wanted (id, position)
    join group_requests r on r.id = wanted.id
    join groups g on g.id = r.group_id
    ${joinPersonSummaryRow(sql`r.user_id`)}
    order by wanted.position`.execute(db)
  return rows.map((row) => ({
    $id: row.$id,
    $createdAt: formatIsoTimestamp(row.created_at),
    groupId: row.group_id,
    group: { $id: row.group_id, name: row.group_name },
    userId: row.person_id,
    user: toPersonSummary(config, row),
    status: row.status,
    requestedAt: formatIsoTimestamp(row.created_at),
    can: { decide: row.may_decide, withdraw: row.may_withdraw },
  }))
}

type MemberRow = PersonSummaryRecord & {
  $id: string
  created_at: Date
  group_id: string
  role: GroupMember['role']
  may_remove: boolean
  may_hand_over: boolean
  visible: boolean
}

export async function hydrateGroupMemberships(
  db: Kysely<DatabaseTables>,
  config: Config,
  me: number,
  keys: readonly number[],
): Promise<GroupMember[]> {
  if (keys.length === 0) return []
  const meParam = memberKeyParameter(me)
  const { rows } = await sql<MemberRow>`
    select m.public_id as "$id", m.created_at, m.role, g.public_id as group_id,
      ${whereMemberHasAbility(meParam, 'remove', 'group_members', 'm')} as may_remove,
      ${whereMemberHasAbility(meParam, 'handOver', 'group_members', 'm')} as may_hand_over,
      ${whereAccessRuleAllows(meParam, 'read', 'users', 'person')} as visible, ${personSummaryColumns}
    from unnest(${hideKeyArrayLengthFromPlanner(keys)}) with ordinality as wanted (id, position)
    join group_members m on m.id = wanted.id
    join groups g on g.id = m.group_id
    ${joinPersonSummaryRow(sql`m.user_id`)}
    order by wanted.position`.execute(db)
  return rows.map((row) => ({
    $id: row.$id,
    $createdAt: formatIsoTimestamp(row.created_at),
    groupId: row.group_id,
    userId: row.person_id,
    user: toPersonSummary(config, row.visible ? row : { ...row, person_image_id: null }),
    role: row.role,
    joinedAt: formatIsoTimestamp(row.created_at),
    can: { remove: row.may_remove, handOver: row.may_hand_over },
    ...(row.visible ? {} : { blocked: true }),
  }))
}
