import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { ModerationCase } from '#contract/moderation/cases.ts'
import type { ReportSubjectKind } from '#contract/moderation/reports.ts'
import { formatIsoTimestamp } from '../../database/iso-timestamp.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'
import { type FileRow, openOriginalFile } from '../../files/stored-files.ts'
import { memberKeyParameter, whereWasGroupMember } from '../../policy/index.ts'
import type { RequestContext } from '../../route.ts'

type CaseEvidence = ModerationCase['reports'][number]['evidence'][number]

/** Reports are numbered, so that reporters stay anonymous. Selects at most a hundred reports. */
export const selectNumberedReportsOfCase = (caseKey: number): RawBuilder<unknown> => sql`
  select nr.*, row_number() over (order by nr.id)::int as number from reports nr where nr.case_id = ${caseKey}
  order by nr.id limit 100`

/** False if someone in the photo had asked to hide it when it was reported, or asks so now. */
const whereAdminSeesPhoto = sql<boolean>`(e.snapshot ->> 'withheld' is null and not exists (
  select from post_people hidden where hidden.file_id = e.file_id and hidden.hidden_at is not null) and not exists (
  select from files kept where kept.id = e.file_id and kept.hidden_evidence))`

/** The group's admin if the case is in the group's queue, otherwise a moderator. */
export type EvidenceReader = 'moderator' | { admin: number; group: number }

const isPhotoShown = (reader: EvidenceReader) =>
  reader === 'moderator' ? sql<boolean>`true` : whereAdminSeesPhoto

/** A group's admin sees only evidence stored since they joined the group. */
const isItemShown = (reader: EvidenceReader) =>
  reader === 'moderator'
    ? sql<boolean>`true`
    : whereWasGroupMember(
        memberKeyParameter(reader.admin),
        sql`${reader.group}::bigint`,
        sql.ref('e.created_at'),
      )

type EvidenceRow = {
  number: number
  position: number
  kind: ReportSubjectKind
  snapshot: Record<string, unknown>
  created_at: Date
  kept_until: Date | null
  has_picture: boolean
}

export async function readEvidence(
  db: Kysely<DatabaseTables>,
  caseKey: number,
  reader: EvidenceReader = 'moderator',
): Promise<CaseEvidence[]> {
  const { rows } = await sql<EvidenceRow>`
    select r.number, e.position, e.kind, e.created_at, e.kept_until, e.file_id is not null and shown.photo as has_picture,
      case when shown.photo then e.snapshot else e.snapshot - 'alt' - 'imageAlt' || '{"picture": null}'::jsonb end as snapshot
    from (${selectNumberedReportsOfCase(caseKey)}) r join evidence e on e.report_id = r.id
      cross join lateral (select ${isPhotoShown(reader)} as photo) as shown where ${isItemShown(reader)} order by r.number, e.position`.execute(
    db,
  )
  return rows.map(({ number, position, kind, snapshot, created_at, kept_until, has_picture }) => ({
    place: `${number}-${position}`,
    kind,
    snapshot,
    sealedAt: formatIsoTimestamp(created_at),
    keptUntil: kept_until && formatIsoTimestamp(kept_until),
    hasPicture: has_picture,
  }))
}

/** Sends the picture with headers that forbid caching. */
export async function sendEvidencePicture(
  ctx: RequestContext,
  { id }: { id: number },
  place: string,
  reader: EvidenceReader = 'moderator',
): Promise<void> {
  const [number, position] = place.split('-').map(Number)
  const { rows } = await sql<FileRow>`
    select f.* from (${selectNumberedReportsOfCase(id)}) r join evidence e on e.report_id = r.id join files f on f.id = e.file_id
    where r.number = ${number} and e.position = ${position} and ${isPhotoShown(reader)} and ${isItemShown(reader)}`.execute(
    ctx.database.kysely,
  )
  const file = rows[0] ?? throwFailure('case_not_found')
  const opened = await openOriginalFile(ctx, file)
  ctx.reply.type(file.mime_type as string).headers({
    'cache-control': 'private, no-store',
    'content-length': opened.size,
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
  })
  await (ctx.request.method === 'HEAD' ? ctx.reply.send() : ctx.reply.send(opened.read()))
}
