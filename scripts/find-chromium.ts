import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const headlessShell = 'chromium-headless-shell'
const applications = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
]

/** Prevents requests to Google. For root, the sandbox is also disabled, because Chromium cannot start it as root. */
export const chromiumFlags = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]

/** `CHROMIUM_PATH` overrides the search. */
export function findChromium(): string | undefined {
  return [process.env.CHROMIUM_PATH ?? '', ...onPath(names), ...applications].find(isProgram)
}

/**
 * The shell takes a third less processor time than the full browser (docs/topics/how-tests-work.md), but has no
 * back/forward cache.
 */
export function findHeadlessShell(): string | undefined {
  return [process.env.CHROMIUM_PATH ?? '', ...onPath([headlessShell])].find(isProgram) ?? findChromium()
}

function onPath(programs: readonly string[]): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return programs.flatMap((name) => folders.map((folder) => join(folder, name)))
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return path !== ''
  } catch {
    return false
  }
}

export const missingChromiumMessage =
  'The journeys need a Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH to one.'

/** Installs missing packages if run as root on Debian. @returns the path; undefined if none works */
export function ensureChromium(): string | undefined {
  if (!process.env.CHROMIUM_PATH && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const missing = [
      ...(findChromium() ? [] : ['chromium']),
      ...(onPath([headlessShell]).some(isProgram) ? [] : [headlessShell]),
    ]
    if (missing.length > 0) installDebianPackages(missing)
  }
  return findChromium()
}

/** Installs one by one, because some Debian releases lack the headless shell. */
function installDebianPackages(packages: readonly string[]): void {
  console.log('Installing Chromium for the journeys (first time only) …')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const installs = packages.map((name) => ['install', '-y', '--no-install-recommends', name])
  for (const step of [['update'], ...installs]) {
    const { status, stderr } = spawnSync('apt-get', ['-qq', ...step], { env, encoding: 'utf8' })
    if (status !== 0) console.error(stderr.trim())
  }
}
