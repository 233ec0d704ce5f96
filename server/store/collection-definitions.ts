import { type Expression, type RawBuilder, sql } from 'kysely'
import type { CollectionName } from '#contract/collection-names.ts'
import type { ErrorType } from '#contract/errors.ts'
import { type TableOf, tableOf } from '../database/table-names.ts'
import {
  type AccessRuleAction,
  type ColumnExpressions,
  columnExpressionsOf,
  countAudienceForPostReceipt,
  memberKeyParameter,
  type PolicyTable,
  type SqlCondition,
  selectNotifiableParticipants,
  whereMemberHasAbility,
} from '../policy/index.ts'
import { systemActor, type WriteActor } from './actor.ts'
import type { ColumnValues } from './store-transaction.ts'

/**
 * At delivery, the read rule selects the recipients among the candidates.
 * No rule applies to a deleted row, so the candidates of a deletion are exactly its former readers.
 */
export type ChangeAudience = {
  members?: RawBuilder<number[] | null>
  group?: Expression<unknown>
}

export type PicturePurpose = 'post' | 'user' | 'group' | 'message'

type Definition<T extends PolicyTable> = {
  /**
   * Returns the audience. Without members and a group, it is everyone.
   * @param actor the actor who writes the row
   */
  audience: (row: ColumnExpressions<T>, actor: WriteActor) => ChangeAudience
  /** The members whom a row is about. A recipient blocked from one of them does not receive the deletion. */
  owners?: (row: ColumnExpressions<T>) => Expression<unknown>[]
  /** `image_id` holds a file of this purpose that belongs only to this row. */
  picture?: PicturePurpose
  /** The unique key whose repetition is not an error. */
  uniqueKey?: { constraint: string; column: string }
  /** The columns that a repeated insert changes in the existing row `t`. None by default. */
  repeated?: RawBuilder<unknown>
  /** Whether a repeated insert finds the row `alias`. By default, it always does. */
  wasThere?: (actor: number, alias: string) => SqlCondition
  /** Nullable columns on which the create rule has conditions. */
  references?: readonly (keyof ColumnExpressions<T> & string)[]
  /** The error of a refused create or update, if `user_unauthorized` would be too vague. */
  refusal?: ErrorType
  /** Columns that the server adds to a member's values. */
  filled?: (actor: number, values: ColumnValues) => ColumnValues
  /** The parent is always locked before the row, to keep one lock order. */
  parentLock?: (publicId: string) => RawBuilder<unknown>
  /** The only action that locks the parent. If omitted, every action does. */
  parentLockedFor?: AccessRuleAction
  /** A row of another collection that each new row changes. The same audience receives its change. */
  touches?: {
    collection: CollectionName
    key: (row: ColumnExpressions<T>) => Expression<unknown>
    /** Members blocked from the causing member do not receive the change immediately. */
    causedBy?: (row: ColumnExpressions<T>) => Expression<unknown>
  }
  /** The recorded state of a deleted row, with its `id`, if recording all columns would reveal too much. */
  remains?: (row: ColumnExpressions<T>) => RawBuilder<unknown>
}

export type CollectionDefinition<T extends PolicyTable = PolicyTable> = Definition<T> & { table: T }

const memberArray = (...members: Expression<unknown>[]) =>
  sql<number[]>`array[${sql.join(members)}]::bigint[]`
const arrayOfActor = (actor: WriteActor) =>
  actor === systemActor ? sql<number[]>`array[]::bigint[]` : memberArray(memberKeyParameter(actor))
const lockAuthorOf = (publicId: string) =>
  sql`select from users u
    where u.id = (select t.creator_id from posts t where t.public_id = ${publicId}) for no key update`
const lockPostOf = (publicId: string) =>
  sql`select from posts p
    where p.id = (select t.post_id from comments t where t.public_id = ${publicId}) for no key update`
const lockConversationOf = (publicId: string) =>
  sql`select from conversations c
    where c.id = (select t.conversation_id from messages t where t.public_id = ${publicId}) for no key update`
const lockGroupOf = (table: 'group_members' | 'group_requests') => (publicId: string) =>
  sql`select from groups g
    where g.id = (select t.group_id from ${sql.table(table)} as t where t.public_id = ${publicId}) for no key update`

const collectionDefinitions: { [C in CollectionName]: Definition<TableOf<C>> } = {
  users: {
    audience: () => ({}),
    owners: (user) => [user.id],
    picture: 'user',
  },
  posts: {
    audience: (post) => ({
      members: sql`case when ${post.group_id} is null then null else array[${post.creator_id}]::bigint[] end`,
      group: post.group_id,
    }),
    owners: (post) => [post.creator_id],
    picture: 'post',
    references: ['group_id'],
    refusal: 'group_membership_required',
    // Changing an account's visibility locks the account before its posts.
    parentLock: lockAuthorOf,
    // A post counts its audience when it is created or moved.
    filled: (author, { group_id }) =>
      group_id === undefined
        ? {}
        : { shared_count: countAudienceForPostReceipt(memberKeyParameter(author), group_id) },
  },
  comments: {
    audience: (comment) => {
      const ofPost = (column: RawBuilder<unknown>) =>
        sql<number[]>`(select ${column} from posts cp where cp.id = ${comment.post_id})`
      return {
        members: ofPost(sql`case when cp.group_id is null then null else array[cp.creator_id]::bigint[] end`),
        group: ofPost(sql`cp.group_id`),
      }
    },
    owners: (comment) => [comment.author_id],
    // The recorded state omits the text and its time.
    remains: ({ id, public_id, post_id, parent_id }) =>
      sql`jsonb_build_object('id', ${id}, 'public_id', ${public_id}, 'post_id', ${post_id}, 'parent_id', ${parent_id},
        'within_post', ${post_id})`,
    refusal: 'comments_closed',
    // The author's client chooses the id, so that a retry cannot write twice.
    uniqueKey: { constraint: 'comments_public_id', column: 'public_id' },
    // An edit must not hold the post's lock while it waits for the author's membership.
    parentLock: lockPostOf,
    parentLockedFor: 'delete',
    touches: {
      collection: 'posts',
      key: (comment) => comment.post_id,
      causedBy: (comment) => comment.author_id,
    },
  },
  saves: {
    audience: (save) => ({ members: memberArray(save.user_id) }),
    // A save is always the caller's own, so a refusal means that the post is not readable.
    refusal: 'document_not_found',
    uniqueKey: { constraint: 'saves_pair', column: 'user_id' },
  },
  follows: {
    // Removing a follower notifies nobody.
    audience: (follow, actor) =>
      actor === systemActor
        ? {}
        : {
            members: sql`case when ${follow.following_id} = ${memberKeyParameter(actor)}
              then array[${follow.following_id}]::bigint[] end`,
          },
    owners: (follow) => [follow.follower_id, follow.following_id],
    uniqueKey: { constraint: 'follows_pair', column: 'follower_id' },
  },
  groups: {
    audience: () => ({}),
    picture: 'group',
  },
  groupMembers: {
    audience: (member) => ({ members: memberArray(member.user_id), group: member.group_id }),
    owners: (member) => [member.user_id],
    uniqueKey: { constraint: 'group_members_pair', column: 'group_id' },
    parentLock: lockGroupOf('group_members'),
  },
  groupRequests: {
    audience: (request) => ({
      members: sql`array[${request.user_id}, (select g.admin_id from groups g where g.id = ${request.group_id})]::bigint[]`,
    }),
    owners: (request) => [request.user_id],
    parentLock: lockGroupOf('group_requests'),
  },
  conversations: {
    // Opening a conversation stays private until the first message.
    audience: (conversation, actor) => ({
      members: sql`case when ${conversation.last_message_id} is null then ${arrayOfActor(actor)}
        else ${selectNotifiableParticipants(conversation)} end`,
    }),
    uniqueKey: { constraint: 'conversations_pair', column: 'low_id' },
    filled: (actor, { low_id, high_id }) =>
      low_id === undefined ? {} : { low_opened: low_id === actor, high_opened: high_id === actor },
    repeated: sql`low_opened = t.low_opened or excluded.low_opened, high_opened = t.high_opened or excluded.high_opened`,
    wasThere: (actor, alias) =>
      whereMemberHasAbility(memberKeyParameter(actor), 'find', 'conversations', alias),
  },
  messages: {
    audience: (message) => ({
      members: sql`(select ${selectNotifiableParticipants(columnExpressionsOf<'conversations'>('c'))} from conversations c
        where c.id = ${message.conversation_id})`,
    }),
    picture: 'message',
    references: ['shared_post_id'],
    parentLock: lockConversationOf,
    // The sender's client chooses the id, so that a retry cannot send twice.
    uniqueKey: { constraint: 'messages_public_id', column: 'public_id' },
    touches: { collection: 'conversations', key: (message) => message.conversation_id },
  },
}

export const collectionDefinitionsByName = Object.fromEntries(
  Object.entries(collectionDefinitions).map(([name, definition]) => [
    name,
    { ...definition, table: tableOf(name as CollectionName) },
  ]),
) as { [C in CollectionName]: CollectionDefinition<TableOf<C>> }
