import type { FastifyInstance } from 'fastify'
import { type Kysely, sql } from 'kysely'
import {
  acceptPhotoTagOperation,
  listTaggablePeopleOperation,
  maxTaggablePeople,
  maxTagsInPhoto,
  maxTagsInPost,
  removePhotoTagOperation,
  tagPersonOperation,
} from '#contract/photo-tags/photo-tags.ts'
import type { AppContext } from '../../app-context.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { sqlUnpreparedStatementComment, toPersonTerm, whereTextContains } from '../../database/text-search.ts'
import { throwFailure } from '../../errors.ts'
import { generateId } from '../../ids.ts'
import {
  memberKeyParameter,
  selectReadableRows,
  whereAccessRuleAllows,
  whereMemberHasAbility,
  whereMemberMayRead,
  whereMemberMayWrite,
} from '../../policy/index.ts'
import { registerRoute } from '../../route.ts'
import type { StoreTransaction } from '../../store/store-transaction.ts'
import {
  joinPersonSummaryRow,
  type PersonSummaryRecord,
  personSummaryColumns,
  toPersonSummary,
} from '../people/person-summary.ts'
import { selectPostPhotos } from '../posts/post-photos.ts'
import { selectPhotoTag, toPhotoTag } from './select-photo-tags.ts'

export function registerPhotoTagRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(
    app,
    context,
    listTaggablePeopleOperation,
    async ({ postId, imageId, term: typed = '' }, { me, lists, database, config }) => {
      const term = toPersonTerm(typed)
      const meParam = memberKeyParameter(me.id)
      const { key, file } = await findOwnPhoto(database.kysely, me.id, postId, imageId)
      // Without a search term, suggests followers of the author.
      const source =
        term === ''
          ? sql`(select u.*, f.created_at as since from follows f join users u on u.id = f.follower_id where f.following_id = ${meParam})`
          : sql`(select u.*, u.created_at as since from users u
              where ${whereTextContains(sql`u.name_folded || ' ' || u.username_folded`, term)})`
      return lists(me.id, async (db) => {
        const { rows } = await sql<PersonSummaryRecord>`${sqlUnpreparedStatementComment}
          select ${personSummaryColumns} from (
            select u.id, u.since from ${source} as u
              cross join lateral (select ${key}::bigint as post_id, ${file}::bigint as file_id, u.id as person_id, 'waiting' as state) as asked
            where ${whereMemberHasAbility(meParam, 'beFound', 'users', 'u')}
              and ${whereAccessRuleAllows(meParam, 'create', 'post_people', 'asked')}
              and not exists (select from post_people there where there.file_id = asked.file_id and there.person_id = u.id)
            order by u.since desc, u.id desc limit ${maxTaggablePeople}
          ) as found ${joinPersonSummaryRow(sql`found.id`)} order by found.since desc, found.id desc`.execute(
          db,
        )
        return { documents: rows.map((row) => toPersonSummary(config, row)) }
      })
    },
  )

  registerRoute(app, context, tagPersonOperation, async (given, { me, store, config }) =>
    store.transact(async (tx) => {
      const meParam = memberKeyParameter(me.id)
      const person = await lockAuthorAndPerson(tx, me.id, given.personId)
      await tx.lock('posts', given.postId)
      const { key, file } = await findOwnPhoto(tx.db, me.id, given.postId, given.imageId)
      if (person === undefined) return throwFailure('person_not_named', { field: 'personId' })
      const { rows } = await sql<{ id: number; public_id: string }>`
        insert into post_people (public_id, post_id, file_id, person_id, x, y)
        select ${generateId()}, asked.post_id, asked.file_id, asked.person_id, ${given.x}::real, ${given.y}::real
        from (select ${key}::bigint as post_id, ${file}::bigint as file_id, ${person}::bigint as person_id, 'waiting' as state) as asked
        where ${whereMemberMayWrite(meParam, 'create', 'post_people', 'asked')}
        on conflict on constraint post_people_once do nothing returning id, public_id`.execute(tx.db)
      const [asked] = rows
      if (asked) {
        await refuseMoreThanFit(tx.db, key, file)
        await tx.recordAccountChange('namings', 'create', asked, [person])
        await tx.recordChangeFor('posts', [key], me.id)
      }
      const tag = asked ?? (await findPhotoTag(tx.db, me.id, file, person))
      if (!tag) return throwFailure('person_not_named', { field: 'personId' })
      const { rows: shown } = await selectPhotoTag(meParam, tag.id).execute(tx.db)
      return shown[0] ? toPhotoTag(config, shown[0]) : throwFailure('person_not_named')
    }),
  )

  registerRoute(app, context, acceptPhotoTagOperation, async ({ photoTagId }, { me, store }) => {
    await store.transact(async (tx) => {
      // The member agrees to appear before the current audience, so the audience must not change until the
      // commit.
      await sql`select from posts p where p.id = (select n.post_id from post_people n where n.public_id = ${photoTagId})
        for share`.execute(tx.db)
      const { rows } = await sql<PhotoTagKeys>`
        update post_people n set state = 'shown', decided_at = coalesce(n.decided_at, clock_timestamp())
        where n.public_id = ${photoTagId} and ${whereMemberMayWrite(memberKeyParameter(me.id), 'update', 'post_people', 'n')}
          and ${whereMemberHasAbility(memberKeyParameter(me.id), 'accept', 'post_people', 'n', 'locked')}
        returning n.id, n.public_id, n.post_id`.execute(tx.db)
      const [photoTag] = rows
      if (!photoTag) return throwFailure('document_not_found')
      await tx.recordAccountChange('namings', 'update', photoTag, [me.id])
      await tx.recordChange('posts', photoTag.post_id, me.id, 'namings')
    })
  })

  registerRoute(app, context, removePhotoTagOperation, async ({ photoTagId }, { me, store }) => {
    await store.transact(async (tx) => {
      const meParam = memberKeyParameter(me.id)
      const { rows } = await sql<
        PhotoTagKeys & { was: string; person: number; author: number; mine: boolean }
      >`
        select n.id, n.public_id, n.post_id, n.state as was, n.person_id as person, n.person_id = ${meParam} as mine,
          (select p.creator_id from posts p where p.id = n.post_id) as author
        from post_people n where n.public_id = ${photoTagId} and ${whereMemberMayRead(meParam, 'post_people', 'n')}
          and (${whereAccessRuleAllows(meParam, 'update', 'post_people', 'n')} or ${whereAccessRuleAllows(meParam, 'delete', 'post_people', 'n')})
        for no key update of n`.execute(tx.db)
      const [photoTag] = rows
      if (!photoTag) return throwFailure('document_not_found')
      // A request to hide the photo keeps its tags. Otherwise the author could tag people again to find out
      // who asked.
      if (!photoTag.mine)
        await sql`delete from post_people n where n.id = ${photoTag.id} and not exists (
          select from post_people asked where asked.file_id = n.file_id and asked.hidden_at is not null)`.execute(
          tx.db,
        )
      await sql`
        update post_people set state = 'declined', decided_at = clock_timestamp()
        where id = ${photoTag.id} and state <> 'declined'`.execute(tx.db)
      await tx.recordAccountChange('namings', 'delete', photoTag, [photoTag.person])
      // Members who cannot see the tagged person receive no change, because it would reveal a blocked
      // member's action.
      const cause = [photoTag.person, 'namings'] as const
      if (photoTag.was === 'shown') await tx.recordChange('posts', photoTag.post_id, ...cause)
      else await tx.recordChangeFor('posts', [photoTag.post_id], photoTag.author, ...cause)
    })
  })
}

type PhotoTagKeys = { id: number; public_id: string; post_id: number }

async function findOwnPhoto(
  db: Kysely<DatabaseTables>,
  me: number,
  postId: string,
  imageId: string,
): Promise<{ key: number; file: number }> {
  const meParam = memberKeyParameter(me)
  const post = await selectReadableRows(db, meParam, 'posts')
    .select(['id', whereMemberHasAbility(meParam, 'name', 'posts', 'posts').as('permitted')])
    .where('public_id', '=', postId)
    .executeTakeFirst()
  if (!post) return throwFailure('document_not_found')
  if (!post.permitted) return throwFailure('user_unauthorized')
  const { rows } = await sql<{ file: number }>`
    select f.id as file from posts p, lateral ${selectPostPhotos('p')} shown join files f on f.id = shown.file_id
    where p.id = ${post.id} and f.public_id = ${imageId}`.execute(db)
  if (!rows[0]) return throwFailure('storage_file_not_found', { field: 'imageId' })
  return { key: post.id, file: rows[0].file }
}

/**
 * Locks both members in a fixed order, before the post, so that the person's setting cannot change before the
 * commit.
 */
async function lockAuthorAndPerson(
  tx: StoreTransaction,
  me: number,
  personId: string,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number; public_id: string }>`
    select id, public_id from users where id = ${me} or public_id = ${personId} order by id for no key update`.execute(
    tx.db,
  )
  return rows.find(({ public_id }) => public_id === personId)?.id
}

async function refuseMoreThanFit(db: Kysely<DatabaseTables>, post: number, file: number): Promise<void> {
  const { rows } = await sql<{ in_post: number; in_photo: number }>`
    select count(*)::int as in_post, count(*) filter (where file_id = ${file})::int as in_photo
    from post_people where post_id = ${post} and state <> 'declined'`.execute(db)
  if (rows[0] && (rows[0].in_post > maxTagsInPost || rows[0].in_photo > maxTagsInPhoto))
    throwFailure('named_people_full', { field: 'personId' })
}

async function findPhotoTag(db: Kysely<DatabaseTables>, me: number, file: number, person: number) {
  const { rows } = await sql<{ id: number }>`
    select n.id from post_people n where n.file_id = ${file} and n.person_id = ${person}
      and ${whereMemberMayRead(memberKeyParameter(me), 'post_people', 'n')}`.execute(db)
  return rows[0]
}
