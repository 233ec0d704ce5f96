/** What the running server is made of; built once in app.ts and handed to whoever needs it. */
import type { Blobs } from './blobs.ts'
import type { Config } from './config.ts'
import type { Database } from './database/open.ts'
import type { Images } from './images.ts'
import type { Limits } from './limits.ts'
import type { Live } from './live.ts'
import type { Log } from './log.ts'
import type { Mail } from './mail.ts'
import type { Sms } from './sms.ts'
import type { Store } from './store.ts'

export type Parts = {
  config: Config
  log: Log
  database: Database
  limits: Limits
  live: Live
  mail: Mail
  sms: Sms
  store: Store
  blobs: Blobs
  images: Images
}
