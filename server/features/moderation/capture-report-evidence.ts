/**
 * The reported row stays locked until the report's commit, so a concurrent deletion cannot remove part of the
 * evidence.
 */
import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { ReportSubjectKind } from '#contract/moderation/reports.ts'
import type { AuthenticatedMember } from '../../auth/session.ts'
import { formatIsoTimestamp } from '../../database/iso-timestamp.ts'
import { evidenceColumns } from '../../database/personal-columns.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'
import {
  memberKeyParameter,
  whereCommentShown,
  whereMemberHasAbility,
  whereMemberMayRead,
} from '../../policy/index.ts'

export type EvidenceItem = { kind: ReportSubjectKind; snapshot: unknown; fileKey: number | null }

export type ReportedSubject = {
  /** The keys of the reported member and of the content's group. */
  about: number | null
  group: number | null
  /** The reported item comes first. */
  evidence: EvidenceItem[]
}

type Db = Transaction<DatabaseTables>

type SubjectRow = {
  id: number
  about: number | null
  group: number | null
  reportable: boolean
  image_id: number | null
  snapshot: Record<string, unknown>
}

/** The name can change after the report. */
const personJson = (alias: string): RawBuilder<unknown> =>
  sql`jsonb_build_object('id', ${sql.ref(`${alias}.public_id`)}, 'name', ${sql.ref(`${alias}.name`)}, 'username', ${sql.ref(`${alias}.username`)})`
const timeJson = (column: string): RawBuilder<unknown> =>
  sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')`

/**
 * Captures the evidence and locks the reported row.
 * @param further public ids of other messages that the caller includes, from the same conversation
 * @throws Failure report_subject_not_found, report_self_not_allowed
 */
export async function captureReportEvidence(
  db: Db,
  me: AuthenticatedMember,
  subject: { kind: ReportSubjectKind; id: string },
  further: readonly string[],
): Promise<ReportedSubject> {
  if (subject.kind === 'message') return captureMessages(db, me, subject.id, further)
  const row =
    (await selectSubject(db, me, subject.kind, subject.id)) ?? throwFailure('report_subject_not_found')
  if (!row.reportable)
    throwFailure(row.about === me.id ? 'report_self_not_allowed' : 'report_subject_not_found')
  const picture = await capturePicture(db, row.image_id)
  const reported = {
    kind: subject.kind,
    snapshot: { ...row.snapshot, picture: picture?.description ?? null },
    fileKey: picture?.key ?? null,
  }
  const others =
    subject.kind === 'post'
      ? await capturePhotos(
          db,
          { kind: 'post', id: subject.id },
          sql`select file_id, position, alt, withheld_by is not null as withheld from post_photos where post_id = ${row.id} order by position`,
        )
      : []
  return { about: row.about, group: row.group, evidence: [reported, ...others] }
}

type CapturedPhoto = { file_id: number; position: number; alt: string; withheld: boolean }

/**
 * Captures photos and locks the bytes of each.
 * @param of the record that shows the photos
 * @param photos selects `file_id`, `position` from 0, `alt`, and whether someone in the photo asked to hide
 * it
 */
async function capturePhotos(
  db: Db,
  { kind, id }: { kind: ReportSubjectKind; id: string },
  photos: RawBuilder<CapturedPhoto>,
): Promise<EvidenceItem[]> {
  const { rows } = await photos.execute(db)
  const items: EvidenceItem[] = []
  for (const { file_id, position, alt, withheld } of rows) {
    const picture = await capturePicture(db, file_id)
    const snapshot = {
      ...{ id, photo: position + 1, alt, picture: picture?.description ?? null },
      ...(withheld && { withheld }),
    }
    items.push({ kind, snapshot, fileKey: picture?.key ?? null })
  }
  return items
}

async function selectSubject(
  db: Db,
  me: AuthenticatedMember,
  kind: Exclude<ReportSubjectKind, 'message'>,
  publicId: string,
): Promise<SubjectRow | undefined> {
  const meParam = memberKeyParameter(me.id)
  const statements: Record<typeof kind, RawBuilder<SubjectRow>> = {
    post: sql`
      select p.id, p.creator_id as about, p.group_id as "group", p.image_id,
        ${whereMemberHasAbility(meParam, 'report', 'posts', 'p')} as reportable,
        jsonb_build_object('id', p.public_id, ${evidenceColumns('posts', 'p')}, 'createdAt', ${timeJson('p.created_at')}, 'updatedAt', ${timeJson('p.updated_at')}, 'creator', ${personJson('u')},
          'group', case when g.id is not null then jsonb_build_object('id', g.public_id, 'name', g.name) end)
          || case when p.withheld_by is null then '{}'::jsonb else jsonb_build_object('withheld', true) end as snapshot
      from posts p join users u on u.id = p.creator_id left join groups g on g.id = p.group_id
      where p.public_id = ${publicId} for share of p`,
    member: sql`
      select u.id, u.id as about, null::bigint as "group", u.image_id,
        ${whereMemberHasAbility(meParam, 'report', 'users', 'u')} as reportable,
        ${personJson('u')} || jsonb_build_object(${evidenceColumns('users', 'u')}, 'createdAt', ${timeJson('u.created_at')}) as snapshot
      from users u where u.public_id = ${publicId} for share of u`,
    group: sql`
      select g.id, g.admin_id as about, g.id as "group", g.image_id,
        ${whereMemberHasAbility(meParam, 'report', 'groups', 'g')} as reportable,
        jsonb_build_object('id', g.public_id, ${evidenceColumns('groups', 'g')}, 'createdAt', ${timeJson('g.created_at')}, 'admin', ${personJson('u')}) as snapshot
      from groups g join users u on u.id = g.admin_id where g.public_id = ${publicId} for share of g`,
    comment: sql`
      select c.id, c.author_id as about, p.group_id as "group", null::bigint as image_id,
        ${whereMemberHasAbility(meParam, 'report', 'comments', 'c')} as reportable,
        jsonb_build_object('id', c.public_id, ${evidenceColumns('comments', 'c')}, 'createdAt', ${timeJson('c.created_at')},
          'editedAt', ${timeJson('c.edited_at')}, 'author', ${personJson('u')}, 'post', jsonb_build_object('id', p.public_id),
          'group', case when g.id is not null then jsonb_build_object('id', g.public_id, 'name', g.name) end,
          'answers', case when t.id is not null then jsonb_build_object('content', t.content, 'author', ${personJson('tu')}) end)
          || case when c.removed_at is null then '{}'::jsonb else jsonb_build_object('removed', true) end as snapshot
      from comments c join users u on u.id = c.author_id join posts p on p.id = c.post_id left join groups g on g.id = p.group_id
        left join comments t on t.id = c.parent_id and ${whereCommentShown(meParam, 't')}
        left join users tu on tu.id = t.author_id
      where c.public_id = ${publicId} for share of c`,
  }
  return (await statements[kind].execute(db)).rows[0]
}

/** The lock keeps others from deleting the picture's bytes. */
async function capturePicture(db: Db, fileKey: number | null) {
  if (fileKey === null) return undefined
  const { rows } = await sql<{
    id: number
    sha256: Buffer
    width: number
    height: number
    mime_type: string
    thumbhash: Buffer
  }>`
    select f.id, f.sha256, f.width, f.height, f.mime_type, f.thumbhash from files f
    where f.id = ${fileKey} and f.state = 'attached' for share`.execute(db)
  const [file] = rows
  if (!file) return undefined
  const description = {
    sha256: file.sha256.toString('hex'),
    width: file.width,
    height: file.height,
    mimeType: file.mime_type,
    thumbhash: file.thumbhash.toString('base64'),
  }
  return { key: file.id, description }
}

type MessageRow = {
  id: number
  public_id: string
  conversation_id: number
  sender_id: number
  content: string
  shared: string | null
  created_at: Date
  reportable: boolean
  sender: { id: string; name: string; username: string }
}

/** Captures only the messages that the reporter chose. */
async function captureMessages(
  db: Db,
  me: AuthenticatedMember,
  reported: string,
  further: readonly string[],
): Promise<ReportedSubject> {
  const meParam = memberKeyParameter(me.id)
  const { rows } = await sql<MessageRow>`
    select m.id, m.public_id, m.conversation_id, m.sender_id, m.content, m.created_at,
      (select sp.public_id from posts sp where sp.id = m.shared_post_id) as shared,
      ${whereMemberHasAbility(meParam, 'report', 'messages', 'm')} as reportable, ${personJson('u')} as sender
    from messages m join users u on u.id = m.sender_id
    where m.public_id = any(${[reported, ...further]}::text[]) and m.unsent_at is null
      and ${whereMemberMayRead(meParam, 'messages', 'm')}
    order by m.id for share of m`.execute(db)
  const subject = rows.find(({ public_id }) => public_id === reported)
  if (!subject) return throwFailure('report_subject_not_found')
  if (!subject.reportable) return throwFailure('report_self_not_allowed')
  const others = new Set(further.filter((id) => id !== reported))
  const chosen = rows.filter(
    ({ public_id, conversation_id }) => others.has(public_id) && conversation_id === subject.conversation_id,
  )
  if (chosen.length !== others.size) throwFailure('report_subject_not_found', { field: 'messages' })
  const evidence: EvidenceItem[] = []
  for (const { id, public_id, content, shared, created_at, sender } of [subject, ...chosen]) {
    const snapshot = {
      ...{ id: public_id, content, createdAt: formatIsoTimestamp(created_at), sender },
      ...(shared !== null && { sharedPost: shared }),
    }
    evidence.push({ kind: 'message', snapshot, fileKey: null })
    const photos = sql<CapturedPhoto>`
      select file_id, position, alt, false as withheld from message_photos where message_id = ${id} order by position`
    evidence.push(...(await capturePhotos(db, { kind: 'message', id: public_id }, photos)))
  }
  return { about: subject.sender_id, group: null, evidence }
}
