/** Keeps the community's name and appearance in memory for pages and emails. */
import { type Kysely, sql } from 'kysely'
import { defaultCommunityName } from '#contract/community/community-limits.ts'
import type { DatabaseTables } from '../database/schema.ts'

export type CommunityIdentity = {
  name: string
  /** A hue of web/styles/colors.css. Null means the product's own hue. */
  accent: string | null
  /** The version of the logo, which is part of its URL. */
  logo: string | null
}

export type CommunityIdentityCache = {
  /** Returns the row that was read last. */
  current(): CommunityIdentity
  /** Returns a row at most five seconds old. If the database is down, returns the row that was read last. */
  read(): Promise<CommunityIdentity>
  /** Reads the row now. Call it after a change. */
  refresh(): Promise<void>
}

const defaultIdentity: CommunityIdentity = { name: defaultCommunityName, accent: null, logo: null }

export const isDefaultIdentity = ({ name, accent, logo }: CommunityIdentity): boolean =>
  name === defaultCommunityName && accent === null && logo === null

/** The identity for a server without a database. */
export const defaultCommunityIdentityCache: CommunityIdentityCache = {
  current: () => defaultIdentity,
  read: async () => defaultIdentity,
  refresh: async () => {},
}

/** How long other nodes may show the old identity after a change. */
const keptMs = 5000

export function createCommunityIdentityCache(db: Kysely<DatabaseTables>): CommunityIdentityCache {
  let identity = defaultIdentity
  let readAt = Number.NEGATIVE_INFINITY
  const refresh = async () => {
    const { rows } = await sql<CommunityIdentity>`
      select c.name, c.accent, (select version from community_logo) as logo from community c`.execute(db)
    identity = rows[0] ?? defaultIdentity
    readAt = performance.now()
  }
  return {
    current: () => identity,
    async read() {
      if (performance.now() - readAt > keptMs) await refresh().catch(() => {})
      return identity
    },
    refresh,
  }
}
