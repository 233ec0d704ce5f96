/**
 * `npm run release [-- linux-x64]` packs the committed version into archives that run without npm and build, in
 * .cache/release. Requires git, GNU tar and gzip.
 */
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { carriedPaths, isCarriedFile, readReleaseNotes } from './release/archive-contents.ts'
import { projectRootPath, runProgram, toolCacheFolder } from './run-tool.ts'

const targets = { 'linux-x64': 'x64', 'linux-arm64': 'arm64' }
type Target = keyof typeof targets

const { version } = packageJson
const output = join(toolCacheFolder, 'release')
const clone = join(output, 'clone')
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !Object.hasOwn(targets, name))
if (unknown.length > 0)
  giveUp(`There is no archive for ${unknown.join(', ')}: ${Object.keys(targets).join(', ')}.`)
const chosen = (asked.length > 0 ? asked : Object.keys(targets)) as Target[]

const { output: changes } = await run('git', ['status', '--porcelain'])
if (changes !== '') console.log(`These uncommitted changes are not included:\n${changes}`)
const { output: committedAt } = await run('git', ['log', '-1', '--format=%ct'])

rmSync(output, { recursive: true, force: true })
mkdirSync(output, { recursive: true })
console.log(`Building Juntas ${version} …`)
await run('git', ['clone', '--quiet', '--no-hardlinks', projectRootPath, clone])
await run('npm', ['ci', '--omit=dev', ...npmFlags()], clone)
await run(process.execPath, ['scripts/run-task.mjs', 'build'], clone)

const made: string[] = []
for (const target of chosen) made.push(await pack(target))
const bom = `juntas-${version}.cdx.json`
await run(process.execPath, ['scripts/sbom.ts', 'bom.json'], clone)
cpSync(join(clone, 'bom.json'), join(output, bom))
made.push(bom)
writeFileSync(join(output, 'SHA256SUMS'), made.map((name) => `${hash(name)}  ${name}\n`).join(''))
writeFileSync(join(output, 'NOTES.md'), notes())
rmSync(clone, { recursive: true, force: true })
for (const name of [...made, 'SHA256SUMS', 'NOTES.md']) {
  const megabytes = statSync(join(output, name)).size / 1e6
  console.log(`.cache/release/${name}  ${megabytes.toFixed(1)} MB`)
}

async function pack(target: Target): Promise<string> {
  const name = `juntas-${version}-${target}`
  console.log(`Packing ${name} …`)
  const folder = join(output, name)
  for (const path of carriedPaths)
    cpSync(join(clone, path), join(folder, path), { recursive: true, filter: isCarriedFile })
  cpSync(join(clone, 'dist'), join(folder, 'dist'), { recursive: true })
  const platform = ['--os=linux', `--cpu=${targets[target]}`, '--libc=glibc', ...npmFlags()]
  await run('npm', ['ci', '--omit=dev', ...platform], folder)
  await run(process.execPath, ['scripts/prepare-packages-to-run.ts', folder], clone)
  await run('npm', ['ci', '--prefix', 'scripts/node', ...platform], folder)
  const node = join(folder, 'scripts/node/node_modules', `node-${target}`)
  for (const part of ['include', 'share']) rmSync(join(node, part), { recursive: true, force: true })
  const archive = `${name}.tar.gz`
  await run(
    'tar',
    [
      ...['--sort=name', `--mtime=@${committedAt.trim()}`, '--owner=0', '--group=0', '--numeric-owner'],
      ...['--mode=u+rw,go=rX', '--use-compress-program=gzip -n', '-cf', archive, name],
    ],
    output,
  )
  rmSync(folder, { recursive: true })
  return archive
}

function notes(): string {
  const text = readReleaseNotes(readFileSync(join(clone, 'CHANGELOG.md'), 'utf8'), version)
  return text ?? giveUp('CHANGELOG.md has neither a section of this version nor Unreleased.')
}

function npmFlags(): string[] {
  return ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
}

function hash(name: string): string {
  return createHash('sha256')
    .update(readFileSync(join(output, name)))
    .digest('hex')
}

async function run(program: string, args: string[], cwd = projectRootPath): Promise<{ output: string }> {
  const outcome = await runProgram(program, args, { cwd })
  if (outcome.status !== 0) giveUp(`${program} ${args.join(' ')} failed.\n\n${outcome.output}`)
  return outcome
}

function giveUp(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}
