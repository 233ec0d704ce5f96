/**
 * Who may do what: every permission rule of Juntas, on this page.
 *
 * A rule is a condition over two SQL expressions: `me`, the member who asks, and `row`, the row in question. Because both
 * are expressions, one rule filters lists (`visible`), decides one record and one write (`permits`), decides at delivery
 * who hears of a change, and tells the screen what it may offer (both `may`). A condition that comes out null means
 * refused, and a table without rules does not compile.
 *
 * The rules in words and as a table: docs/permissions.md. A block between two members, when it comes, is one more clause
 * in `read` here and then holds in lists, groups, chat, live updates and pictures alike.
 */
import { type Expression, type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Tables } from './database/schema.ts'

export type Truth = RawBuilder<boolean>
export type Me = Expression<number>
export type Row<T extends Guarded> = { readonly [Column in keyof Tables[T]]: Expression<unknown> }
type Rule<T extends Guarded> = (me: Me, row: Row<T>) => Truth

type Rules<T extends Guarded> = {
  read: Rule<T>
  create: Rule<T>
  /** On the row as it stands. */
  update: Rule<T>
  /** On what the write would leave behind: else a post could be moved into a group its author is not in. */
  updated: Rule<T>
  delete: Rule<T>
}

/** The tables nobody reaches but through a rule. */
export type Guarded =
  | 'users'
  | 'files'
  | 'follows'
  | 'posts'
  | 'post_likes'
  | 'saves'
  | 'groups'
  | 'group_members'
  | 'group_requests'
  | 'conversations'
  | 'messages'

export type Action = keyof Rules<Guarded>

const everyone = () => sql<boolean>`true`
/** Only the server writes it, as the effect of something else. */
const nobody = () => sql<boolean>`false`
const is = (left: Expression<unknown>, right: Expression<unknown>): Truth => sql`${left} = ${right}`
const absent = (value: Expression<unknown>): Truth => sql`${value} is null`
const either = (...truths: Truth[]): Truth => sql`(${sql.join(truths, sql` or `)})`
const both = (...truths: Truth[]): Truth => sql`(${sql.join(truths, sql` and `)})`

/**
 * While a write is decided, the row that grants it is locked, so that a membership cannot end between the decision and
 * the commit (security reference M7). Rules are rendered synchronously, which makes this flag safe.
 */
let deciding = false
const lock = () => (deciding ? sql` for share` : sql``)

/**
 * Her account is not closed: who closes it is nowhere to be found from then on (security reference §5.9). Those who did
 * are few, so they are read once and nobody else is looked up. For statements whose sources are the permission.
 */
export const isHere = (member: Expression<unknown>): Truth =>
  sql`${member} not in (select gone.id from users gone join accounts closed on closed.id = gone.account_id
    where closed.status = 'blocked')`
const memberOf = (me: Me, group: Expression<unknown>): Truth =>
  sql`exists (select from group_members gm where gm.group_id = ${group} and gm.user_id = ${me}${lock()})`
const adminOf = (me: Me, group: Expression<unknown>): Truth =>
  sql`exists (select from groups ga where ga.id = ${group} and ga.admin_id = ${me}${lock()})`
const participantOf = (me: Me, conversation: Expression<unknown>): Truth =>
  sql`exists (select from conversations cp where cp.id = ${conversation} and ${me} in (cp.low_id, cp.high_id))`
const writesIn = (me: Me, conversation: Expression<unknown>): Truth =>
  sql`exists (select from conversations cw where cw.id = ${conversation} and ${me} in (cw.low_id, cw.high_id)
    and ${isHere(sql.ref('cw.low_id'))} and ${isHere(sql.ref('cw.high_id'))})`
const readablePost = (me: Me, post: Expression<unknown>): Truth =>
  sql`exists (select from posts rp where rp.id = ${post} and ${rules.posts.read(me, columnsOf<'posts'>('rp'))})`

/** A public post is anybody's; a group's post is its members' (reading R-16). */
const postedWhereSheMay: Rule<'posts'> = (me, post) =>
  both(is(post.creator_id, me), either(absent(post.group_id), memberOf(me, post.group_id)))

export const rules: { [T in Guarded]: Rules<T> } = {
  users: {
    read: (_me, user) => isHere(user.id),
    create: nobody,
    update: (me, user) => is(user.id, me),
    updated: (me, user) => is(user.id, me),
    delete: nobody,
  },
  posts: {
    read: (me, post) =>
      both(
        either(absent(post.group_id), memberOf(me, post.group_id), is(post.creator_id, me)),
        isHere(post.creator_id),
      ),
    create: postedWhereSheMay,
    update: (me, post) => is(post.creator_id, me),
    updated: postedWhereSheMay,
    delete: (me, post) => is(post.creator_id, me),
  },
  post_likes: {
    read: (me, like) => readablePost(me, like.post_id),
    create: (me, like) => both(is(like.user_id, me), readablePost(me, like.post_id)),
    update: nobody,
    updated: nobody,
    delete: (me, like) => both(is(like.user_id, me), readablePost(me, like.post_id)),
  },
  saves: {
    read: (me, save) => is(save.user_id, me),
    create: (me, save) => both(is(save.user_id, me), readablePost(me, save.post_id)),
    update: nobody,
    updated: nobody,
    delete: (me, save) => is(save.user_id, me),
  },
  follows: {
    read: (_me, follow) => both(isHere(follow.follower_id), isHere(follow.following_id)),
    create: (me, follow) => both(is(follow.follower_id, me), isHere(follow.following_id)),
    update: nobody,
    updated: nobody,
    /** The follower unfollows; the followed removes a follower. */
    delete: (me, follow) => either(is(follow.follower_id, me), is(follow.following_id, me)),
  },
  groups: {
    /** Its summary: what it holds is behind the rules of posts and members. */
    read: everyone,
    create: (me, group) => is(group.admin_id, me),
    update: (me, group) => is(group.admin_id, me),
    updated: (me, group) => is(group.admin_id, me),
    delete: (me, group) => is(group.admin_id, me),
  },
  group_members: {
    read: (me, member) =>
      both(either(is(member.user_id, me), memberOf(me, member.group_id)), isHere(member.user_id)),
    create: nobody,
    update: nobody,
    updated: nobody,
    delete: (me, member) => either(is(member.user_id, me), adminOf(me, member.group_id)),
  },
  group_requests: {
    read: (me, request) =>
      both(either(is(request.user_id, me), adminOf(me, request.group_id)), isHere(request.user_id)),
    create: (me, request) => is(request.user_id, me),
    update: (me, request) => both(adminOf(me, request.group_id), isHere(request.user_id)),
    updated: (me, request) => adminOf(me, request.group_id),
    delete: (me, request) => is(request.user_id, me),
  },
  conversations: {
    /** Also with somebody who is gone: what was written is the other's too. */
    read: (me, talk) => either(is(talk.low_id, me), is(talk.high_id, me)),
    create: (me, talk) =>
      both(either(is(talk.low_id, me), is(talk.high_id, me)), isHere(talk.low_id), isHere(talk.high_id)),
    update: (me, talk) => either(is(talk.low_id, me), is(talk.high_id, me)),
    updated: (me, talk) => either(is(talk.low_id, me), is(talk.high_id, me)),
    delete: nobody,
  },
  messages: {
    read: (me, message) => participantOf(me, message.conversation_id),
    create: (me, message) => both(is(message.sender_id, me), writesIn(me, message.conversation_id)),
    /** Its one change, being read, is a mark on the conversation. */
    update: nobody,
    updated: nobody,
    delete: nobody,
  },
  files: {
    /** Profile and group pictures are every member's; a post's picture is as private as the post; the rest is hers. */
    read: (me, file) =>
      either(
        is(file.owner_id, me),
        both(sql`${file.state} = 'attached'`, sql`${file.purpose} = 'user'`, isHere(file.owner_id)),
        both(sql`${file.state} = 'attached'`, sql`${file.purpose} = 'group'`),
        sql`exists (select from posts fp where fp.image_id = ${file.id}
          and ${rules.posts.read(me, columnsOf<'posts'>('fp'))})`,
      ),
    create: (me, file) => is(file.owner_id, me),
    update: (me, file) => is(file.owner_id, me),
    updated: (me, file) => is(file.owner_id, me),
    delete: (me, file) => is(file.owner_id, me),
  },
}

/** `row.caption` → `alias.caption`, for any alias of a guarded table. */
export function columnsOf<T extends Guarded>(alias: string): Row<T> {
  return new Proxy({} as Row<T>, { get: (_, column) => sql.ref(`${alias}.${String(column)}`) })
}

/** The member who asks, as an expression: her key as a parameter. */
export const asMe = (memberId: number): Me => sql<number>`${memberId}::bigint`

/**
 * The table already narrowed to what `me` may read: where every read starts (architecture §1.4). The alias is the
 * table's name.
 */
export function visible<T extends Guarded>(
  db: Kysely<Tables>,
  me: Me,
  table: T,
): SelectQueryBuilder<Tables, T, Record<never, never>> {
  const narrowed = db.selectFrom(table as Guarded).where(mayRead(me, table, table))
  return narrowed as unknown as SelectQueryBuilder<Tables, T, Record<never, never>>
}

/** One rule as a condition, for hand-written SQL over `alias`: what she may read, what the screen may offer. */
export const may = <T extends Guarded>(me: Me, action: Action, table: T, alias: string): Truth =>
  sql<boolean>`coalesce(${rules[table][action](me, columnsOf<T>(alias))}, false)`

/** The read rule as a condition, bare, so that it can be a filter an index answers. */
export const mayRead = <T extends Guarded>(me: Me, table: T, alias: string): Truth =>
  rules[table].read(me, columnsOf<T>(alias))

/**
 * One rule as a condition over `alias`, for the statement that writes: what grants it is locked until the commit.
 */
export function permits<T extends Guarded>(me: Me, action: Action, table: T, alias: string): Truth {
  deciding = true
  try {
    return may(me, action, table, alias)
  } finally {
    deciding = false
  }
}
