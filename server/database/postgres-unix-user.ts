/**
 * PostgreSQL refuses to run as root. Root therefore gives PostgreSQL an unused user id and opens the data folder for it,
 * even inside root's home.
 */
import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

export type UnixUser = { uid: number; gid: number }

const isRoot = () => process.getuid?.() === 0

/**
 * @param cluster if the folder exists, its owner is kept
 * @returns null for this process's user
 */
export function choosePostgresUser(cluster: string): UnixUser | null {
  if (!isRoot()) return null
  const owner = statSync(cluster, { throwIfNoEntry: false })
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const taken = new Set(listUsers().map(({ uid }) => uid))
  let uid = 64_999
  while (taken.has(uid)) uid -= 1
  return { uid, gid: uid }
}

/**
 * Finds a named user, which initdb requires. The cluster later belongs to the user of `choosePostgresUser`.
 * @returns null for this process's user
 */
export function findUnprivilegedUnixUser(): UnixUser | null {
  if (!isRoot()) return null
  const users = listUsers()
  return users.find(({ name }) => name === 'nobody') ?? users.find(({ uid }) => uid > 0) ?? null
}

function listUsers(): (UnixUser & { name: string })[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4)
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
}

/** Returns whether every user can read `path` and enter its parent folders. */
export function isPathReadableByEveryUnixUser(path: string): boolean {
  const mode = statSync(path).mode
  if ((mode & 0o005) !== 0o005) return false
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false
    if (folder === dirname(folder)) return true
  }
}
