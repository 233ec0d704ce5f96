/**
 * Detects outdated builds in dist/. This module is plain JavaScript without dependencies, because
 * scripts/run-task.mjs loads it on Node 20 and the built server loads it at every start.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The sources of dist/<part> and the command that builds it. */
export const parts = {
  web: {
    sources: ['web', 'contract', 'vite.config.ts', 'scripts/languages', 'package-lock.json'],
    command: ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'],
  },
  server: {
    sources: ['server', 'contract', 'scripts/build-server.ts', 'package-lock.json'],
    command: ['scripts/build-server.ts'],
  },
}

/** @param {string} root @param {'web' | 'server'} part */
export const stampPath = (root, part) => join(root, 'dist', `${part}.stamp`)

/**
 * Hashes a part's sources, without tests.
 * @param {string} root @param {'web' | 'server'} part @returns {string}
 */
export function hashSources(root, part) {
  const hash = createHash('sha256')
  const add = (/** @type {string} */ path) => {
    const full = join(root, path)
    if (!existsSync(full) || /\.(test|spec)\.tsx?$/.test(path)) return
    if (statSync(full).isDirectory()) for (const entry of readdirSync(full).sort()) add(`${path}/${entry}`)
    else hash.update(path).update('\0').update(readFileSync(full)).update('\0')
  }
  for (const path of parts[part].sources) add(path)
  return hash.digest('hex')
}

/**
 * Whether dist/<part> was built from the current sources.
 * @param {string} root @param {'web' | 'server'} part @returns {boolean}
 */
function isBuiltFromSources(root, part) {
  const stamp = stampPath(root, part)
  return (
    existsSync(join(root, 'dist', part)) &&
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === hashSources(root, part)
  )
}

/**
 * Finds outdated parts of dist/. A container image may omit the sources; absent sources count as unchanged.
 * @param {string} root @returns {string[]}
 */
export const findOutdatedParts = (root) =>
  /** @type {const} */ (['web', 'server']).filter(
    (part) =>
      parts[part].sources.every((path) => existsSync(join(root, path))) && !isBuiltFromSources(root, part),
  )
