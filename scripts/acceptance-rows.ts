import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRootPath } from './run-tool.ts'
import { isInDefaultTier } from './test-tiers.ts'

export type NamedRow = { id: string; file: string; inDefaultTier: boolean }

/** Matches `HOME-03`, `A12` or `FI9`. */
const leadingIds = /^(?:(?:[A-Z]{1,6}-\d{2}|[A-Z]\d{2}|[A-Z]{2}\d{1,2})(?:\s+|$))+/

/** A title may be in a table or in a neighbouring file. */
const literal = /'((?:\\.|[^'\\\n])*)'|"((?:\\.|[^"\\\n])*)"|`((?:\\.|[^`\\])*)`/g

/** @param book the file's name in docs */
export const readRowIds = (book: string): string[] =>
  [
    ...readFileSync(join(projectRootPath, 'docs', book), 'utf8').matchAll(/^\| ([A-Z]{1,6}-?\d{1,2})\b/gm),
  ].map(([, id]) => String(id))

export const readAcceptanceRows = (): string[] => readRowIds('acceptance.md')

/** The rows that test titles begin with. */
export function findNamedRows(): NamedRow[] {
  const files = new Set([
    ...globSync('{contract,server,web,scripts,bench}/**/*.test.{ts,tsx}', { cwd: projectRootPath }),
    ...globSync('tests/**/*.ts', { cwd: projectRootPath }),
  ])
  return [...files].flatMap((file) => {
    const texts = [...readFileSync(join(projectRootPath, file), 'utf8').matchAll(literal)].map(
      ([, single, double, template]) => single ?? double ?? template ?? '',
    )
    return texts.flatMap((text) =>
      (leadingIds.exec(text)?.[0].trim().split(/\s+/) ?? []).map((id) => ({
        id,
        file,
        inDefaultTier: isInDefaultTier(file, text),
      })),
    )
  })
}

export const groupOfRow = (id: string): string => id.split('-')[0] ?? id

/** @returns a line for each group of rows */
export function describeRowsByTier(rows = readAcceptanceRows(), named = findNamedRows()): string {
  const all = new Set(named.map(({ id }) => id))
  const quick = new Set(named.filter(({ inDefaultTier }) => inDefaultTier).map(({ id }) => id))
  const line = (name: string, ids: string[]) => {
    const left = ids.filter((id) => !quick.has(id))
    const counts = [
      ids.length,
      ids.filter((id) => quick.has(id)).length,
      ids.filter((id) => all.has(id)).length,
    ]
    const columns = counts.map((count) => String(count).padStart(9)).join('')
    return `${name.padEnd(8)}${columns}  ${left.join(' ')}`.trimEnd()
  }
  const groups = Map.groupBy(rows, groupOfRow)
  return [
    'group        rows  default    --all  only in --all',
    ...[...groups].map(([name, ids]) => line(name, ids)),
    line('together', rows).slice(0, 35),
  ].join('\n')
}
