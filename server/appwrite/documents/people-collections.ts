import { sql } from 'kysely'
import * as fields from '#contract/field-schemas.ts'
import { hideKeyArrayLengthFromPlanner } from '#server/database/prepared-statements.ts'
import {
  countReadablePostsOutsideGroups,
  type MemberKeyExpression,
  whereMayListPost,
  whereMemberHasAbility,
  whereMemberMayRead,
} from '#server/policy/index.ts'
import { buildAppwriteProfilePictureUrl } from '../picture-urls.ts'
import { createQueryableOwnAccountId, createQueryableOwnEmail } from '../queries/queryable-attributes.ts'
import {
  createdAtFieldDefinition,
  type DocumentDefinition,
  type DocumentFieldDefinition,
  type DocumentRelation,
  defineActorIdField,
  definePictureField,
  defineReferenceField,
  defineTextField,
  documentRowColumn,
  serverDerivedWriteRule,
} from './field-definitions.ts'

const ownAccountField = (column: 'public_id' | 'email') => ({
  read: (me: MemberKeyExpression) =>
    sql`case when t.id = ${me} then (select a.${sql.ref(column)} from accounts a where a.id = t.account_id) end`,
  show: (value: unknown) => value ?? undefined,
})

const ownMarksRelation = (
  marks: 'saves' | 'post_likes',
  child: 'id' | 'post_id',
): Pick<DocumentRelation, 'ownOnly' | 'edges' | 'total'> => ({
  ownOnly: true,
  edges: (me, _own, most) => sql`
    select ${me} as parent, m.${sql.ref(child)} as child from ${sql.table(marks)} as m join posts p on p.id = m.post_id
    where m.user_id = ${me} and ${whereMayListPost(me, 'p')}
    order by m.created_at desc, m.post_id desc limit ${most}`,
  total: (me) => sql`
    case when t.id = ${me} then (
      select count(*) from ${sql.table(marks)} as m join posts p on p.id = m.post_id
      where m.user_id = ${me} and ${whereMayListPost(me, 'p')}) end`,
})

const listField = (relation: DocumentRelation): DocumentFieldDefinition => ({
  relation,
  write: { as: 'refused' },
})

export const userDocumentDefinition: DocumentDefinition = {
  hasUpdatedAt: true,
  indexedOrders: ['$createdAt'],
  limit: 'write',
  listFilter: (me) => whereMemberHasAbility(me, 'beFound', 'users', 't'),
  fields: {
    accountId: {
      ...ownAccountField('public_id'),
      query: createQueryableOwnAccountId(documentRowColumn('id')),
      write: { as: 'kept' },
    },
    email: {
      ...ownAccountField('email'),
      query: createQueryableOwnEmail(documentRowColumn('id')),
      write: { as: 'kept' },
    },
    name: defineTextField('name', { shape: fields.personNameSchema }),
    username: defineTextField('username', { shape: fields.usernameSchema, fixed: true }),
    bio: defineTextField('bio', { shape: fields.bioSchema, blank: '' }),
    imageUrl: {
      read: () => sql`array[t.name, (select f.public_id::text from files f where f.id = t.image_id)]`,
      // The name is null if a change concerns a hidden member.
      show: (value, config) => {
        const [name, imageId] = value as [string | null, string | null]
        return name === null ? null : buildAppwriteProfilePictureUrl(config, name, imageId)
      },
      write: serverDerivedWriteRule,
    },
    imageId: definePictureField(false),
    posts: listField({
      target: 'posts',
      inverse: 'creator',
      edges: (me, parents, most) => sql`
        select author.id as parent, newest.id as child
        from unnest(${hideKeyArrayLengthFromPlanner(parents)}) as author (id), lateral (
          select p.id, p.created_at from posts p where p.creator_id = author.id and ${whereMemberMayRead(me, 'posts', 'p')}
          order by p.created_at desc, p.id desc limit ${most}
        ) newest order by newest.created_at desc, newest.id desc`,
      total: (me) => sql`
        ${countReadablePostsOutsideGroups(me, 't')} + (select count(*) from posts p where p.creator_id = t.id and p.group_id is not null
          and ${whereMemberMayRead(me, 'posts', 'p')})`,
    }),
    save: listField({ target: 'saves', inverse: 'user', ...ownMarksRelation('saves', 'id') }),
    liked: listField({ target: 'posts', ...ownMarksRelation('post_likes', 'post_id') }),
  },
}

export const followEdgeDocumentDefinition: DocumentDefinition = {
  hasUpdatedAt: false,
  indexedOrders: [],
  narrowedBy: ['followerId', 'followingId'],
  limit: 'follow',
  fields: {
    followerId: defineActorIdField('follower_id'),
    followingId: defineReferenceField('following_id', 'users', { fixed: true }),
    createdAt: createdAtFieldDefinition,
  },
}

export const requestedFollowFieldDefinitions: DocumentDefinition['fields'] = {
  followerId: defineActorIdField('asker_id'),
  followingId: defineReferenceField('asked_id', 'users', { fixed: true }),
  createdAt: createdAtFieldDefinition,
}
