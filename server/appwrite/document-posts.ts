/** Posts and who keeps them, as documents (spec §3 Post, Save). */
import { sql } from 'kysely'
import * as fields from '#contract/fields.ts'
import { unseen } from '../database/statements.ts'
import { setLike } from '../features/likes.ts'
import { mayRead } from '../policy.ts'
import { pictureUrl } from '../views.ts'
import {
  type DocumentCollection,
  derived,
  findIn,
  idOf,
  type Link,
  pictureId,
  reference,
  t,
  text,
} from './document-fields.ts'
import { reference as referenceQuery, texts } from './query-conditions.ts'

/** Whatever the list a client sends, only her own like changes (reading D-05). */
const like: Link = async (writing, me, { id, given }) => {
  await setLike(writing, me.id, id, given.includes(me.publicId))
}

export const posts: DocumentCollection = {
  name: 'posts',
  table: 'posts',
  edited: true,
  limit: 'post',
  fields: {
    creator: {
      read: () => t('creator_id'),
      relation: { target: 'users', inverse: 'posts' },
      query: referenceQuery(t('creator_id'), 'users'),
      write: { as: 'actor', column: 'creator_id', missing: 'post_invalid_user' },
    },
    caption: text('caption', { shape: fields.caption }),
    imageUrl: {
      read: () => idOf('files', t('image_id')),
      // Null where all that is told of a post is that it is out of sight.
      show: (id, config) => (id === null ? null : pictureUrl(config, id as string)),
      write: derived,
    },
    imageId: pictureId(true),
    location: text('location', { shape: fields.location }),
    tags: {
      read: () => t('tags'),
      query: texts(t('tags')),
      write: { as: 'value', column: 'tags', shape: fields.tags, blank: [] },
    },
    groupId: reference('group_id', 'groups', {
      nullable: true,
      find: findIn('groups', 'group_membership_required'),
    }),
    likes: {
      relation: {
        target: 'users',
        // Newest first, and the reader's own always among them: clients look for themselves in the list.
        edges: (me, parents, most) => sql`
          select post.id as parent, l.user_id as child from unnest(${unseen(parents)}) as post (id), lateral (
            (select user_id, created_at from post_likes where post_id = post.id
             order by created_at desc, user_id desc limit ${most})
            union select user_id, created_at from post_likes where post_id = post.id and user_id = ${me}
          ) l order by l.created_at desc, l.user_id desc`,
        total: () => sql`t.like_count`,
      },
      write: { as: 'link', link: like },
    },
  },
}

export const saves: DocumentCollection = {
  name: 'saves',
  table: 'saves',
  edited: false,
  limit: 'like',
  /** The mark on a post she cannot read any more stays, and is hidden (reading R-05). */
  listed: (me) => sql`exists (select from posts p where p.id = t.post_id and ${mayRead(me, 'posts', 'p')})`,
  fields: {
    user: {
      read: () => t('user_id'),
      relation: { target: 'users', inverse: 'save' },
      query: referenceQuery(t('user_id'), 'users'),
      write: { as: 'actor', column: 'user_id' },
    },
    post: {
      read: () => t('post_id'),
      relation: { target: 'posts' },
      query: referenceQuery(t('post_id'), 'posts'),
      write: { as: 'reference', column: 'post_id', find: findIn('posts'), fixed: true },
    },
  },
}
