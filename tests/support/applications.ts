import { confirmApplicationOperation } from '#contract/community/applications.ts'
import type { Database } from '#server/database/open-database.ts'
import { insertApplication, type NewApplication } from '#server/features/community/applications.ts'
import { fetchSentMessagesTo } from './sent-messages.ts'
import type { TestWorld } from './world.ts'

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
  if ((await insertApplication(kysely, application)).taken !== null) throw new Error('The address is taken.')
  const { rows } = await pool.query('select public_id from applications where email = $1', [
    application.email,
  ])
  return rows[0].public_id
}

/** The parameters of the links that confirm applications with an address, oldest first. */
export async function fetchApplicationLinks(
  w: Pick<TestWorld, 'visitor'>,
  email: string,
): Promise<{ userId: string; secret: string }[]> {
  return (await fetchSentMessagesTo(w, email))
    .filter(({ kind }) => kind === 'application-confirmation')
    .map(({ text }) => {
      const { searchParams } = new URL(/https?:\S+/.exec(text)?.[0] ?? '')
      return { userId: searchParams.get('userId') ?? '', secret: searchParams.get('secret') ?? '' }
    })
}

/** Confirms the newest application with an address. */
export async function confirmNewestApplication(
  w: Pick<TestWorld, 'visitor'>,
  { email, password }: { email: string; password: string },
): Promise<void> {
  const link = (await fetchApplicationLinks(w, email)).at(-1)
  await w.visitor.call(confirmApplicationOperation, { userId: '', secret: '', ...link, password })
}
