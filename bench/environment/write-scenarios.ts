/** Each write is a request and an equivalent statement. Fifty members take turns; each write creates a new row. */
import { defaultDatasetSize, publicIdBuilders } from './generate-dataset.ts'

/** The baseline uses the second half. */
export const unusedPictureCount = 40_000
export const unusedPicturePrefix = 'waiting'
const buildUnusedPictureId = (n: number) => `${unusedPicturePrefix}${n}`

/** The reader chats with these members first. */
const firstWriter = 2
export const writerCount = 50
const conversationBetween = (turn: number) => 1 + (turn % writerCount)
export const pickBenchWriter = (turn: number) => firstWriter + (turn % writerCount)
/** The member has not liked the post yet. The baseline uses other members. */
const likedOf = (turn: number) =>
  1 + ((turn + Math.floor(turn / defaultDatasetSize.posts)) % defaultDatasetSize.posts)
const otherOf = (turn: number) => pickBenchWriter(turn) + writerCount

export type WriteBenchmarkScenario = {
  prepare?: string
  method: 'POST' | 'PUT'
  request(turn: number): { path: string; body?: string }
  statement: { text: string; values(turn: number): unknown[] }
}

const content = 'Words of a bench day by the sea, with some more of them'

export const writeBenchmarkScenarios = {
  post: {
    method: 'POST',
    request: (turn) => ({
      path: '/v1/posts',
      body: JSON.stringify({
        caption: content,
        location: 'Valencia',
        tags: ['mar', 'luz'],
        imageId: buildUnusedPictureId(turn),
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
        buildUnusedPictureId(unusedPictureCount / 2 + turn),
        pickBenchWriter(unusedPictureCount / 2 + turn),
        `theirs${turn}`,
        content,
      ],
    },
  },
  like: {
    // Members outside a group cannot like its posts.
    prepare: 'update posts set group_id = null where group_id is not null',
    method: 'PUT',
    request: (turn) => ({ path: `/v1/posts/${publicIdBuilders.post(likedOf(turn))}/like` }),
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
      path: `/v1/conversations/${publicIdBuilders.conversation(conversationBetween(turn))}/messages`,
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
      values: (turn) => [`theirs${turn}`, conversationBetween(turn), pickBenchWriter(turn), content],
    },
  },
} satisfies Record<'post' | 'like' | 'message', WriteBenchmarkScenario>

export const isWriteBenchmarkScenario = (work: string): work is keyof typeof writeBenchmarkScenarios =>
  Object.hasOwn(writeBenchmarkScenarios, work)
