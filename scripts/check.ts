/** `npm run check` runs all checks except the tests. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type ProgramOutcome, projectRootPath, runPackageProgram, runProgram } from './run-tool.ts'
import { measureWebBundleSizes } from './web-bundle-size.ts'

/** `output` is printed after a failure, `note` always. */
type Finding = { holds: boolean; output?: string; note?: string }
type Check = { sentence: string; examine: () => Promise<Finding> }

const checks: Check[] = [
  { sentence: 'Types fit', examine: () => tool('typescript', 'tsc', ['--noEmit']) },
  {
    sentence: 'Lint and format agree',
    examine: () => tool('@biomejs/biome', 'biome', ['check', ...programs()]),
  },
  { sentence: 'Nothing is unused', examine: () => tool('knip', 'knip', ['--no-progress']) },
  { sentence: 'Generated docs are current', examine: examineDocs },
  { sentence: 'The web is within its size', examine: examineSize },
  { sentence: 'No known hole in a dependency', examine: examineAudit },
]

const broken: { sentence: string; output: string }[] = []
for (const { sentence, examine } of checks) {
  const began = Date.now()
  const { holds, output = '', note } = await examine()
  const seconds = ((Date.now() - began) / 1000).toFixed(1)
  console.log(`${holds ? '✓' : '✗'} ${[sentence, note].filter(Boolean).join(': ')} (${seconds} s)`)
  if (!holds) broken.push({ sentence, output })
}
for (const { sentence, output } of broken) console.log(`\n✗ ${sentence}\n\n${output.trim()}`)
process.exit(broken.length === 0 ? 0 : 1)

async function tool(packageName: string, name: string, args: string[]): Promise<Finding> {
  return finding(await runPackageProgram(packageName, name, args))
}

function finding({ status, output }: ProgramOutcome): Finding {
  return { holds: status === 0, output }
}

function programs(): string[] {
  return readdirSync(projectRootPath).filter((name) =>
    /^(contract|api-client|server|web|tests|scripts|bench)$|\.config\.ts$/.test(name),
  )
}

async function examineDocs(): Promise<Finding> {
  if (!existsSync(join(projectRootPath, 'scripts/docs.ts')))
    return { holds: true, note: 'there are none yet' }
  return finding(await runProgram(process.execPath, ['scripts/docs.ts', '--check']))
}

async function examineSize(): Promise<Finding> {
  const sizes = measureWebBundleSizes()
  if (!sizes) return { holds: false, output: 'There is no built web app in dist/web.' }
  const sentences = sizes.map(
    ({ what, bytes, limit }) => `${what} ${kilobytes(bytes)} of ${kilobytes(limit)} kB`,
  )
  return {
    holds: sizes.every(({ bytes, limit }) => bytes <= limit),
    output: sentences.join('\n'),
    note: sentences.join(', '),
  }
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(0)
}

/**
 * If the registry does not answer, the check fails in CI, which must not merge without an audit. A registry
 * without audits is only reported.
 */
async function examineAudit(): Promise<Finding> {
  const { output } = await runProgram('npm', ['audit', '--omit=dev', '--json', '--loglevel=silent'])
  const report = parseReport(output)
  if (report?.statusCode === 404 || report?.statusCode === 405)
    return { holds: true, note: 'this registry has no audits, so this is not known' }
  if (!report?.metadata)
    return { holds: !process.env.CI, output, note: 'the registry gave no answer, so this is not known' }
  const { total } = report.metadata.vulnerabilities
  return { holds: total === 0, output }
}

type AuditReport = { metadata?: { vulnerabilities: { total: number } }; statusCode?: number }

function parseReport(output: string): AuditReport | undefined {
  try {
    return JSON.parse(output) as AuditReport
  } catch {
    return undefined
  }
}
