/** Uses COPY, because the API would take hours. Restoring the removed indexes and keys validates the rows. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { type DatasetSize, type GeneratedTable, generateDatasetTables } from './generate-dataset.ts'

const chunk = 1 << 16

export async function loadDataset(url: string, size: DatasetSize, seed?: number): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(
      `set maintenance_work_mem = '512MB'; set synchronous_commit = off; set timezone = 'UTC'`,
    )
    await client.query('begin')
    const rebuild = await strip(client)
    for (const table of generateDatasetTables(size, seed)) await copy(client, table)
    // Writes the rows that the triggers would write.
    await client.query(`
      insert into post_topics (post_id, kind, topic, creator_id, group_id, followers_only, created_at, since)
      select p.id, found.kind, found.topic, p.creator_id, p.group_id, p.followers_only, p.created_at, p.created_at
      from posts p cross join lateral topics_of(p.tags, p.location) as found`)
    for (const statement of rebuild) await client.query(statement)
    await client.query('commit')
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}

async function strip(client: Client): Promise<string[]> {
  const read = async (query: string) => (await client.query<{ off: string; on: string }>(query)).rows
  const triggers = await read(`
    select distinct format('alter table %s disable trigger user', tgrelid::regclass) as off,
      format('alter table %s enable trigger user', tgrelid::regclass) as on
    from pg_trigger where not tgisinternal`)
  const constraints = await read(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as off,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as on
    from pg_constraint where contype in ('f', 'u') and connamespace = 'public'::regnamespace
    -- Foreign keys lean on unique ones.
    order by contype`)
  const indexes = await read(`
    select format('drop index %s', indexrelid::regclass) as off, pg_get_indexdef(indexrelid) as on
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relnamespace = 'public'::regnamespace and not i.indisprimary
      and not exists (select from pg_constraint k where k.conindid = i.indexrelid)`)
  const stripped = [...triggers, ...constraints, ...indexes]
  for (const { off } of stripped) await client.query(off)
  return stripped.toReversed().map(({ on }) => on)
}

async function copy(client: Client, { name, columns, rows }: GeneratedTable): Promise<void> {
  const into = client.query(copyFrom(`copy ${name} (${columns.join()}) from stdin`))
  await pipeline(Readable.from(asText(rows)), into)
  if (!columns.includes('id')) return
  await client.query(`select setval(pg_get_serial_sequence('${name}', 'id'), (select max(id) from ${name}))`)
}

function* asText(rows: GeneratedTable['rows']): Generator<string> {
  let text = ''
  for (const row of rows) {
    text += `${row.map((cell) => cell ?? '\\N').join('\t')}\n`
    if (text.length < chunk) continue
    yield text
    text = ''
  }
  if (text) yield text
}
