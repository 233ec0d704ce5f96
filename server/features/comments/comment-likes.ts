import { sql } from 'kysely'
import { throwFailure } from '../../errors.ts'
import { memberKeyParameter, whereMemberMayWrite } from '../../policy/index.ts'
import type { StoreTransaction } from '../../store/store-transaction.ts'

/**
 * The comment is locked, so that the trigger counts exactly.
 * @throws Failure document_not_found if the caller cannot read the comment
 */
export async function setCommentLike(
  tx: StoreTransaction,
  me: number,
  commentId: string,
  liked: boolean,
): Promise<number> {
  const meParam = memberKeyParameter(me)
  const change = liked
    ? sql`insert into comment_likes (comment_id, user_id) select id, ${meParam} from comment on conflict do nothing returning comment_id`
    : sql`delete from comment_likes l using comment where l.comment_id = comment.id and l.user_id = ${meParam} returning l.comment_id`
  const comment = await tx.recordChangeIn(
    'comments',
    sql`comment as materialized (
        select c.* from comments c
          cross join lateral (select c.id as comment_id, ${meParam} as user_id) as comment_like
        where c.public_id = ${commentId}
          and ${whereMemberMayWrite(meParam, liked ? 'create' : 'delete', 'comment_likes', 'comment_like')}
        for no key update of c
      ), changed as (${change}), written as (select comment.* from comment join changed on changed.comment_id = comment.id)`,
    sql<{ like_count: number }>`
      comment.like_count ${liked ? sql`+` : sql`-`} (select count(*)::int from changed) as like_count from comment`,
    me,
  )
  return comment?.like_count ?? throwFailure('document_not_found')
}
