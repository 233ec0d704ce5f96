/**
 * `npm run sbom [-- file]`: prints or writes the packages of production, for every platform, as CycloneDX: name, version,
 * licence and hash.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { projectRootPath, runProgram } from './run-tool.ts'

type Component = { 'bom-ref': string; name: string; properties: { name: string; value: string }[] }
type Bom = {
  metadata: { component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}
type Lock = { packages: Record<string, { name?: string; version: string; dev?: true }> }

const { status, output } = await runProgram('npm', [
  'sbom',
  '--sbom-format=cyclonedx',
  '--package-lock-only',
  '--loglevel=error',
])
if (status !== 0) {
  console.error(output.trim())
  process.exit(1)
}

const bom = productionOnly(JSON.parse(output) as Bom)
const text = `${JSON.stringify(bom, null, 2)}\n`
const [file] = process.argv.slice(2)
if (file) writeFileSync(join(projectRootPath, file), text)
else process.stdout.write(text)

/** Leaves out what only developers install; `--omit=dev` would also leave out what both production and they ask for. */
function productionOnly(bom: Bom): Bom {
  const installed = productionPackages()
  const components = bom.components
    .filter((component) => installed.has(component['bom-ref']))
    .map((component) => ({ ...component, properties: component.properties.filter(isNoMark) }))
  const { component } = bom.metadata
  const dependencies = bom.dependencies
    .filter(({ ref }) => installed.has(ref) || ref === component['bom-ref'])
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => installed.has(other)) }))
  // npm names the whole after its folder.
  const metadata = { ...bom.metadata, component: { ...component, name: packageJson.name } }
  return { ...bom, metadata, components, dependencies }
}

/** `name@version` of each. */
function productionPackages(): Set<string> {
  const lock = JSON.parse(readFileSync(join(projectRootPath, 'package-lock.json'), 'utf8')) as Lock
  const entries = Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && !dev)
  return new Set(
    entries.map(([path, { name, version }]) => `${name ?? path.split('node_modules/').at(-1)}@${version}`),
  )
}

/** Drops npm's development mark: it marks a version when only one of its copies is a developer's. */
function isNoMark({ name }: { name: string }): boolean {
  return name !== 'cdx:npm:package:development'
}
