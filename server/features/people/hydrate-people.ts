import { type Kysely, sql } from 'kysely'
import type { Person, Profile } from '#contract/people/people.ts'
import type { Config } from '../../config.ts'
import { formatIsoTimestamp } from '../../database/iso-timestamp.ts'
import { hideKeyArrayLengthFromPlanner } from '../../database/prepared-statements.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { buildProfilePictureUrl } from '../../files/picture-urls.ts'
import {
  countReadablePostsOutsideGroups,
  memberKeyParameter,
  selectClosedAccountFollowCount,
  whereMemberHasAbility,
  whereMemberMayRead,
} from '../../policy/index.ts'

type PersonRow = {
  $id: string
  created_at: Date
  name: string
  username: string
  bio: string
  image_id: string | null
  following: boolean
  requested: boolean
  is_private: boolean
  follows_me: boolean
  lists_for: Profile['listsFor']
  post_count: number
  follower_count: number | null
  following_count: number | null
  may_write: boolean
  may_block: boolean
  may_see_posts: boolean
  may_see_lists: boolean
}

/**
 * Follow counts are null if `me` may not see the lists.
 * `me`'s own counts exclude closed accounts: a falling count would reveal that a missing follower blocked
 * `me`.
 */
export async function hydratePeople(
  db: Kysely<DatabaseTables>,
  config: Config,
  me: number,
  keys: readonly number[],
  { counts }: { counts: boolean },
): Promise<Profile[]> {
  if (keys.length === 0) return []
  const meParam = memberKeyParameter(me)
  const shared = counts
    ? sql`(select count(*)::int from posts p where p.creator_id = u.id and p.group_id is not null
        and ${whereMemberMayRead(meParam, 'posts', 'p')})`
    : sql`0`
  const withoutClosed = (
    column: 'follower_count' | 'following_count',
    closed: 'follower_id' | 'following_id',
  ) =>
    counts
      ? sql`u.${sql.ref(column)} - case u.id when ${meParam} then ${selectClosedAccountFollowCount(meParam, closed)} else 0 end`
      : sql`0`
  const { rows } = await sql<PersonRow>`
    select u.public_id as "$id", u.created_at, u.name, u.username, u.bio, f.public_id as image_id,
      exists (select from follows w where w.follower_id = ${meParam} and w.following_id = u.id) as following,
      exists (select from follow_requests r where r.asker_id = ${meParam} and r.asked_id = u.id
        and ${whereMemberMayRead(meParam, 'follow_requests', 'r')}) as requested,
      exists (select from follows back where back.follower_id = u.id and back.following_id = ${meParam}) as follows_me,
      u.is_private, case when u.is_private and u.lists_for = 'everyone' then 'followers' else u.lists_for end as lists_for,
      ${countReadablePostsOutsideGroups(meParam, 'u')} + ${shared} as post_count,
      case when seen.lists then ${withoutClosed('follower_count', 'follower_id')} end as follower_count,
      case when seen.lists then ${withoutClosed('following_count', 'following_id')} end as following_count,
      ${whereMemberHasAbility(meParam, 'beWrittenTo', 'users', 'u')} as may_write,
      ${whereMemberHasAbility(meParam, 'block', 'users', 'u')} as may_block, seen.lists as may_see_lists,
      not u.is_private or ${whereMemberHasAbility(meParam, 'seeFollowersPosts', 'users', 'u')} as may_see_posts
    from unnest(${hideKeyArrayLengthFromPlanner(keys)}) with ordinality as wanted (id, position)
    join users u on u.id = wanted.id
    left join files f on f.id = u.image_id
    cross join lateral (
      select ${counts ? whereMemberHasAbility(meParam, 'seeFollowLists', 'users', 'u') : sql`false`} as lists
    ) as seen
    order by wanted.position`.execute(db)
  return rows.map((row) => ({
    ...toPerson(config, row),
    postCount: row.post_count,
    followerCount: row.follower_count,
    followingCount: row.following_count,
    listsFor: row.lists_for,
    followsMe: row.follows_me,
    can: {
      write: row.may_write,
      block: row.may_block,
      seePosts: row.may_see_posts,
      seeLists: row.may_see_lists,
    },
  }))
}

const toPerson = (config: Config, row: PersonRow): Person => ({
  $id: row.$id,
  $createdAt: formatIsoTimestamp(row.created_at),
  name: row.name,
  username: row.username,
  bio: row.bio,
  imageUrl: buildProfilePictureUrl(config, row.name, row.image_id),
  imageId: row.image_id,
  following: row.following,
  requested: row.requested,
  isPrivate: row.is_private,
  can: { write: row.may_write },
})
