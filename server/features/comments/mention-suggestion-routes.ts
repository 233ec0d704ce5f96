/** Suggestions include only members who can see the text. */
import type { FastifyInstance } from 'fastify'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { listMentionablePeopleOperation, maxMentionablePeople } from '#contract/comments/mentions.ts'
import type { AppContext } from '../../app-context.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { sqlUnpreparedStatementComment, whereTextContains } from '../../database/text-search.ts'
import { throwFailure } from '../../errors.ts'
import {
  type MemberKeyExpression,
  memberKeyParameter,
  selectFollowedMemberKeys,
  whereCommentShown,
  whereMayNameMember,
  whereMemberHasAbility,
  whereMemberMayRead,
  whereMentionShown,
} from '../../policy/index.ts'
import { registerRoute } from '../../route.ts'
import { hydratePeople } from '../people/hydrate-people.ts'

/** Limits how many of the newest comments are read. Only comments that the caller sees count. */
const maxThreadComments = 200

/** Where the text appears: under a post, in a group, or to the followers of a member. */
type Scope = { post: number | null; group: number | null; followersOf: number | null }

export function registerMentionSuggestionRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(
    app,
    context,
    listMentionablePeopleOperation,
    async ({ term, postId, groupId }, { me, lists, config }) => {
      if (term === '') return { documents: [] }
      return lists(me.id, async (db) => {
        const scope = await findScope(db, me.id, postId, groupId)
        if (!scope) return throwFailure('document_not_found')
        const { rows } = await selectMentionablePeople(memberKeyParameter(me.id), term, scope).execute(db)
        const keys = rows.map(({ id }) => id)
        return { documents: await hydratePeople(db, config, me.id, keys, { counts: false }) }
      })
    },
  )
}

async function findScope(
  db: Kysely<DatabaseTables>,
  me: number,
  postId: string | undefined,
  groupId: string | undefined,
): Promise<Scope | undefined> {
  const meParam = memberKeyParameter(me)
  const from =
    postId !== undefined
      ? sql`select p.id as post, p.group_id as "group", case when p.followers_only then p.creator_id end as "followersOf"
          from posts p where p.public_id = ${postId} and ${whereMemberMayRead(meParam, 'posts', 'p')}`
      : groupId !== undefined
        ? sql`select null::bigint as post, g.id as "group", null::bigint as "followersOf"
            from groups g where g.public_id = ${groupId} and ${whereMemberHasAbility(meParam, 'post', 'groups', 'g')}`
        : sql`select null::bigint as post, null::bigint as "group", case when u.is_private then u.id end as "followersOf"
            from users u where u.id = ${meParam}`
  const { rows } = await sql<Scope>`${from}`.execute(db)
  return rows[0]
}

function selectMentionablePeople(
  me: MemberKeyExpression,
  term: string,
  { post, group, followersOf }: Scope,
): RawBuilder<{ id: number }> {
  const isNamed = sql`(${whereTextContains(sql.ref('u.name_folded'), term)} or ${whereTextContains(sql.ref('u.username_folded'), term)})`
  const maySee =
    post === null
      ? sql`true`
      : sql`exists (select from posts p where p.id = ${post}
          and ${whereMentionShown(me, sql.ref<number>('u.id'), 'p')})`
  const isMember =
    group === null
      ? sql`true`
      : sql`exists (select from group_members gm where gm.group_id = ${group} and gm.user_id = u.id)`
  const isFollower =
    followersOf === null
      ? sql`true`
      : sql`(u.id = ${followersOf} or exists (select from follows fo where fo.follower_id = u.id and fo.following_id = ${followersOf}))`
  const may = sql`u.id <> ${me} and ${whereMemberMayRead(me, 'users', 'u')} and ${isNamed} and ${isMember} and ${isFollower} and ${maySee}`
  const source = (place: number, members: RawBuilder<unknown>, where = may) =>
    sql`(select u.id, ${sql.lit(place)} as place, u.name from ${members} as among join users u on u.id = among.id
      where ${where} limit ${sql.lit(maxMentionablePeople)})`
  const inThread = sql`(select p.creator_id as id from posts p where p.id = ${post} union select c.author_id from (
    select t.author_id from comments t where t.post_id = ${post} and ${whereCommentShown(me, 't')}
    order by t.id desc limit ${sql.lit(maxThreadComments)}) c)`
  const others =
    group !== null
      ? sql`(select user_id as id from group_members where group_id = ${group})`
      : followersOf !== null
        ? sql`(select follower_id as id from follows where following_id = ${followersOf})`
        : undefined
  const isListed = sql`${may} and ${whereMemberHasAbility(me, 'beFound', 'users', 'u')}`
  return sql<{ id: number }>`${sqlUnpreparedStatementComment}
    select found.id from (
      select id, min(place) as place, min(name) as name from (
        ${source(1, inThread)} union all ${source(2, selectFollowedMemberKeys(me))} union all ${
          others
            ? source(
                3,
                others,
                followersOf === null ? may : sql`${may} and ${whereMayNameMember(me, sql.ref('u.id'))}`,
              )
            : sql`(select u.id, 3 as place, u.name from users u where ${isListed} limit ${sql.lit(maxMentionablePeople)})`
        }
      ) as sources group by id
    ) found order by found.place, lower(found.name), found.id limit ${sql.lit(maxMentionablePeople)}`
}
