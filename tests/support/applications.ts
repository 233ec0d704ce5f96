import type { Database } from '#server/database/open-database.ts'
import { insertApplication, type NewApplication } from '#server/features/community/applications.ts'

let applicants = 0

export async function insertWaitingApplication(
  { kysely, pool }: Database,
  given: Partial<NewApplication>,
): Promise<string> {
  applicants += 1
  const username = `solicitante${applicants}`
  const email = `${username}@juntas.test`
  const application = {
    ...{ name: 'Solicitante', username, email, passwordHash: 'x', rulesSeen: 0 },
    ...{ language: null, answer: 'Me gusta tejer.', voucher: null },
    ...given,
  }
  if ((await insertApplication(kysely, application)) !== null) throw new Error('The address is taken.')
  const { rows } = await pool.query('select public_id from applications where email = $1', [
    application.email,
  ])
  return rows[0].public_id
}
