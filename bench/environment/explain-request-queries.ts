import { Client, escapeLiteral } from 'pg'
import { recordReadStatementsOfRequest } from './record-queries.ts'

type Node = {
  'Node Type': string
  'Index Name'?: string
  'Relation Name'?: string
  Plans?: Node[]
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
}

/** PostgreSQL chooses a prepared statement's final plan at its sixth run. */
const runs = 6
const session = /\bfrom sessions s\b/

/** @returns the indexes in the plan's order, without the session lookup; `reads all of …` for a full scan */
export async function listIndexesUsedByRequest(url: string, cookie: string, path: string): Promise<string> {
  const found = new Set<string>()
  for (const plan of await plansOfRequest(url, cookie, path)) {
    for (const node of nodesOf(plan)) {
      if (node['Index Name']) found.add(node['Index Name'])
      else if (node['Node Type'] === 'Seq Scan') found.add(`reads all of ${node['Relation Name']}`)
    }
  }
  return [...found].join(', ')
}

/** @returns the number of PostgreSQL pages read, without the session lookup */
export async function countPagesReadByRequest(url: string, cookie: string, path: string): Promise<number> {
  const plans = await plansOfRequest(url, cookie, path, 'analyze, buffers, ')
  return plans.reduce(
    (sum, plan) => sum + (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0),
    0,
  )
}

async function plansOfRequest(url: string, cookie: string, path: string, options = ''): Promise<Node[]> {
  const statements = await recordReadStatementsOfRequest(url, cookie, path)
  const client = new Client({ connectionString: url })
  await client.connect()
  const plans: Node[] = []
  try {
    for (const [index, { text, values }] of statements.entries())
      if (!session.test(text)) plans.push(await planOf(client, `s${index}`, text, values, options))
  } finally {
    await client.end()
  }
  return plans
}

async function planOf(
  client: Client,
  name: string,
  text: string,
  values: unknown[],
  options: string,
): Promise<Node> {
  const given = values.length > 0 ? `(${values.map(literal).join()})` : ''
  // Plans like the server: statements with a leading comment are not prepared.
  const planned = /^\s*(?:select|with)\b/i.test(text)
  await client.query(`prepare ${name} as ${text}`)
  await client.query(`set plan_cache_mode = ${planned ? 'auto' : 'force_custom_plan'}`)
  for (let run = 0; run < runs; run += 1) await client.query(`execute ${name}${given}`)
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
    `explain (${options}format json) execute ${name}${given}`,
  )
  const plan = rows[0]?.['QUERY PLAN'][0].Plan
  if (!plan) throw new Error(`no plan for ${text}`)
  return plan
}

function* nodesOf(node: Node): Generator<Node> {
  yield node
  for (const child of node.Plans ?? []) yield* nodesOf(child)
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (value instanceof Date) return escapeLiteral(value.toISOString())
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'`
  if (Array.isArray(value)) return escapeLiteral(`{${value.join()}}`)
  return escapeLiteral(String(value))
}
