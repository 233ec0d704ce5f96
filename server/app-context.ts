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
import type { RateLimits } from './http/rate-limits.ts'
import type { ServerLogger } from './log.ts'
import type { CountryLookup } from './net/country-lookup.ts'
import type { OutboundNetwork } from './net/public-address.ts'
import type { SafeFetch } from './net/safe-fetch.ts'
import type { ChangeDelivery } from './realtime/outbox-delivery.ts'
import type { PositionSeal } from './realtime/position-seal.ts'
import type { SocketServer } from './realtime/socket-server.ts'
import type { TransactionalStore } from './store/store.ts'

/** The parts of the running server, built once in app.ts and passed to routes and jobs. */
export type AppContext = {
  config: Config
  log: ServerLogger
  database: Database
  limits: RateLimits
  callerConcurrency: CallerConcurrencyLimit
  lists: ExpensiveListQueryLimiter
  live: ChangeDelivery
  /** The rounds that write notifications; `behind` is the age of what they have read, in seconds. */
  notifications: { behind(): number }
  /** The job that erases accounts; `wake` has it look now. */
  erasing: { wake(): void }
  /** The job that gathers copies of everything; `wake` has it look now. */
  exporting: { wake(): void }
  sockets: SocketServer
  mail: MailSender
  sms: SmsSender
  /** Where both go outside production while nothing else is configured. */
  outbox: DevMessageOutbox | null
  store: TransactionalStore
  /** Seals what must not be read out of the database. */
  instanceKey: InstanceKey
  /** Seals positions in the outbox for clients. */
  positions: PositionSeal
  blobs: BlobStore
  images: ImageProcessor
  /** Upload requests in flight, whichever route they came by. */
  uploadSlots: InFlightQuota
  /** Tells push services who sends. */
  vapid: VapidSigner
  /** Says in which country an address is. */
  countries: CountryLookup
  /** Reaches push services, and nothing of this machine's own network. */
  fetch: SafeFetch
  /** Tests' internet in place of the real one. */
  reach: OutboundNetwork | undefined
  /** Aborted when a stop was asked for, which is some time before the server closes. */
  stopping: AbortSignal
}

/** Adds the routes of one noun. */
export type RouteRegistrar = (app: FastifyInstance, context: AppContext) => void
