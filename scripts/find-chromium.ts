/** Finds a Chromium for the journeys: this machine's, or one that its package manager installs. */
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

/** Keeps Chromium from calling home; its own sandbox does not work for root. */
export const chromiumFlags = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]

/** Path of a Chromium; `CHROMIUM_PATH` names it where it lies elsewhere. */
export function findChromium(): string | undefined {
  return [process.env.CHROMIUM_PATH ?? '', ...onPath(names), ...applications].find(isProgram)
}

/**
 * Path of Chromium's headless shell, the same engine without the browser's own windows (a third of the processor time saved,
 * docs/topics/how-tests-work.md), else of a whole Chromium. Pages it leaves are not kept for Back.
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

/** Finds a Chromium, installing Debian's and its headless shell where we may. @returns its path; undefined where neither works. */
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

/** Installs one by one: where a release of Debian has no headless shell the journeys go on with the whole browser. */
function installDebianPackages(packages: readonly string[]): void {
  console.log('Installing Chromium for the journeys (first time only) …')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const installs = packages.map((name) => ['install', '-y', '--no-install-recommends', name])
  for (const step of [['update'], ...installs]) {
    const { status, stderr } = spawnSync('apt-get', ['-qq', ...step], { env, encoding: 'utf8' })
    if (status !== 0) console.error(stderr.trim())
  }
}
