import { createInstanceKey } from '#server/auth/instance-key.ts'
import { createVapidSigner } from '#server/auth/vapid.ts'
import { readConfig } from '#server/config.ts'
import { type PushContext, sendDuePushes } from '#server/features/notifications/push/send-pushes.ts'
import { createCommunityIdentityCache } from '#server/http/community-identity.ts'
import { createServerLogger } from '#server/log.ts'
import type { OutboundNetwork } from '#server/net/public-address.ts'
import { createSafeFetch } from '#server/net/safe-fetch.ts'
import { settleNotifications } from '../settle-notifications.ts'
import type { TestWorld } from '../world.ts'

/** No push service is reachable, so pushes that the server itself sends stay due. */
export const unreachableNetwork: OutboundNetwork = {
  lookup: async () => {
    throw new Error('there is no network')
  },
  allows: () => false,
  ports: [],
}

export const inMinutes = (minutes: number, from: Date | number = Date.now()) =>
  new Date(Number(from) + minutes * 60_000)

/** @returns a node's push functions, with `reach` as its network */
export function createPushRounds(
  { dataDir, database }: Pick<TestWorld, 'dataDir' | 'database'>,
  env: Record<string, string>,
  reach: OutboundNetwork,
) {
  const config = readConfig({ DATA_DIR: dataDir, PUBLIC_URL: 'http://localhost:3000', ...env })
  const ctx: PushContext = {
    config,
    database,
    log: createServerLogger('silent'),
    identity: createCommunityIdentityCache(database.kysely),
    vapid: createVapidSigner(config, createInstanceKey(config, database)),
    fetch: createSafeFetch([], reach, { connect: 3000, total: 5000 }),
  }
  return {
    ctx,
    /** Sends pushes due at `now`, by default an hour ahead. */
    async sendDuePushes(now = inMinutes(60)): Promise<void> {
      await settleNotifications(database)
      while ((await sendDuePushes(ctx, now)) > 0);
    },
  }
}
