/**
 * The nine collections: which table holds each, who may hear of its changes, which picture it owns, and which pair makes
 * a repeated creation return the row that is there (readings D-01, D-03).
 */
import { type Expression, type RawBuilder, type Selectable, sql } from 'kysely'
import type { ErrorType } from '#contract/errors.ts'
import type { Actor } from './actor.ts'
import type { Tables } from './database/schema.ts'
import {
  groupCreated,
  groupRemoving,
  groupUpdated,
  memberAdmitted,
  memberLeaving,
  requestDecided,
  requestWithdrawn,
} from './group-effects.ts'
import type { Guarded, Row } from './policy.ts'
import { postMoved } from './post-effects.ts'
import type { Writing } from './store.ts'

export type CollectionName =
  | 'users'
  | 'posts'
  | 'saves'
  | 'follows'
  | 'groups'
  | 'groupMembers'
  | 'groupRequests'
  | 'conversations'
  | 'messages'

/**
 * Candidates to hear of a change; the read rule decides among them at delivery (architecture §14.3–4). For a deleted row
 * no rule can be asked any more, so the candidates of a delete are exactly those who could read it.
 */
export type Audience = {
  /** An array of member keys, or absent. */
  members?: RawBuilder<number[] | null>
  /** A group's key, or null. */
  group?: Expression<unknown>
}

export type Collection<T extends Guarded = Guarded> = {
  table: T
  /** `everyone` with neither members nor group. */
  audience: (row: Row<T>) => Audience
  /** `image_id` holds a file that belongs to the row alone, for this purpose. */
  picture?: 'post' | 'user' | 'group'
  /** The unique key, of a pair or the id, whose repetition is no error: its constraint and one of its columns. */
  pair?: { constraint: string; column: string }
  /** What a refused create or update is called, where `user_unauthorized` would say too little. */
  refused?: ErrorType
  /** Locks the row that must be locked before the one with this id: one lock order everywhere (architecture §14.7). */
  above?: (publicId: string) => RawBuilder<unknown>
  /** The row of another collection that changes with each new one, and is told with it. */
  touches?: { collection: CollectionName; key: (row: Row<T>) => Expression<unknown> }
  /** What a write brings with it, in the same transaction and whichever door asked. */
  effects?: {
    created?(writing: Writing, row: RowOfTable<T>): Promise<void>
    updated?(writing: Writing, before: RowOfTable<T>, after: RowOfTable<T>): Promise<void>
    /** Before the row goes. */
    removing?(writing: Writing, row: RowOfTable<T>, actor: Actor): Promise<void>
  }
}

type RowOfTable<T extends Guarded> = Selectable<Tables[T]>

const of = <T extends Guarded>(collection: Collection<T>) => collection
const only = (...members: Expression<unknown>[]) => sql<number[]>`array[${sql.join(members)}]::bigint[]`
const groupOf = (table: 'group_members' | 'group_requests') => (publicId: string) =>
  sql`select from groups g
    where g.id = (select t.group_id from ${sql.table(table)} as t where t.public_id = ${publicId}) for no key update`

export const collections = {
  users: of<'users'>({
    table: 'users',
    audience: () => ({}),
    picture: 'user',
  }),
  posts: of<'posts'>({
    table: 'posts',
    audience: (post) => ({
      members: sql`case when ${post.group_id} is null then null else array[${post.creator_id}]::bigint[] end`,
      group: post.group_id,
    }),
    picture: 'post',
    refused: 'group_membership_required',
    effects: { updated: postMoved },
  }),
  saves: of<'saves'>({
    table: 'saves',
    audience: (save) => ({ members: only(save.user_id) }),
    // The mark is always her own, so what refuses it is a post out of her sight.
    refused: 'document_not_found',
    pair: { constraint: 'saves_pair', column: 'user_id' },
  }),
  follows: of<'follows'>({
    table: 'follows',
    audience: () => ({}),
    pair: { constraint: 'follows_pair', column: 'follower_id' },
  }),
  groups: of<'groups'>({
    table: 'groups',
    audience: () => ({}),
    picture: 'group',
    effects: { created: groupCreated, updated: groupUpdated, removing: groupRemoving },
  }),
  groupMembers: of<'group_members'>({
    table: 'group_members',
    audience: (member) => ({ members: only(member.user_id), group: member.group_id }),
    pair: { constraint: 'group_members_pair', column: 'group_id' },
    above: groupOf('group_members'),
    effects: { created: memberAdmitted, removing: memberLeaving },
  }),
  groupRequests: of<'group_requests'>({
    table: 'group_requests',
    audience: (request) => ({
      members: sql`array[${request.user_id}, (select g.admin_id from groups g where g.id = ${request.group_id})]::bigint[]`,
    }),
    above: groupOf('group_requests'),
    effects: { updated: requestDecided, removing: requestWithdrawn },
  }),
  conversations: of<'conversations'>({
    table: 'conversations',
    audience: (talk) => ({ members: only(talk.low_id, talk.high_id) }),
    pair: { constraint: 'conversations_pair', column: 'low_id' },
  }),
  messages: of<'messages'>({
    table: 'messages',
    audience: (message) => ({
      members: sql`(select array[c.low_id, c.high_id] from conversations c where c.id = ${message.conversation_id})`,
    }),
    // The sender's client chooses the id, so that a retry cannot send twice.
    pair: { constraint: 'messages_public_id', column: 'public_id' },
    touches: { collection: 'conversations', key: (message) => message.conversation_id },
  }),
} as const satisfies Record<CollectionName, { table: Guarded }>

export type TableOf<C extends CollectionName> = (typeof collections)[C]['table']
