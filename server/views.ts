/**
 * From keys to what a card or a page shows, in batches: one statement for any number of posts or people. What the asking
 * member may do with a row travels with it (`can`, decided by the policy).
 */
import { type Kysely, sql } from 'kysely'
import type { Person, Profile } from '#contract/people.ts'
import type { Post } from '#contract/posts.ts'
import type { Config } from './config.ts'
import type { Tables } from './database/schema.ts'
import { unseen } from './database/statements.ts'
import { asMe, may, mayRead } from './policy.ts'

/** The dialect's form: UTC with milliseconds and an explicit offset. */
export const toInstant = (time: Date): string => time.toISOString().replace('Z', '+00:00')

const base = (config: Config) => `${config.publicUrl ?? ''}/v1`

/** Where a file's picture is served; `?width=` picks a variant. */
export const pictureUrl = (config: Config, fileId: string): string =>
  `${base(config)}/storage/buckets/media/files/${encodeURIComponent(fileId)}/preview`

/** Six calm grounds for initials (design tokens tint-1 … tint-6), so that somebody keeps hers by her name. */
const tints = ['f8c9d6', 'd8d0f5', 'fbdca6', 'cbe6d3', 'c9e2f2', 'f6cfb8']

const initialsUrl = (config: Config, name: string): string => {
  const sum = [...name].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0)
  const tint = tints[sum % tints.length]
  return `${base(config)}/avatars/initials?name=${encodeURIComponent(name)}&background=${tint}&bold=1`
}

/** A member's picture, or her initials (reading D-11: made when read, never stored). */
export const portraitUrl = (config: Config, name: string, fileId: string | null): string =>
  fileId === null ? initialsUrl(config, name) : pictureUrl(config, fileId)

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
}

/**
 * Posts by key, in the order of the keys.
 * @param keys of posts `me` may read: found through `visible`, or just written by her
 */
export async function hydratePosts(
  db: Kysely<Tables>,
  config: Config,
  me: number,
  keys: readonly number[],
): Promise<Post[]> {
  if (keys.length === 0) return []
  const asking = asMe(me)
  const { rows } = await sql<PostRow>`
    select p.public_id as "$id", p.created_at, p.updated_at, p.caption, p.location, p.tags, p.like_count,
      u.public_id as creator_public_id, u.name as creator_name, u.username as creator_username,
      portrait.public_id as creator_image_id,
      g.public_id as group_public_id, g.name as group_name,
      f.public_id as image_public_id, f.width, f.height, f.thumbhash,
      exists (select from post_likes l where l.post_id = p.id and l.user_id = ${asking}) as liked,
      exists (select from saves s where s.post_id = p.id and s.user_id = ${asking}) as saved,
      ${may(asking, 'update', 'posts', 'p')} as may_edit, ${may(asking, 'delete', 'posts', 'p')} as may_delete
    from unnest(${unseen(keys)}) with ordinality as wanted (id, position)
    join posts p on p.id = wanted.id
    join users u on u.id = p.creator_id
    join files f on f.id = p.image_id
    left join files portrait on portrait.id = u.image_id
    left join groups g on g.id = p.group_id
    order by wanted.position`.execute(db)
  return rows.map((row) => toPost(config, row))
}

function toPost(config: Config, row: PostRow): Post {
  const url = pictureUrl(config, row.image_public_id)
  return {
    $id: row.$id,
    $createdAt: toInstant(row.created_at),
    $updatedAt: toInstant(row.updated_at),
    creator: {
      $id: row.creator_public_id,
      name: row.creator_name,
      username: row.creator_username,
      imageUrl: portraitUrl(config, row.creator_name, row.creator_image_id),
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
  }
}

type PersonRow = {
  $id: string
  created_at: Date
  name: string
  username: string
  bio: string
  image_id: string | null
  following: boolean
  post_count: number
  follower_count: number
  following_count: number
}

/**
 * People by key, in the order of the keys, with the counts as `me` may see them: 'Posts' is the column of public posts
 * plus the posts in groups both are in (reading R-08).
 */
export async function hydratePeople(
  db: Kysely<Tables>,
  config: Config,
  me: number,
  keys: readonly number[],
  { counts }: { counts: boolean },
): Promise<Profile[]> {
  if (keys.length === 0) return []
  const asking = asMe(me)
  const shared = counts
    ? sql`(select count(*)::int from posts p where p.creator_id = u.id and p.group_id is not null
        and ${mayRead(asking, 'posts', 'p')})`
    : sql`0`
  const { rows } = await sql<PersonRow>`
    select u.public_id as "$id", u.created_at, u.name, u.username, u.bio, f.public_id as image_id,
      exists (select from follows w where w.follower_id = ${asking} and w.following_id = u.id) as following,
      u.post_count + ${shared} as post_count, u.follower_count, u.following_count
    from unnest(${unseen(keys)}) with ordinality as wanted (id, position)
    join users u on u.id = wanted.id
    left join files f on f.id = u.image_id
    order by wanted.position`.execute(db)
  return rows.map((row) => ({
    ...toPerson(config, row),
    postCount: row.post_count,
    followerCount: row.follower_count,
    followingCount: row.following_count,
  }))
}

const toPerson = (config: Config, row: PersonRow): Person => ({
  $id: row.$id,
  $createdAt: toInstant(row.created_at),
  name: row.name,
  username: row.username,
  bio: row.bio,
  imageUrl: portraitUrl(config, row.name, row.image_id),
  imageId: row.image_id,
  following: row.following,
})
