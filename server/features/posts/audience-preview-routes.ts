import type { FastifyInstance } from 'fastify'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { PersonSummary } from '#contract/people/people.ts'
import {
  type AudiencePreview,
  audienceRoundingThreshold,
  previewAudienceOperation,
} from '#contract/posts/audience-preview.ts'
import type { AppContext } from '../../app-context.ts'
import type { Config } from '../../config.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'
import {
  countAllMembersUpTo,
  countFollowersAudience,
  countGroupAudience,
  estimateMemberCount,
  memberKeyParameter,
  selectFollowersAudience,
  selectGroupAudience,
  selectListedAudience,
  selectReadableRows,
  whereAccessRuleAllows,
} from '../../policy/index.ts'
import { registerRoute } from '../../route.ts'
import {
  joinPersonSummaryRow,
  type PersonSummaryRecord,
  personSummaryColumns,
  toPersonSummary,
} from '../people/person-summary.ts'
import { findGroupToPostIn } from './post-routes.ts'

export function registerAudiencePreviewRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(
    app,
    context,
    previewAudienceOperation,
    async ({ groupId, postId }, { me, database, config }): Promise<AudiencePreview> => {
      const db = database.kysely
      const meParam = memberKeyParameter(me.id)
      const group = groupId ? await findGroupToPostIn(db, me.id, groupId) : null
      const edited = postId === undefined ? null : await findEditedPost(db, me.id, postId)
      const staying = edited !== null && edited.group_id === (group?.id ?? null) ? edited : null
      if (group) {
        const key = sql`${group.id}::bigint`
        const shown = {
          kind: 'group',
          rounded: false,
          group: { $id: group.public_id, name: group.name },
        } as const
        if (staying?.hidden_by) return { ...shown, count: 0, faces: [] }
        return {
          ...shown,
          count: await selectNumber(db, countGroupAudience(meParam, key)),
          faces: await loadFaces(db, config, selectGroupAudience(meParam, key)),
        }
      }
      if (staying ? staying.followers_only : await isPrivate(db, me.id)) {
        return {
          kind: 'followers',
          count: await selectNumber(db, countFollowersAudience(meParam)),
          rounded: false,
          faces: await loadFaces(db, config, selectFollowersAudience(meParam)),
          group: null,
        }
      }
      const counted = await selectNumber(db, countAllMembersUpTo(meParam, audienceRoundingThreshold))
      const rounded = counted >= audienceRoundingThreshold
      return {
        kind: 'everyone',
        count: rounded
          ? roundDownToTwoFigures(
              Math.max(audienceRoundingThreshold, await selectNumber(db, estimateMemberCount(meParam))),
            )
          : counted,
        rounded,
        faces: await loadFaces(db, config, selectListedAudience(meParam)),
        group: null,
      }
    },
  )
}

export const roundDownToTwoFigures = (count: number): number => {
  const unit = 10 ** (String(count).length - 2)
  return Math.floor(count / unit) * unit
}

async function selectNumber(db: Kysely<DatabaseTables>, number: RawBuilder<number>): Promise<number> {
  const { rows } = await sql<{ number: number }>`select ${number} as number`.execute(db)
  return rows[0]?.number ?? 0
}

const faceCount = 4

/** @param audience a query of keys, newest first */
async function loadFaces(
  db: Kysely<DatabaseTables>,
  config: Config,
  audience: RawBuilder<unknown>,
): Promise<PersonSummary[]> {
  const { rows } = await sql<PersonSummaryRecord>`
    select ${personSummaryColumns}
    from (select * from ${audience} as newest limit ${faceCount}) as shown ${joinPersonSummaryRow(sql`shown.id`)}
    order by shown.since desc, shown.id desc`.execute(db)
  return rows.map((row) => toPersonSummary(config, row))
}

async function findEditedPost(db: Kysely<DatabaseTables>, me: number, postId: string) {
  const meParam = memberKeyParameter(me)
  const post = await selectReadableRows(db, meParam, 'posts')
    .select(['group_id', 'followers_only', 'hidden_by'])
    .where('public_id', '=', postId)
    .where(whereAccessRuleAllows(meParam, 'update', 'posts', 'posts'))
    .executeTakeFirst()
  return post ?? throwFailure('document_not_found')
}

async function isPrivate(db: Kysely<DatabaseTables>, me: number): Promise<boolean> {
  const own = await selectReadableRows(db, memberKeyParameter(me), 'users')
    .select('is_private')
    .where('id', '=', me)
    .executeTakeFirst()
  return own?.is_private === true
}
