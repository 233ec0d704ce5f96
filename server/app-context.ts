import type { FastifyInstance } from 'fastify'
import type { InstanceKey } from './auth/instance-key.ts'
import type { VapidSigner } from './auth/vapid.ts'
import type { BlobStore } from './blobs/blob-store.ts'
import type { ExpensiveListQueryLimiter } from './concurrency/expensive-list-query-limiter.ts'
import type { InFlightQuota } from './concurrency/in-flight-quota.ts'
import type { Config } from './config.ts'
import type { Database } from './database/open-database.ts'
import type { DevMessageOutbox } from './email/dev-outbox.ts'
import type { MailSender } from './email/mail.ts'
import type { SmsSender } from './email/sms.ts'
import type { ImageProcessor } from './files/image-processor.ts'
import type { CallerConcurrencyLimit } from './http/caller-concurrency.ts'
import type { CommunityIdentityCache } from './http/community-identity.ts'
import type { RateLimits } from './http/rate-limits.ts'
import type { ServerLogger } from './log.ts'
import type { CountryLookup } from './net/country-lookup.ts'
import type { OutboundNetwork } from './net/public-address.ts'
import type { SafeFetch } from './net/safe-fetch.ts'
import type { ChangeDelivery } from './realtime/outbox-delivery.ts'
import type { PositionSeal } from './realtime/position-seal.ts'
import type { SocketServer } from './realtime/socket-server.ts'
import type { TransactionalStore } from './store/store.ts'

/** The parts of the running server. app.ts builds them for routes and jobs. */
export type AppContext = {
  config: Config
  log: ServerLogger
  database: Database
  limits: RateLimits
  callerConcurrency: CallerConcurrencyLimit
  lists: ExpensiveListQueryLimiter
  live: ChangeDelivery
  /** The notification job. `behind` returns the age of its backlog in seconds. */
  notifications: { behind(): number }
  /** The erasure job. `wake` runs it now. */
  erasing: { wake(): void }
  /** The data-export job. `wake` runs it now. */
  exporting: { wake(): void }
  sockets: SocketServer
  mail: MailSender
  identity: CommunityIdentityCache
  sms: SmsSender
  /** Collects emails and text messages outside production if no mail server or gateway is configured. */
  outbox: DevMessageOutbox | null
  store: TransactionalStore
  /** Encrypts secrets stored in the database. */
  instanceKey: InstanceKey
  /** Encrypts outbox positions for clients. */
  positions: PositionSeal
  blobs: BlobStore
  images: ImageProcessor
  /** All running upload requests. */
  uploadSlots: InFlightQuota
  /** Signs pushes, which identifies this server to push services. */
  vapid: VapidSigner
  countries: CountryLookup
  /** Fetches from the internet, including push services, but not from internal networks. */
  fetch: SafeFetch
  /** Replaces the internet in tests. */
  reach: OutboundNetwork | undefined
  /** Aborted when a stop is requested, before the server closes. */
  stopping: AbortSignal
}

/** Adds the routes of one noun. */
export type RouteRegistrar = (app: FastifyInstance, context: AppContext) => void
