import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Mention } from '#contract/field-schemas.ts'
import { type RemovedMetadata, removedMetadataSchema } from '#contract/files/files.ts'
import { listedAltTextLength, maxAltTextLength } from '#contract/limits.ts'
import type { Post } from '#contract/posts/posts.ts'
import type { ShareReceipt } from '#contract/posts/share-receipt.ts'
import type { Config } from '../../config.ts'
import { type BindNamedValue, compileStatementOnce } from '../../database/compiled-statement.ts'
import { formatIsoTimestamp } from '../../database/iso-timestamp.ts'
import { hideKeyArrayLengthFromPlanner } from '../../database/prepared-statements.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { buildPictureUrl, buildProfilePictureUrl } from '../../files/picture-urls.ts'
import {
  countReadableComments,
  type MemberKeyExpression,
  memberKeyParameter,
  whereAccessRuleAllows,
  whereMemberHasAbility,
  whereMemberMayRead,
  wherePhotoShown,
} from '../../policy/index.ts'
import { selectShownMentions } from '../comments/select-shown-mentions.ts'
import { type PhotoTagRow, selectPhotoTags, toPhotoTag } from '../photo-tags/select-photo-tags.ts'

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
  alt: string
  others: OtherPhotoRow[] | null
  /** True if the cover is hidden. Only the two members who still see it receive this post. */
  withheld: boolean
  liked: boolean
  saved: boolean
  comment_count: number
  comments_from: Post['commentsFrom']
  edited_at: Date | null
  mentions: Mention[] | null
  may_edit: boolean
  may_delete: boolean
  may_take_along: boolean
  may_name: boolean
  creator_visible: boolean
  hidden: Post['hidden'] | null
  shared_with: ShareReceipt['with'] | null
  shared_count: number | null
  shared_at: Date | null
  people: PhotoTagRow[] | null
  /** Null if the removed metadata is private. */
  removed: RemovedMetadata[] | null
}

type OtherPhotoRow = {
  id: string
  width: number
  height: number
  thumbhash: string
  alt: string
  withheld?: true | null
}

/** Lists shorten photo descriptions to `listed`. */
type AltTextExtent = 'whole' | 'listed'

/**
 * `created` is `whole` for a post that was just written. It has no comments, photo tags and decisions yet,
 * and its caption mentions nobody, so PostgreSQL need not set up their rules at each execution.
 */
type PostExtent = AltTextExtent | 'created'

/** @param keys of posts that `me` may read: from `selectReadableRows`, or just written by `me` */
export async function hydratePosts(
  db: Kysely<DatabaseTables>,
  config: Config,
  me: number,
  keys: readonly number[],
  extent: PostExtent = 'listed',
): Promise<Post[]> {
  if (keys.length === 0) return []
  const rows = await selectPosts[extent](db, { me, keys })
  return rows.map((row) => toPost(config, row))
}

const buildSelectPosts =
  (altTexts: AltTextExtent, isNew = false) =>
  (value: BindNamedValue<{ me: number; keys: readonly number[] }>): RawBuilder<PostRow> => {
    const meParam = memberKeyParameter(value('me'))
    const altOf = (alias: string, column: string) =>
      sql`left(${sql.ref(`${alias}.${column}`)}, ${altTexts === 'whole' ? maxAltTextLength : listedAltTextLength}::int)`
    return sql`
    select p.public_id as "$id", p.created_at, p.updated_at, p.caption, p.location, p.tags, p.like_count,
      u.public_id as creator_public_id, u.name as creator_name, u.username as creator_username,
      case when seen.creator then portrait.public_id end as creator_image_id, seen.creator as creator_visible,
      g.public_id as group_public_id,
      case when g.id is not null and ${whereMemberMayRead(meParam, 'groups', 'g')} then g.name end as group_name,
      f.public_id as image_public_id, f.width, f.height, f.thumbhash, ${altOf('p', 'image_alt')} as alt, more.photos as others, p.withheld_by is not null as withheld,
      exists (select from post_likes l where l.post_id = p.id and l.user_id = ${meParam}) as liked,
      exists (select from saves s where s.post_id = p.id and s.user_id = ${meParam}) as saved,
      ${isNew ? sql`0` : countReadableComments(meParam, 'p')} as comment_count, p.comments_from, p.edited_at,
      ${isNew ? sql`null` : selectShownMentions(meParam, { text: 'p.caption', post: 'p' })} as mentions,
      ${isNew ? sql`null` : sql`case when p.hidden_by is not null then ${describeHidden(meParam)} end`} as hidden,
      ${whereAccessRuleAllows(meParam, 'update', 'posts', 'p')} as may_edit, ${whereAccessRuleAllows(meParam, 'delete', 'posts', 'p')} as may_delete,
      ${whereMemberHasAbility(meParam, 'takeAlong', 'posts', 'p')} as may_take_along,
      ${whereMemberHasAbility(meParam, 'name', 'posts', 'p')} as may_name,
      p.shared_with, p.shared_count, p.shared_at,
      ${altTexts === 'whole' && !isNew ? selectPhotoTags(meParam, sql.ref('p.id')) : sql`null`} as people,
      case when ${whereMemberHasAbility(meParam, 'seeReceipt', 'posts', 'p')} then array(select unnest(rf.removed)
        from (select p.image_id as id union all select rp.file_id from post_photos rp where p.photo_count > 1 and rp.post_id = p.id)
          as attached join files rf on rf.id = attached.id) end as removed
    from unnest(${hideKeyArrayLengthFromPlanner(value('keys'))}) with ordinality as wanted (id, position)
    join posts p on p.id = wanted.id
    join users u on u.id = p.creator_id
    join files f on f.id = p.image_id
    left join files portrait on portrait.id = u.image_id
    left join groups g on g.id = p.group_id
    left join lateral (
      select json_agg(json_build_object('id', of.public_id, 'width', of.width, 'height', of.height,
        'thumbhash', translate(encode(of.thumbhash, 'base64'), e'\n', ''), 'alt', ${altOf('pp', 'alt')},
        'withheld', case when pp.withheld_by is not null then true end) order by pp.position) as photos
      from post_photos pp join files of on of.id = pp.file_id where p.photo_count > 1 and pp.post_id = p.id
        and ${wherePhotoShown(meParam, 'pp', 'p')}
    ) more on true
    cross join lateral (select p.group_id is null or ${whereAccessRuleAllows(meParam, 'read', 'users', 'u')} as creator) as seen
    order by wanted.position`
  }

const selectPosts = {
  whole: compileStatementOnce(buildSelectPosts('whole')),
  created: compileStatementOnce(buildSelectPosts('whole', true)),
  listed: compileStatementOnce(buildSelectPosts('listed')),
}

/** The decision is null if the author hid the post `p`. */
const describeHidden = (me: MemberKeyExpression) =>
  sql`(select jsonb_build_object('by', p.hidden_by, 'reason', why.reason, 'caseId', why.public_id,
      'can', jsonb_build_object('appeal', coalesce(why.appeal, false)))
    from (select) as it left join lateral (
      select mc.reason, mc.public_id, ${whereMemberHasAbility(me, 'appeal', 'moderation_cases', 'mc')} as appeal
      from moderation_cases mc
      where mc.kind = 'post' and mc.subject_id = p.public_id and mc.status = 'decided'
        and (p.hidden_by = 'moderator' and mc.desk = 'moderators' and mc.decision in ('hide', 'suspend')
          or p.hidden_by = 'group' and mc.desk = 'group' and mc.decision in ('take-out', 'remove-member'))
        and not exists (select from appeals ma where ma.case_id = mc.id and ma.outcome = 'overturned')
        and ${whereMemberHasAbility(me, 'learn', 'moderation_cases', 'mc')}
      order by mc.decided_at desc limit 1
    ) why on true)`

function toPost(config: Config, row: PostRow): Post {
  const url = buildPictureUrl(config, row.image_public_id)
  const image = {
    id: row.image_public_id,
    url,
    width: row.width,
    height: row.height,
    thumbhash: row.thumbhash.toString('base64'),
  }
  return {
    $id: row.$id,
    $createdAt: formatIsoTimestamp(row.created_at),
    $updatedAt: formatIsoTimestamp(row.updated_at),
    creator: {
      $id: row.creator_public_id,
      name: row.creator_name,
      username: row.creator_username,
      imageUrl: buildProfilePictureUrl(config, row.creator_name, row.creator_image_id),
      imageId: row.creator_image_id,
    },
    caption: row.caption,
    location: row.location,
    tags: row.tags,
    groupId: row.group_public_id,
    group:
      row.group_public_id === null || row.group_name === null
        ? null
        : { $id: row.group_public_id, name: row.group_name },
    imageUrl: url,
    imageId: row.image_public_id,
    image,
    photos: [
      { ...image, alt: row.alt, ...(row.withheld && { withheld: true as const }) },
      ...(row.others ?? []).map(({ withheld, ...photo }) => ({
        ...photo,
        url: buildPictureUrl(config, photo.id),
        ...(withheld && { withheld: true as const }),
      })),
    ],
    likeCount: row.like_count,
    liked: row.liked,
    saved: row.saved,
    commentCount: row.comment_count,
    commentsFrom: row.comments_from,
    editedAt: row.edited_at && formatIsoTimestamp(row.edited_at),
    ...(row.mentions && { mentions: row.mentions }),
    can: {
      edit: row.may_edit,
      delete: row.may_delete,
      ...(row.may_take_along && { takeAlong: true }),
      ...(row.may_name && { name: true }),
    },
    ...(row.people && { people: row.people.map((named) => toPhotoTag(config, named)) }),
    ...(row.hidden && { hidden: row.hidden }),
    ...(row.creator_visible ? {} : { blocked: true }),
    ...(row.removed && { receipt: toReceipt(row, row.removed) }),
  }
}

const toReceipt = (
  { shared_with, shared_count, shared_at }: PostRow,
  removed: readonly RemovedMetadata[],
): ShareReceipt | null =>
  shared_with && shared_at
    ? {
        with: shared_with,
        count: shared_count,
        at: formatIsoTimestamp(shared_at),
        removed: removedMetadataSchema.options.filter((kind) => removed.includes(kind)),
      }
    : null
