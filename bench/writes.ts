/**
 * The writes with a goal: what a client sends, and one statement that leaves the same rows behind. Fifty members take
 * turns, and every turn is another row; what the yardstick writes is as new as what we write.
 */
import { everyday, idOf } from './community.ts'

/** Pictures that wait for a post; the yardstick takes the second half of them. */
export const waitingPictures = 40_000
export const pictureId = (n: number) => `waiting${n}`

/** The ones with whom the reader talks, by key; her conversations with them are the first. */
const firstWriter = 2
export const writers = 50
const talkOf = (turn: number) => 1 + (turn % writers)
export const writerOf = (turn: number) => firstWriter + (turn % writers)
/** A post can be liked once: after all posts it is another's turn at each, and likes of the yardstick are of others. */
const likedOf = (turn: number) => 1 + ((turn + Math.floor(turn / everyday.posts)) % everyday.posts)
const otherOf = (turn: number) => writerOf(turn) + writers

export type Write = {
  /** What must be so before. */
  prepare?: string
  method: 'POST' | 'PUT'
  request(turn: number): { path: string; body?: string }
  statement: { text: string; values(turn: number): unknown[] }
}

const content = 'Words of a bench day by the sea, with some more of them'

export const writes = {
  post: {
    method: 'POST',
    request: (turn) => ({
      path: '/v1/posts',
      body: JSON.stringify({
        caption: content,
        location: 'Valencia',
        tags: ['mar', 'luz'],
        imageId: pictureId(turn),
      }),
    }),
    statement: {
      text: `with picture as (
          update files set state = 'attached', purpose = 'post'
          where public_id = $1 and state = 'ready' and owner_id = $2 returning id
        ), written as (
          insert into posts (public_id, creator_id, caption, location, tags, image_id)
          select $3, $2, $4, 'Valencia', '{mar,luz}', id from picture returning *
        ), recorded as (
          insert into changes (collection, kind, row_id, public_id)
          select 'posts', 'create', id, public_id from written)
        select * from written`,
      values: (turn) => [
        pictureId(waitingPictures / 2 + turn),
        writerOf(waitingPictures / 2 + turn),
        `theirs${turn}`,
        content,
      ],
    },
  },
  like: {
    // Everybody may like everything.
    prepare: 'update posts set group_id = null where group_id is not null',
    method: 'PUT',
    request: (turn) => ({ path: `/v1/posts/${idOf.post(likedOf(turn))}/like` }),
    statement: {
      text: `with written as (
          insert into post_likes (post_id, user_id) values ($1, $2) on conflict do nothing returning post_id
        ), recorded as (
          insert into changes (collection, kind, row_id, public_id)
          select 'posts', 'update', p.id, p.public_id from posts p where p.id = $1)
        select like_count from posts where id = $1`,
      values: (turn) => [likedOf(turn), otherOf(turn)],
    },
  },
  message: {
    method: 'POST',
    request: (turn) => ({
      path: `/v1/conversations/${idOf.talk(talkOf(turn))}/messages`,
      body: JSON.stringify({ content }),
    }),
    statement: {
      text: `with written as (
          insert into messages (public_id, conversation_id, sender_id, content) values ($1, $2, $3, $4) returning *
        ), recorded as (
          insert into changes (collection, kind, row_id, public_id, member_ids)
          select told.kind, 'create', told.row_id, told.id, array[c.low_id, c.high_id] from conversations c, lateral (
            select 'messages', written.id, written.public_id from written
            union all select 'conversations', c.id, c.public_id::text) told (kind, row_id, id)
          where c.id = $2)
        select * from written`,
      values: (turn) => [`theirs${turn}`, talkOf(turn), writerOf(turn), content],
    },
  },
} satisfies Record<'post' | 'like' | 'message', Write>

export const isWrite = (work: string): work is keyof typeof writes => Object.hasOwn(writes, work)
