/** Builds the server from its parts. main.ts and the tests call the same function. */
import type { Socket } from 'node:net'
import cookie from '@fastify/cookie'
import {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
} from 'fastify'
import type { ErrorType } from '#contract/errors.ts'
import { dialectAccount } from './appwrite/account.ts'
import { avatarRoutes } from './appwrite/avatars.ts'
import { changeDocuments } from './appwrite/change-documents.ts'
import { dialectDocuments } from './appwrite/documents.ts'
import { guardProject } from './appwrite/project.ts'
import { dialectRealtime } from './appwrite/realtime.ts'
import { remoteAvatarRoutes } from './appwrite/remote-avatars.ts'
import { storageRoutes } from './appwrite/storage.ts'
import { openBlobs } from './blobs-open.ts'
import { boundAnswers, boundBodies, boundHeaders } from './bodies.ts'
import { demandComplete, ofJuntas } from './complete-collections.ts'
import type { Config } from './config.ts'
import type { Database } from './database/open.ts'
import { asFailure, errorBody, Failure, isWantOfRoom } from './errors.ts'
import { accountOperations } from './features/account.ts'
import { chatOperations } from './features/chat.ts'
import { feedOperations } from './features/feed.ts'
import { groupMemberOperations } from './features/group-members.ts'
import { groupPostOperations } from './features/group-posts.ts'
import { groupRequestOperations } from './features/group-requests.ts'
import { groupOperations } from './features/groups.ts'
import { likeOperations } from './features/likes.ts'
import { liveOperations } from './features/live.ts'
import { messageOperations } from './features/messages.ts'
import { peopleOperations } from './features/people.ts'
import { postListOperations } from './features/post-lists.ts'
import { postOperations } from './features/posts.ts'
import { hardening, rawRefusal, securityHeaders } from './headers.ts'
import { serveHealth } from './health.ts'
import { newId } from './ids.ts'
import { createImages } from './images.ts'
import { acceptJson } from './json.ts'
import { createLimits } from './limits.ts'
import { openCounterStore } from './limits-store.ts'
import { createLive } from './live.ts'
import type { Log } from './log.ts'
import { createMail } from './mail.ts'
import { serveMetrics } from './metrics.ts'
import { noteMethods } from './offered-methods.ts'
import { guardOrigins } from './origins.ts'
import { createOutbox, serveOutbox } from './outbox.ts'
import type { Parts } from './parts.ts'
import { recognise } from './recognise.ts'
import { serveReference } from './reference.ts'
import type { Reach } from './remote-address.ts'
import { demandClasses, forAnybody } from './route-classes.ts'
import { createSms } from './sms.ts'
import { createStore } from './store.ts'
import { keepSweeping } from './sweeps.ts'
import { serveWeb } from './web.ts'

const kilobyte = 1024
/** Five thousand sockets, and the requests beside them (decision 0708). */
const mostConnections = 6000

/** @param given what main.ts opened; everything else is made here */
export async function buildApp(given: {
  config: Config
  log: Log
  database: Database
  /** The internet, unless tests have a small one of their own. */
  reach?: Reach
  /** Aborted when a stop was asked for, which is some time before `close`. */
  stopping?: AbortSignal
}): Promise<FastifyInstance> {
  const { config, log, database } = given
  const app: FastifyInstance = fastify({
    loggerInstance: log as FastifyBaseLogger,
    genReqId: () => newId(12),
    requestIdHeader: false,
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    bodyLimit: 256 * kilobyte,
    // Fastify's own defaults leave a slow body open for ever (security reference M5, §5.5). This is for a piece of an
    // upload on a slow line; everything else is bounded by bodies.ts.
    requestTimeout: 600_000,
    keepAliveTimeout: 15_000,
    maxRequestsPerSocket: 1000,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 2000, maxHeaderSize: 16 * kilobyte },
    routerOptions: { maxParamLength: 128 },
    // Shapes are the contract's. Fastify's own compilers of JSON schemas are loaded at every start unless there are others.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    forceCloseConnections: 'idle',
    // What still comes over a connection that was open is answered like everything else.
    return503OnClosing: false,
    // What is no HTTP, or too much of it, is refused in our words too.
    clientErrorHandler: (error, socket) => refuseBrokenRequest(config, error, socket),
    // An address that cannot be decoded never reaches the hooks, and is refused like everything else all the same.
    frameworkErrors: (error, request, reply) => {
      reply.headers(hardening(config))
      answerError(error, request, reply)
    },
  })
  app.server.maxConnections = mostConnections
  const counters = await openCounterStore({ config, database, log })
  app.addHook('onClose', async () => counters.close())
  demandComplete(ofJuntas)
  demandClasses(app)
  const methodsAt = noteMethods(app)
  const outbox = config.production ? null : createOutbox()
  const live = await createLive({ config, log, database, documents: changeDocuments(database, config) })
  const parts: Parts = {
    config,
    log,
    database,
    limits: createLimits(config, counters),
    live,
    mail: await createMail(config, log, outbox),
    sms: createSms(config, log, outbox),
    store: createStore(database, live.wake),
    blobs: await openBlobs(config),
    images: createImages(),
  }

  app.setErrorHandler(answerError)
  boundBodies(app)
  boundAnswers(app)
  acceptJson(app)
  securityHeaders(app, config)
  boundHeaders(app)
  guardProject(app, config)
  guardOrigins(app, config)
  await app.register(cookie)
  app.decorateRequest('caller', null)
  app.addHook('preParsing', async (request) => {
    request.caller = await recognise(request, config, database)
  })

  app.addHook('onClose', async () => {
    await Promise.all([parts.mail.settled(), parts.sms.settled()])
  })
  if (outbox) serveOutbox(app, outbox)

  serveHealth(app, parts, given.stopping ?? new AbortController().signal)
  serveMetrics(app, parts)
  app.get('/v1/ping', { config: forAnybody }, async () => 'Pong!')
  accountOperations(app, parts)
  peopleOperations(app, parts)
  feedOperations(app, parts)
  postOperations(app, parts)
  postListOperations(app, parts)
  likeOperations(app, parts)
  groupOperations(app, parts)
  groupPostOperations(app, parts)
  groupRequestOperations(app, parts)
  groupMemberOperations(app, parts)
  chatOperations(app, parts)
  messageOperations(app, parts)
  liveOperations(app, parts)
  app.addHook('onClose', keepSweeping(parts))
  dialectAccount(app, parts)
  dialectDocuments(app, parts)
  dialectRealtime(app, parts)
  storageRoutes(app, parts)
  avatarRoutes(app, parts)
  remoteAvatarRoutes(app, parts, given.reach)
  serveReference(app)
  app.addHook('onClose', async () => parts.images.close())
  await serveWeb(app, methodsAt)
  return app
}

function noSchemas(): never {
  throw new Error('A route has a JSON schema.')
}

/** By the codes of Node's parser; everything else it stumbles over is the sender's fault. */
const ofParser: Record<string, ErrorType> = {
  HPE_HEADER_OVERFLOW: 'general_headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'general_request_timeout',
}

function refuseBrokenRequest(config: Config, { code = '' }: NodeJS.ErrnoException, socket: Socket): void {
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  socket.end(rawRefusal(config, new Failure(ofParser[code] ?? 'general_argument_invalid')))
}

/** What Fastify itself refuses, in our catalogue's words. */
const ofFastify: Record<number, ConstructorParameters<typeof Failure>[0]> = {
  400: 'general_argument_invalid',
  404: 'general_route_not_found',
  405: 'general_method_not_allowed',
  413: 'general_payload_too_large',
  414: 'general_argument_invalid',
  415: 'general_content_type_invalid',
}

/** What an operator looks for: somebody tries what is not hers, or too often (security reference §5.8). */
const watched = new Set<string>([
  'user_unauthorized',
  'group_membership_required',
  'group_approve_admin_required',
  'group_reject_admin_required',
  'general_unknown_origin',
  'general_rate_limit_exceeded',
])

function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const foreseen = asFailure(error)
  const failure =
    foreseen ?? new Failure(ofFastify[error.statusCode ?? 500] ?? 'general_unknown', { cause: error })
  if (watched.has(failure.type) || isWantOfRoom(failure)) {
    const account = request.caller?.account.publicId
    request.log.warn({ type: failure.type, account }, 'a request was refused')
  } else if (failure.status >= 500) request.log.error({ type: failure.type, err: error }, 'a request failed')
  else request.log.debug({ type: failure.type }, 'a request was refused')
  if (failure.retryAfter !== undefined) reply.header('retry-after', failure.retryAfter)
  return reply.status(failure.status).header('cache-control', 'no-store').send(errorBody(failure))
}
