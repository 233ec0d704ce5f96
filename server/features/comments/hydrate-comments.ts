/**
 * Removed and hidden comments both appear as tombstones, so that the post's author cannot tell them apart.
 */
import { type Kysely, sql } from 'kysely'
import type { Comment } from '#contract/comments/comments.ts'
import type { Mention } from '#contract/field-schemas.ts'
import type { Config } from '../../config.ts'
import { formatIsoTimestamp } from '../../database/iso-timestamp.ts'
import { hideKeyArrayLengthFromPlanner } from '../../database/prepared-statements.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import {
  memberKeyParameter,
  whereAccessRuleAllows,
  whereCommentShown,
  whereMemberHasAbility,
} from '../../policy/index.ts'
import {
  joinPersonSummaryRow,
  type PersonSummaryRecord,
  personSummaryColumns,
  toPersonSummary,
} from '../people/person-summary.ts'
import { selectShownMentions } from './select-shown-mentions.ts'

type CommentRow = PersonSummaryRecord & {
  $id: string
  created_at: Date
  post_public_id: string
  parent_public_id: string | null
  content: string
  like_count: number
  liked: boolean
  edited: boolean
  mentions: Mention[] | null
  shown: boolean
  may_edit: boolean
  may_delete: boolean
}

/** @param keys of comments under posts that `me` may read */
export async function hydrateComments(
  db: Kysely<DatabaseTables>,
  config: Config,
  me: number,
  keys: readonly number[],
): Promise<Comment[]> {
  if (keys.length === 0) return []
  const meParam = memberKeyParameter(me)
  const { rows } = await sql<CommentRow>`
    select c.public_id as "$id", c.created_at, p.public_id as post_public_id, thread.public_id as parent_public_id,
      c.content, c.like_count, c.edited_at is not null as edited, ${personSummaryColumns},
      ${selectShownMentions(meParam, { text: 'c.content', post: 'p', comment: 'c' })} as mentions,
      exists (select from comment_likes l where l.comment_id = c.id and l.user_id = ${meParam}) as liked,
      ${whereCommentShown(meParam, 'c')} as shown, ${whereMemberHasAbility(meParam, 'edit', 'comments', 'c')} as may_edit,
      ${whereAccessRuleAllows(meParam, 'delete', 'comments', 'c')} as may_delete
    from unnest(${hideKeyArrayLengthFromPlanner(keys)}) with ordinality as wanted (id, position)
    join comments c on c.id = wanted.id
    join posts p on p.id = c.post_id
    left join comments thread on thread.id = c.parent_id
    ${joinPersonSummaryRow(sql`c.author_id`)}
    order by wanted.position`.execute(db)
  return rows.map((row) => toComment(config, row))
}

function toComment(config: Config, row: CommentRow): Comment {
  const place = { $id: row.$id, postId: row.post_public_id, parentId: row.parent_public_id }
  if (!row.shown) {
    return {
      ...place,
      $createdAt: null,
      author: null,
      content: '',
      likeCount: 0,
      liked: false,
      edited: false,
      removed: true,
      can: { edit: false, delete: row.may_delete },
    }
  }
  return {
    ...place,
    $createdAt: formatIsoTimestamp(row.created_at),
    author: toPersonSummary(config, row),
    content: row.content,
    likeCount: row.like_count,
    liked: row.liked,
    edited: row.edited,
    removed: false,
    ...(row.mentions && { mentions: row.mentions }),
    can: { edit: row.may_edit, delete: row.may_delete },
  }
}
