/**
 * Loads posts by key as a card or a page shows them, in one statement for any number. What the caller may do with a post
 * travels with it (`can`, decided by the policy).
 */
import { type Kysely, sql } from 'kysely'
import type { Post } from '#contract/posts.ts'
import type { Config } from '../config.ts'
import { maskArrayLengths } from '../database/prepared-statements.ts'
import type { DatabaseTables } from '../database/schema.ts'
import { memberKeyParameter, whereAccessRuleAllows } from '../policy.ts'
import { formatIsoTimestamp } from './iso-timestamp.ts'
import { pictureUrl, profilePictureUrl } from './picture-urls.ts'

type PostRow = {
  $id: string
  created_at: Date
  updated_at: Date
  caption: string
  location: string
  tags: string[]
  like_count: number
  creator_public_id: string
  creator_name: string
  creator_username: string
  creator_image_id: string | null
  group_public_id: string | null
  group_name: string | null
  image_public_id: string
  width: number
  height: number
  thumbhash: Buffer
  liked: boolean
  saved: boolean
  may_edit: boolean
  may_delete: boolean
  creator_visible: boolean
}

/**
 * Loads posts by key, in the order of the keys.
 * @param keys of posts `me` may read: found through `selectReadableRows`, or just written by that member
 */
export async function hydratePosts(
  db: Kysely<DatabaseTables>,
  config: Config,
  me: number,
  keys: readonly number[],
): Promise<Post[]> {
  if (keys.length === 0) return []
  const meParam = memberKeyParameter(me)
  const { rows } = await sql<PostRow>`
    select p.public_id as "$id", p.created_at, p.updated_at, p.caption, p.location, p.tags, p.like_count,
      u.public_id as creator_public_id, u.name as creator_name, u.username as creator_username,
      case when seen.creator then portrait.public_id end as creator_image_id, seen.creator as creator_visible,
      g.public_id as group_public_id, g.name as group_name,
      f.public_id as image_public_id, f.width, f.height, f.thumbhash,
      exists (select from post_likes l where l.post_id = p.id and l.user_id = ${meParam}) as liked,
      exists (select from saves s where s.post_id = p.id and s.user_id = ${meParam}) as saved,
      ${whereAccessRuleAllows(meParam, 'update', 'posts', 'p')} as may_edit, ${whereAccessRuleAllows(meParam, 'delete', 'posts', 'p')} as may_delete
    from unnest(${maskArrayLengths(keys)}) with ordinality as wanted (id, position)
    join posts p on p.id = wanted.id
    join users u on u.id = p.creator_id
    join files f on f.id = p.image_id
    left join files portrait on portrait.id = u.image_id
    left join groups g on g.id = p.group_id
    cross join lateral (select p.group_id is null or ${whereAccessRuleAllows(meParam, 'read', 'users', 'u')} as creator) as seen
    order by wanted.position`.execute(db)
  return rows.map((row) => toPost(config, row))
}

function toPost(config: Config, row: PostRow): Post {
  const url = pictureUrl(config, row.image_public_id)
  return {
    $id: row.$id,
    $createdAt: formatIsoTimestamp(row.created_at),
    $updatedAt: formatIsoTimestamp(row.updated_at),
    creator: {
      $id: row.creator_public_id,
      name: row.creator_name,
      username: row.creator_username,
      imageUrl: profilePictureUrl(config, row.creator_name, row.creator_image_id),
      imageId: row.creator_image_id,
    },
    caption: row.caption,
    location: row.location,
    tags: row.tags,
    groupId: row.group_public_id,
    group: row.group_public_id === null ? null : { $id: row.group_public_id, name: row.group_name ?? '' },
    imageUrl: url,
    imageId: row.image_public_id,
    image: {
      id: row.image_public_id,
      url,
      width: row.width,
      height: row.height,
      thumbhash: row.thumbhash.toString('base64'),
    },
    likeCount: row.like_count,
    liked: row.liked,
    saved: row.saved,
    can: { edit: row.may_edit, delete: row.may_delete },
    ...(row.creator_visible ? {} : { blocked: true }),
  }
}
