import type { FastifyInstance } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { listShareTargetsOperation, maxListedShareTargets } from '#contract/chat/share-targets.ts'
import type { AppContext } from '../../app-context.ts'
import { sqlUnpreparedStatementComment, toPersonTerm, whereTextContains } from '../../database/text-search.ts'
import { throwFailure } from '../../errors.ts'
import {
  type MemberKeyExpression,
  memberKeyParameter,
  whereMemberHasAbility,
  whereMemberMayRead,
} from '../../policy/index.ts'
import { registerRoute } from '../../route.ts'
import {
  joinPersonSummaryRow,
  type PersonSummaryRecord,
  personSummaryColumns,
  toPersonSummary,
} from '../people/person-summary.ts'

export function registerShareTargetRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(
    app,
    context,
    listShareTargetsOperation,
    async ({ postId, term: typed = '' }, { me, lists, config }) =>
      lists(me.id, async (db) => {
        const term = toPersonTerm(typed)
        const meParam = memberKeyParameter(me.id)
        const post = await sql<{ group: number | null }>`
          select case when ${whereMemberHasAbility(meParam, 'readPosts', 'groups', 'g')} then g.id end as "group"
          from posts p left join groups g on g.id = p.group_id
          where p.public_id = ${postId} and ${whereMemberMayRead(meParam, 'posts', 'p')}`.execute(db)
        const [found] = post.rows
        if (!found) return throwFailure('document_not_found')
        const people = term === '' ? selectRecentOthers(meParam) : selectFound(meParam, term)
        const { rows } = await sql<
          PersonSummaryRecord & { in_group: boolean | null }
        >`${sqlUnpreparedStatementComment}
          select ${personSummaryColumns}, (
            select ${whereMemberHasAbility(sql.ref<number>('person.id'), 'readPosts', 'groups', 'g')}
            from groups g where g.id = ${found.group}::bigint) as in_group
          from (${people}) target ${joinPersonSummaryRow(sql.ref('target.id'))}
          order by target.at desc, target.id desc limit ${maxListedShareTargets}`.execute(db)
        return {
          documents: rows.map((row) => ({ person: toPersonSummary(config, row), inGroup: row.in_group })),
        }
      }),
  )
}

function selectRecentOthers(me: MemberKeyExpression): RawBuilder<unknown> {
  const newestAs = (mine: 'low_id' | 'high_id', other: 'low_id' | 'high_id') => sql`(
    select c.${sql.ref(other)} as id, c.updated_at as at from conversations c
    where c.${sql.ref(mine)} = ${me} and c.last_message_id is not null and ${whereMemberMayRead(me, 'conversations', 'c')}
      and ${whereMemberHasAbility(me, 'list', 'conversations', 'c')} and ${whereMemberHasAbility(me, 'write', 'conversations', 'c')}
    order by c.updated_at desc, c.id desc limit ${maxListedShareTargets})`
  return sql`${newestAs('low_id', 'high_id')} union all ${newestAs('high_id', 'low_id')}`
}

const selectFound = (me: MemberKeyExpression, term: string): RawBuilder<unknown> => sql`
  select u.id, u.created_at as at from users u
  where ${whereTextContains(sql`u.name_folded || ' ' || u.username_folded`, term)}
    and (${whereTextContains(sql.ref('u.name_folded'), term)} or ${whereTextContains(sql.ref('u.username_folded'), term)})
    and ${whereMemberMayRead(me, 'users', 'u')} and ${whereMemberHasAbility(me, 'beFound', 'users', 'u')} and u.id <> ${me}
  order by u.created_at desc, u.id desc limit ${maxListedShareTargets}`
