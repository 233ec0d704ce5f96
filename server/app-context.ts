import type { FastifyInstance } from 'fastify'
import type { InstanceKey } from './auth/instance-key.ts'
import type { VapidSigner } from './auth/vapid.ts'
import type { BlobStore } from './blobs/blob-store.ts'
import type { ExpensiveListQueryLimiter } from './concurrency/expensive-list-query-limiter.ts'
import type { InFlightQuota } from './concurrency/in-flight-quota.ts'
import type { Config } from './config.ts'
import type { Database } from './database/open-database.ts'
import type { DevMessageOutbox } from './email/dev-outbox.ts'
import type { EmailSender } from './email/email-sender.ts'
import type { SmsSender } from './email/sms.ts'
import type { CallerConcurrencyLimit } from './http/caller-concurrency.ts'
import type { CommunityIdentityCache } from './http/community-identity.ts'
import type { RateLimits } from './http/rate-limits.ts'
import type { ImageProcessor } from './images/image-processor.ts'
import type { ServerLogger } from './log.ts'
import type { CountryLookup } from './net/country-lookup.ts'
import type { OutboundNetwork } from './net/public-address.ts'
import type { SafeFetch } from './net/safe-fetch.ts'
import type { ChangeDelivery } from './realtime/outbox-delivery.ts'
import type { PositionSeal } from './realtime/position-seal.ts'
import type { SocketServer } from './realtime/socket-server.ts'
import type { TransactionalStore } from './store/store.ts'

export type AppContext = {
  config: Config
  log: ServerLogger
  database: Database
  limits: RateLimits
  callerConcurrency: CallerConcurrencyLimit
  lists: ExpensiveListQueryLimiter
  live: ChangeDelivery
  /** `behind` returns the age of the backlog in seconds. */
  notifications: { behind(): number }
  /** `wake` runs the erasure job now. */
  erasing: { wake(): void }
  exporting: { wake(): void }
  sockets: SocketServer
  emails: EmailSender
  identity: CommunityIdentityCache
  sms: SmsSender
  /** Present outside production, if no mail server or gateway is configured. */
  outbox: DevMessageOutbox | null
  store: TransactionalStore
  /** Encrypts secrets stored in the database. */
  instanceKey: InstanceKey
  positions: PositionSeal
  blobs: BlobStore
  images: ImageProcessor
  uploadSlots: InFlightQuota
  vapid: VapidSigner
  countries: CountryLookup
  /** Never reaches internal networks. */
  fetch: SafeFetch
  reach: OutboundNetwork | undefined
  /** Aborted when a stop is requested, before the server closes. */
  stopping: AbortSignal
}

export type RouteRegistrar = (app: FastifyInstance, context: AppContext) => void
