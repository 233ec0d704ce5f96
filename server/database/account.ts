/**
 * PostgreSQL refuses to run as root, rightly. Started by root, it runs under a user id that nobody else has and is
 * handed its folder by root, so that it works wherever that folder lies: also below root's closed home.
 */
import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

export type Account = { uid: number; gid: number }

const isRoot = () => process.getuid?.() === 0

/**
 * The account that PostgreSQL runs under; null means our own.
 * @param cluster its folder; one that exists keeps its owner.
 */
export function accountFor(cluster: string): Account | null {
  if (!isRoot()) return null
  const owner = statSync(cluster, { throwIfNoEntry: false })
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const taken = new Set(listedAccounts().map(({ uid }) => uid))
  let uid = 64_999
  while (taken.has(uid)) uid -= 1
  return { uid, gid: uid }
}

/**
 * An unprivileged account that has a name, which initdb insists on; null means our own.
 * What it makes is handed to the account of `accountFor` afterwards.
 */
export function namedAccount(): Account | null {
  if (!isRoot()) return null
  const accounts = listedAccounts()
  return accounts.find(({ name }) => name === 'nobody') ?? accounts.find(({ uid }) => uid > 0) ?? null
}

function listedAccounts(): (Account & { name: string })[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4)
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
}

/** Whether every account can reach and read `path`: each folder above lets it pass. */
export function openToAll(path: string): boolean {
  const mode = statSync(path).mode
  if ((mode & 0o005) !== 0o005) return false
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false
    if (folder === dirname(folder)) return true
  }
}
