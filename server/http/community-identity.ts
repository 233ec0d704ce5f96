/** The community's identity is kept in memory, for pages and emails. */
import { type Kysely, sql } from 'kysely'
import { defaultCommunityName } from '#contract/community/community-name-and-logo.ts'
import type { DatabaseTables } from '../database/schema.ts'

export type CommunityIdentity = {
  name: string
  /** A hue of web/styles/colors.css. Null for the product's own. */
  accent: string | null
  logo: string | null
}

export type CommunityIdentityCache = {
  current(): CommunityIdentity
  /** The result is at most five seconds old, unless the database is down. */
  read(): Promise<CommunityIdentity>
  /** Call this after a change of the identity. */
  refresh(): Promise<void>
}

const defaultIdentity: CommunityIdentity = { name: defaultCommunityName, accent: null, logo: null }

export const isDefaultIdentity = ({ name, accent, logo }: CommunityIdentity): boolean =>
  name === defaultCommunityName && accent === null && logo === null

export const defaultCommunityIdentityCache: CommunityIdentityCache = {
  current: () => defaultIdentity,
  read: async () => defaultIdentity,
  refresh: async () => {},
}

/** Other nodes show a change within this time. */
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
