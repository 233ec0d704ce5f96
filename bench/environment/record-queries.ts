import { Client } from 'pg'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { connectToDatabase } from '#server/database/open-database.ts'
import { createServerLogger } from '#server/log.ts'

export type RecordedStatement = { text: string; values: unknown[] }

/** Matches reads, which may follow a comment. The server's own statements, such as LISTEN, do not match. */
const reading = /^\s*(?:\/\*.*?\*\/\s*)?(?:select|with)\b/i

export async function recordReadStatementsOfRequest(
  url: string,
  cookie: string,
  path: string,
): Promise<RecordedStatement[]> {
  const log = createServerLogger('silent')
  const recorded: RecordedStatement[] = []
  // A connection keeps the method that it finds, so this precedes the first connection.
  const send = Client.prototype.query
  Client.prototype.query = function record(this: Client, ...args: unknown[]) {
    const [text, values] = args
    if (typeof text === 'string' && reading.test(text))
      recorded.push({ text, values: Array.isArray(values) ? values : [] })
    return Reflect.apply(send, this, args)
  } as typeof send
  const database = connectToDatabase({ url, log })
  const app = await buildApp({
    config: readConfig({
      DATABASE_URL: url,
      LIMITS: 'off',
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    }),
    log,
    database,
  })
  recorded.length = 0
  const answer = await app.inject({ method: 'GET', url: path, headers: { cookie } })
  Client.prototype.query = send
  await app.close()
  await database.close()
  if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${answer.body}`)
  return recorded
}
