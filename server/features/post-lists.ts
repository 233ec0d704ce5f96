/** Lists of posts beside the home feed: explore, search, a member's own, saved and liked (spec §2, §7). */
import type { FastifyInstance } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { explorePageSize, listPageSize, searchResultSize } from '#contract/limits.ts'
import {
  explorePosts,
  likedPosts,
  type PostPage,
  postsByPerson,
  savedPosts,
  searchPosts,
} from '#contract/posts.ts'
import { fail } from '../errors.ts'
import { type Asking, serve } from '../operations.ts'
import { keysetAfter, readCursor, writeCursor } from '../paging.ts'
import type { Parts } from '../parts.ts'
import { asMe, mayRead, visible } from '../policy.ts'
import { contains, newestPosts } from '../search.ts'
import { hydratePosts } from '../views.ts'

/** A list row: the post's key and id, and the time the list is ordered by. */
type Listed = { id: number; public_id: string; at: Date }

export function postListOperations(app: FastifyInstance, parts: Parts): void {
  serve(app, parts, explorePosts, async ({ cursor, limit = explorePageSize }, asking) => {
    const { me, database } = asking
    const after = cursor === undefined ? null : await placeOf(asking, cursor)
    const { rows } = await sql<Listed>`
      select p.id, p.public_id, p.updated_at as at from posts p
      where ${mayRead(asMe(me.id), 'posts', 'p')} ${after ? sql`and (p.updated_at, p.id) < (${after.at}, ${after.id})` : sql``}
      order by p.updated_at desc, p.id desc limit ${limit}`.execute(database.kysely)
    return toPage(asking, rows, limit)
  })

  serve(app, parts, searchPosts, async ({ term }, { me, database, config }) => {
    if (term === '') return { documents: [] }
    const which = sql`${contains(sql.ref('p.caption'), term)} and ${mayRead(asMe(me.id), 'posts', 'p')}`
    const { rows } = await newestPosts(which, searchResultSize).execute(database.kysely)
    return { documents: await hydratePosts(database.kysely, config, me.id, rows[0]?.found ?? []) }
  })

  serve(app, parts, postsByPerson, async ({ personId, except, cursor, limit = listPageSize }, asking) => {
    const { me, database } = asking
    const person = await visible(database.kysely, asMe(me.id), 'users')
      .select('id')
      .where('public_id', '=', personId)
      .executeTakeFirst()
    if (!person) return fail('user_not_found')
    const after = cursor === undefined ? null : await placeOf(asking, cursor)
    const { rows } = await sql<Listed>`
      select p.id, p.public_id, p.created_at as at from posts p
      where p.creator_id = ${person.id} and ${mayRead(asMe(me.id), 'posts', 'p')}
        ${except === undefined ? sql`` : sql`and p.public_id <> ${except}`}
        ${after ? sql`and (p.created_at, p.id) < (${after.at}, ${after.id})` : sql``}
      order by p.created_at desc, p.id desc limit ${limit}`.execute(database.kysely)
    return toPage(asking, rows, limit)
  })

  serve(app, parts, savedPosts, (input, asking) =>
    marked(
      asking,
      input,
      sql`select s.post_id, s.created_at as at from saves s where s.user_id = ${asking.me.id}`,
    ),
  )

  serve(app, parts, likedPosts, (input, asking) =>
    marked(
      asking,
      input,
      sql`select l.post_id, l.created_at as at from post_likes l where l.user_id = ${asking.me.id}`,
    ),
  )
}

/** Her own marks, newest first; posts she cannot read any more keep their mark and are left out (reading R-05). */
async function marked(
  asking: Asking,
  { cursor, limit = listPageSize }: { cursor?: string; limit?: number },
  marks: RawBuilder<unknown>,
): Promise<PostPage> {
  const { me, database } = asking
  const after = cursor === undefined ? null : await placeOf(asking, cursor)
  const { rows } = await sql<Listed>`
    select p.id, p.public_id, m.at from (${marks}) m join posts p on p.id = m.post_id
    where ${mayRead(asMe(me.id), 'posts', 'p')} ${after ? sql`and (m.at, m.post_id) < (${after.at}, ${after.id})` : sql``}
    order by m.at desc, m.post_id desc limit ${limit}`.execute(database.kysely)
  return toPage(asking, rows, limit)
}

/** The list's place after the cursor: the time the reader saw beside the last post, and the post's key. */
async function placeOf({ me, database }: Asking, cursor: string): Promise<{ at: Date; id: number }> {
  const { id, at } = readCursor(cursor)
  const place = await keysetAfter(database.kysely, me, 'posts', id)
  return { at, id: place.rowId }
}

async function toPage({ me, database, config }: Asking, rows: Listed[], limit: number): Promise<PostPage> {
  const documents = await hydratePosts(
    database.kysely,
    config,
    me.id,
    rows.map((row) => row.id),
  )
  const last = rows.at(-1)
  return { documents, next: last && rows.length === limit ? writeCursor(last.public_id, last.at) : null }
}
