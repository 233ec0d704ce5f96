import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import * as fields from '#contract/field-schemas.ts'
import { maxPostPhotos } from '#contract/limits.ts'
import { allowedCommentersSchema } from '#contract/posts/posts.ts'
import { formatIsoTimestamp } from '#server/database/iso-timestamp.ts'
import { hideKeyArrayLengthFromPlanner } from '#server/database/prepared-statements.ts'
import { setPostLike } from '#server/features/posts/like-and-save-routes.ts'
import { selectPostPhotos } from '#server/features/posts/post-photos.ts'
import {
  countReadableComments,
  type MemberKeyExpression,
  whereMayListPost,
  whereMayReadLikers,
  whereMemberMayRead,
  whereOnPlacePage,
  wherePhotoShown,
  wherePostCreatorOpenAndUnblocked,
} from '#server/policy/index.ts'
import { buildAppwriteFilePreviewUrl } from '../picture-urls.ts'
import {
  createConditionallyQueryableText,
  createQueryableReference,
  createQueryableTextList,
} from '../queries/queryable-attributes.ts'
import {
  createRowKeyFinder,
  type DocumentDefinition,
  definePictureField,
  defineReferenceField,
  defineTextField,
  documentRowColumn,
  publicIdSubquery,
  serverDerivedWriteRule,
  type UpdateOwnListEntry,
} from './field-definitions.ts'

/** Ignores other members' entries in the list. */
const updateOwnLike: UpdateOwnListEntry = async (tx, me, { id, given }) => {
  await setPostLike(tx, me.id, id, given.includes(me.publicId))
}

/** Lists visible photos, cover first. Empty for a hidden post. */
const listPhotos = (me: MemberKeyExpression, value: RawBuilder<unknown>) =>
  sql`array(select ${value} from ${selectPostPhotos('t')} shown
    where shown.file_id is not null and ${wherePhotoShown(me, 'shown', 't')} order by shown.position)`

const listPhotoIds = (me: MemberKeyExpression) =>
  listPhotos(me, sql`(select f.public_id::text from files f where f.id = shown.file_id)`)

/** Replaces the creation time, which would reveal who is at the place now. */
const sinceAtPlace = sql`(select pt.since from post_topics pt where pt.post_id = t.id and pt.kind = 'place')`

const imageIdsShape = z.array(fields.publicIdSchema).check(z.maxLength(maxPostPhotos))
const imageAltsShape = z.array(fields.altTextSchema).check(z.maxLength(maxPostPhotos))

export const postDocumentDefinition: DocumentDefinition = {
  hasUpdatedAt: true,
  indexedOrders: ['$createdAt', '$updatedAt'],
  limit: 'post',
  /** A group's admin can read a post despite a block, but its creator would be null. */
  listFilter: (me) => wherePostCreatorOpenAndUnblocked(me, 't'),
  fields: {
    creator: {
      read: () => documentRowColumn('creator_id'),
      relation: { target: 'users', inverse: 'posts' },
      query: createQueryableReference(documentRowColumn('creator_id'), 'users'),
      write: { as: 'actor', column: 'creator_id', missing: 'post_invalid_user' },
    },
    caption: defineTextField('caption', { shape: fields.captionSchema }),
    imageUrl: {
      read: () => publicIdSubquery('files', documentRowColumn('image_id')),
      // The id is null if a change concerns a hidden post.
      show: (id, config) => (id === null ? null : buildAppwriteFilePreviewUrl(config, id as string)),
      write: serverDerivedWriteRule,
    },
    imageId: definePictureField(true),
    imageIds: {
      read: listPhotoIds,
      write: { as: 'value', column: 'image_ids', shape: imageIdsShape, blank: [] },
    },
    imageUrls: {
      read: listPhotoIds,
      show: (ids, config) =>
        (ids as (string | null)[]).map((id) => id && buildAppwriteFilePreviewUrl(config, id)),
      write: serverDerivedWriteRule,
    },
    imageAlts: {
      read: (me) => listPhotos(me, sql`shown.alt`),
      write: { as: 'value', column: 'image_alts', shape: imageAltsShape, blank: [] },
    },
    location: {
      ...defineTextField('location', { shape: fields.locationSchema }),
      query: createConditionallyQueryableText(
        documentRowColumn('location'),
        documentRowColumn('location_folded'),
        (me) => whereOnPlacePage(me, 't', sinceAtPlace),
      ),
    },
    tags: {
      read: () => documentRowColumn('tags'),
      query: createQueryableTextList(documentRowColumn('tags'), documentRowColumn('tags_folded')),
      write: { as: 'value', column: 'tags', shape: fields.tagsSchema, blank: [] },
    },
    groupId: defineReferenceField('group_id', 'groups', {
      nullable: true,
      find: createRowKeyFinder('groups', 'group_membership_required'),
    }),
    commentCount: { read: (me) => countReadableComments(me, 't'), write: serverDerivedWriteRule },
    commentsFrom: {
      read: () => documentRowColumn('comments_from'),
      write: { as: 'value', column: 'comments_from', shape: allowedCommentersSchema, blank: undefined },
    },
    editedAt: {
      read: () => documentRowColumn('edited_at'),
      show: (time) => (time === null ? null : formatIsoTimestamp(time as Date)),
      write: serverDerivedWriteRule,
    },
    likes: {
      relation: {
        target: 'users',
        // The reader's own like is always included, because clients look for it.
        edges: (me, parents, most) => sql`
          select post.id as parent, l.user_id as child
          from unnest(${hideKeyArrayLengthFromPlanner(parents)}) as asked (id) join posts post on post.id = asked.id, lateral (
            (select liked.user_id, liked.created_at from post_likes liked join users liker on liker.id = liked.user_id
             where liked.post_id = post.id and ${whereMayReadLikers(me, 'post')} and ${whereMemberMayRead(me, 'users', 'liker')}
             order by liked.created_at desc, liked.user_id desc limit ${most})
            union select user_id, created_at from post_likes where post_id = post.id and user_id = ${me}
          ) l order by l.created_at desc, l.user_id desc`,
        total: () => sql`t.like_count`,
      },
      write: { as: 'link', link: updateOwnLike },
    },
  },
}

export const savedPostDocumentDefinition: DocumentDefinition = {
  hasUpdatedAt: false,
  limit: 'like',
  listFilter: (me) =>
    sql`exists (select from posts p where p.id = t.post_id and ${whereMayListPost(me, 'p')})`,
  fields: {
    user: {
      read: () => documentRowColumn('user_id'),
      relation: { target: 'users', inverse: 'save' },
      query: createQueryableReference(documentRowColumn('user_id'), 'users'),
      write: { as: 'actor', column: 'user_id' },
    },
    post: {
      read: () => documentRowColumn('post_id'),
      relation: { target: 'posts' },
      query: createQueryableReference(documentRowColumn('post_id'), 'posts'),
      write: { as: 'reference', column: 'post_id', find: createRowKeyFinder('posts'), fixed: true },
    },
  },
}
