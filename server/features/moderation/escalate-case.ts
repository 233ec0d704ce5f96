import { type Kysely, sql, type Transaction } from 'kysely'
import type { DatabaseTables } from '../../database/schema.ts'
import { generateId } from '../../ids.ts'
import { whereMemberHasAbility } from '../../policy/index.ts'
import { recordModerationAct } from './moderation-log.ts'

/**
 * Moves a group's case to the moderators, and merges it with their open case of the same subject. Does nothing
 * if the case was decided or moved before.
 * @param by key of the admin who passes it on; null for the server
 */
export async function escalateCase(
  db: Transaction<DatabaseTables>,
  caseKey: number,
  by: number | null,
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    with passed as (
      select c.* from moderation_cases c where c.id = ${caseKey} and c.desk = 'group' and c.status = 'open' for update
    )
    insert into moderation_cases as c (public_id, kind, subject_id, about_id, group_id, desk, severity, subject_deleted_at, created_at)
    select ${generateId()}, kind, subject_id, about_id, group_id, 'moderators', severity, subject_deleted_at, created_at from passed
    on conflict (kind, subject_id, desk) where status = 'open'
    do update set severity = greatest(c.severity, excluded.severity)
    returning c.id`.execute(db)
  const [joined] = rows
  if (!joined) return
  await joinCase(db, caseKey, joined.id)
  await recordModerationAct(db, 'pass-on', { by, caseKey: joined.id })
}

/** Moves the reports to another case. Each reporter counts once. The transaction must hold the locks of both cases. */
async function joinCase(db: Transaction<DatabaseTables>, caseKey: number, joined: number): Promise<void> {
  await sql`
    update reports r set case_id = ${joined}, repeated = r.repeated + (
      select count(*) from reports other where other.case_id = ${joined} and other.reporter_id = r.reporter_id)
    where r.case_id = ${caseKey}`.execute(db)
  await sql`delete from moderation_cases c where c.id = ${caseKey}`.execute(db)
}

/**
 * Makes the open case about a group a case about its former admin, so that later reports of the group concern the
 * new admin.
 * Does nothing if the open case is about `admin`, or about nobody because that account was deleted.
 * @param admin key of the new admin
 */
export async function makeCaseAboutFormerAdmin(
  db: Transaction<DatabaseTables>,
  groupId: string,
  admin: number | null,
): Promise<void> {
  const { rows } = await sql<{ parted: number; joined: number }>`
    with parted as (
      select c.*, u.public_id as former_id from moderation_cases c join users u on u.id = c.about_id
      where c.kind = 'group' and c.subject_id = ${groupId} and c.desk = 'moderators' and c.status = 'open'
        and c.about_id <> ${admin} for update of c
    ), joined as (
      insert into moderation_cases as c (public_id, kind, subject_id, about_id, group_id, desk, severity, claimed_by, claimed_at, created_at)
      select ${generateId()}, 'member', former_id, about_id, group_id, desk, severity, claimed_by, claimed_at, created_at from parted
      on conflict (kind, subject_id, desk) where status = 'open'
      do update set severity = greatest(c.severity, excluded.severity)
      returning c.id
    )
    select parted.id as parted, joined.id as joined from parted, joined`.execute(db)
  const [moved] = rows
  if (!moved) return
  await joinCase(db, moved.parted, moved.joined)
  await recordModerationAct(db, 'pass-on', { by: null, caseKey: moved.joined })
}

const batchRows = 1_000

/**
 * Escalates cases that the group's admin may no longer decide (`decideForGroup`), for example after a handover,
 * a block or the group's deletion. Does nothing while another node purges. Two nodes can still find the same
 * cases; `escalateCase` moves each only once.
 * @throws the first error, after trying all cases
 */
export async function escalateStrandedCases(db: Kysely<DatabaseTables>): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select c.id from moderation_cases c
    where (select pg_try_advisory_xact_lock(hashtext('sweeps'))) and c.desk = 'group' and c.status = 'open' and not exists (
      select from groups g where g.id = c.group_id
        and ${whereMemberHasAbility(sql.ref('g.admin_id'), 'decideForGroup', 'moderation_cases', 'c')})
    limit ${batchRows}`.execute(db)
  const failures: unknown[] = []
  for (const { id } of rows)
    await db
      .transaction()
      .execute((tx) => escalateCase(tx, id, null))
      .catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}
