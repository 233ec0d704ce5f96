/** `npm run sbom [-- file]` lists the production packages of all platforms as CycloneDX. */
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

/** The packaged Node has its own lock file. */
const folders = ['.', 'scripts/node']
const [product, node] = await Promise.all(folders.map(listLockedPackages))
const bom =
  product && productionOnly({ ...product, components: [...product.components, ...(node?.components ?? [])] })
const text = `${JSON.stringify(bom, null, 2)}\n`
const [file] = process.argv.slice(2)
if (file) writeFileSync(join(projectRootPath, file), text)
else process.stdout.write(text)

async function listLockedPackages(folder: string): Promise<Bom> {
  const { status, output } = await runProgram('npm', [
    ...['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--loglevel=error'],
    ...['--prefix', join(projectRootPath, folder)],
  ])
  if (status === 0) return JSON.parse(output) as Bom
  console.error(output.trim())
  process.exit(1)
}

/** npm's `--omit=dev` would also exclude packages that production shares. */
function productionOnly(bom: Bom): Bom {
  const installed = productionPackages()
  const components = bom.components
    .filter((component) => installed.has(component['bom-ref']))
    .map((component) => ({ ...component, properties: component.properties.filter(isNoMark) }))
  const { component } = bom.metadata
  const dependencies = bom.dependencies
    .filter(({ ref }) => installed.has(ref) || ref === component['bom-ref'])
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => installed.has(other)) }))
  // npm uses the folder's name for the component.
  const metadata = { ...bom.metadata, component: { ...component, name: packageJson.name } }
  return { ...bom, metadata, components, dependencies }
}

function productionPackages(): Set<string> {
  const entries = folders
    .map((folder) => readFileSync(join(projectRootPath, folder, 'package-lock.json'), 'utf8'))
    .flatMap((lock) => Object.entries((JSON.parse(lock) as Lock).packages))
    .filter(([path, { dev }]) => path !== '' && !dev)
  return new Set(
    entries.map(([path, { name, version }]) => `${name ?? path.split('node_modules/').at(-1)}@${version}`),
  )
}

/** npm sets its development mark if any copy of the package is for development. */
function isNoMark({ name }: { name: string }): boolean {
  return name !== 'cdx:npm:package:development'
}
