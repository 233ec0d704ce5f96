import { type RawBuilder, sql } from 'kysely'
import type { Mention } from '#contract/field-schemas.ts'
import { type MemberKeyExpression, whereMentionShown } from '../../policy/index.ts'

/**
 * @param of.comment the alias of the comment that contains the text; by default, the text is the post's
 * caption
 */
export const selectShownMentions = (
  me: MemberKeyExpression,
  { text, post, comment }: { text: string; post: string; comment?: string },
): RawBuilder<Mention[] | null> => sql`case when ${sql.ref(text)} like '%@%' then (
  select json_agg(json_build_object('$id', mu.public_id, 'username', mu.username) order by mu.id)
  from mentions mn join users mu on mu.id = mn.user_id
  where mn.post_id = ${sql.ref(`${post}.id`)}
    and ${comment === undefined ? sql`mn.comment_id is null` : sql`mn.comment_id = ${sql.ref(`${comment}.id`)}`}
    and ${whereMentionShown(me, sql.ref<number>('mu.id'), post)}) end`
