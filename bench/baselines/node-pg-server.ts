/**
 * The bare driver with prepared statements; the difference is the overhead of Juntas. Writes run the session lookup
 * and one equivalent statement.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { Pool } from 'pg'
import { type RecordedStatement, recordReadStatementsOfRequest } from '../environment/record-queries.ts'
import { isWriteBenchmarkScenario, writeBenchmarkScenarios } from '../environment/write-scenarios.ts'

const { DATABASE_URL: url = '', BENCH_WORK: work = '', BENCH_COOKIE: cookie = '' } = process.env
const pool = new Pool({ connectionString: url, max: 10 })
const statements = await statementsOf(work)

const server = createServer(async (request, response) => {
  request.resume()
  await once(request, 'end')
  const client = await pool.connect()
  try {
    let answer: unknown[] = []
    for (const [index, { text, values }] of statements().entries()) {
      const { rows } = await client.query({ name: `work-${index}`, text, values })
      answer = rows
    }
    const body = JSON.stringify(answer)
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    response.end(body)
  } finally {
    client.release()
  }
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
})
process.on('SIGTERM', () => process.exit(0))

async function statementsOf(work: string): Promise<() => RecordedStatement[]> {
  if (!isWriteBenchmarkScenario(work)) {
    const recorded = await recordReadStatementsOfRequest(url, cookie, work)
    return () => recorded
  }
  const lookUp = (await recordReadStatementsOfRequest(url, cookie, '/v1/account')).slice(0, 1)
  const { text, values } = writeBenchmarkScenarios[work].statement
  let turn = 0
  return () => {
    turn += 1
    return [...lookUp, { text, values: values(turn) }]
  }
}
