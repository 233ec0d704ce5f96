/**
 * Chooses the Unix user that the embedded PostgreSQL runs as, because it refuses to run as root. Started by root, it gets a
 * user id that nobody else has; root opens its folder for it, so the folder may lie anywhere, below root's closed home too.
 */
import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

export type UnixUser = { uid: number; gid: number }

const isRoot = () => process.getuid?.() === 0

/**
 * Chooses the user that PostgreSQL runs as.
 * @param cluster its folder; one that exists keeps its owner
 * @returns null for the user of this process
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
 * Finds an unprivileged user with a name, without which initdb does not run. What initdb makes is given to the user of
 * `choosePostgresUser` afterwards.
 * @returns null for the user of this process
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

/** Tells whether every user can read `path` and pass through each folder above it. */
export function isPathReadableByEveryUnixUser(path: string): boolean {
  const mode = statSync(path).mode
  if ((mode & 0o005) !== 0o005) return false
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false
    if (folder === dirname(folder)) return true
  }
}
