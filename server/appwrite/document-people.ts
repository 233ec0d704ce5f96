/** Members and who follows whom, as documents (spec §3 User, Follow). */
import { sql } from 'kysely'
import * as fields from '#contract/fields.ts'
import { unseen } from '../database/statements.ts'
import { type Me, mayRead } from '../policy.ts'
import { portraitUrl } from '../views.ts'
import {
  actor,
  creationTime,
  type DocumentCollection,
  derived,
  type Field,
  pictureId,
  type Relation,
  reference,
  t,
  text,
} from './document-fields.ts'
import { herAccountId, herEmail } from './query-conditions.ts'

/** Sent to herself alone: absent from every other document (reading R-11). */
const ownOnly = (column: 'public_id' | 'email') => ({
  read: (me: Me) =>
    sql`case when t.id = ${me} then (select a.${sql.ref(column)} from accounts a where a.id = t.account_id) end`,
  show: (value: unknown) => value ?? undefined,
})

/** What only a profile's owner finds in it (reading D-04). */
const ownMarks = (
  marks: 'saves' | 'post_likes',
  child: 'id' | 'post_id',
): Pick<Relation, 'ownOnly' | 'edges' | 'total'> => ({
  ownOnly: true,
  edges: (me, _own, most) => sql`
    select ${me} as parent, m.${sql.ref(child)} as child from ${sql.table(marks)} as m join posts p on p.id = m.post_id
    where m.user_id = ${me} and ${mayRead(me, 'posts', 'p')}
    order by m.created_at desc, m.post_id desc limit ${most}`,
  total: (me) => sql`
    case when t.id = ${me} then (
      select count(*) from ${sql.table(marks)} as m join posts p on p.id = m.post_id
      where m.user_id = ${me} and ${mayRead(me, 'posts', 'p')}) end`,
})

const list = (relation: Relation): Field => ({ relation, write: { as: 'refused' } })

export const users: DocumentCollection = {
  name: 'users',
  table: 'users',
  edited: true,
  limit: 'write',
  fields: {
    accountId: { ...ownOnly('public_id'), query: herAccountId(t('id')), write: { as: 'kept' } },
    email: { ...ownOnly('email'), query: herEmail(t('id')), write: { as: 'kept' } },
    name: text('name', { shape: fields.name }),
    username: text('username', { shape: fields.username, fixed: true }),
    bio: text('bio', { shape: fields.bio, blank: '' }),
    imageUrl: {
      read: () => sql`array[t.name, (select f.public_id::text from files f where f.id = t.image_id)]`,
      show: (value, config) => portraitUrl(config, ...(value as [string, string | null])),
      write: derived,
    },
    imageId: pictureId(false),
    posts: list({
      target: 'posts',
      inverse: 'creator',
      edges: (me, parents, most) => sql`
        select author.id as parent, newest.id as child
        from unnest(${unseen(parents)}) as author (id), lateral (
          select p.id, p.created_at from posts p where p.creator_id = author.id and ${mayRead(me, 'posts', 'p')}
          order by p.created_at desc, p.id desc limit ${most}
        ) newest order by newest.created_at desc, newest.id desc`,
      total: (me) => sql`
        t.post_count + (select count(*) from posts p where p.creator_id = t.id and p.group_id is not null
          and ${mayRead(me, 'posts', 'p')})`,
    }),
    save: list({ target: 'saves', inverse: 'user', ...ownMarks('saves', 'id') }),
    liked: list({ target: 'posts', ...ownMarks('post_likes', 'post_id') }),
  },
}

export const follows: DocumentCollection = {
  name: 'follows',
  table: 'follows',
  edited: false,
  limit: 'follow',
  fields: {
    followerId: actor('follower_id'),
    followingId: reference('following_id', 'users', { fixed: true }),
    createdAt: creationTime,
  },
}
