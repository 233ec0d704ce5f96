import { join } from 'node:path'
import type { MemberClient } from '#api-client/member-client.ts'
import type { Database } from '#server/database/open-database.ts'
import {
  accountColumnErasureRules,
  memberColumnErasureRules,
} from '#server/features/deletion/column-erasure-rules.ts'
import { listFilePathsBelow } from '../list-files-below.ts'

export type AccountKeys = { account: number; member: number }

export async function findAccountKeys(
  { pool }: Pick<Database, 'pool'>,
  { accountId }: Pick<MemberClient, 'accountId'>,
): Promise<AccountKeys> {
  const { rows } = await pool.query<AccountKeys>(
    'select a.id as account, u.id as member from accounts a join users u on u.account_id = a.id where a.public_id = $1',
    [accountId],
  )
  if (!rows[0]) throw new Error('nobody')
  return rows[0]
}

/** Finds references that the columns' erasure rules forbid. */
export async function findColumnsNamingAccount(
  { pool }: Pick<Database, 'pool'>,
  { account, member }: AccountKeys,
): Promise<string[]> {
  const fates = [
    ...Object.entries(memberColumnErasureRules).map(([place, fate]) => ({ place, fate, key: member })),
    ...Object.entries(accountColumnErasureRules).map(([place, fate]) => ({ place, fate, key: account })),
  ]
  const left: string[] = []
  for (const { place, fate, key } of fates) {
    if (fate === 'kept') continue
    const [table, column] = place.split('.')
    const { rows } = await pool.query(`select from ${table} where ${column} = $1 limit 1`, [key])
    if (rows.length > 0) left.push(place)
  }
  return left
}

export async function findColumnsContainingWord(
  { pool }: Pick<Database, 'pool'>,
  word: string,
): Promise<string[]> {
  const { rows: columns } = await pool.query<{ table: string; column: string }>(
    `select c.table_name as table, c.column_name as column from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE'`,
  )
  const found: string[] = []
  for (const { table, column } of columns) {
    const { rows } = await pool.query<{ there: boolean }>(
      `select exists (select from "${table}" where "${column}"::text ilike '%' || $1 || '%') as there`,
      [word],
    )
    if (rows[0]?.there) found.push(`${table}.${column}`)
  }
  return found.sort()
}

/** A kill leaves the scratch file behind. */
const isMemoryOfErased = (path: string) =>
  path.includes('/erasedaccounts') || /\/scratch\/\w+\/erased$/.test(path)

export async function findOrphanedFiles(
  { pool }: Pick<Database, 'pool'>,
  dataDir: string,
): Promise<string[]> {
  const { rows } = await pool.query<{ key: string }>(
    'select storage_key as key from files union all select storage_key from exports',
  )
  const known = new Set(rows.map(({ key }) => key))
  return listFilePathsBelow(join(dataDir, 'files')).filter(
    (path) => !isMemoryOfErased(path) && !known.has(path.split('/').at(-2) ?? ''),
  )
}
