import { Client } from 'pg'

export async function makeModerator(databaseUrl: string, id: string): Promise<void> {
  const db = new Client({ connectionString: databaseUrl })
  await db.connect()
  await db.query(
    `insert into moderators (member_id, added_by) select id, 'operator' from users where public_id = $1`,
    [id],
  )
  await db.end()
}
