import cookie from '@fastify/cookie'
import { type FastifyBaseLogger, type FastifyError, type FastifyInstance, fastify } from 'fastify'
import type { contractModules } from '#contract/index.ts'
import type { AppContext, RouteRegistrar } from './app-context.ts'
import { type AppwriteApi, appwriteApi } from './appwrite/routes.ts'
import { authenticateRequest } from './auth/authenticate.ts'
import { storeIssuersOfEarlierIdentities } from './auth/identity-issuers.ts'
import { createInstanceKey } from './auth/instance-key.ts'
import { assertPasskeyHostUnchanged } from './auth/passkey-host.ts'
import { createVapidSigner } from './auth/vapid.ts'
import { openBlobStore } from './blobs/open-blob-store.ts'
import { createExpensiveListQueryLimiter } from './concurrency/expensive-list-query-limiter.ts'
import type { Config } from './config.ts'
import type { Database } from './database/open-database.ts'
import { createDevOutbox } from './email/dev-outbox.ts'
import { createEmailSender } from './email/email-sender.ts'
import { createSmsSender } from './email/sms.ts'
import { registerAccountSettingsRoutes } from './features/account/account-settings-routes.ts'
import { registerConnectedIdentityRoutes } from './features/account/connected-identity-routes.ts'
import { registerCurrentMemberRoutes } from './features/account/current-member-routes.ts'
import { registerDeviceRoutes } from './features/account/device-routes.ts'
import { registerEmailLinkRoutes } from './features/account/email-link-routes.ts'
import { registerPasskeyRoutes } from './features/account/passkey-routes.ts'
import { registerProviderSignInRoutes } from './features/account/provider-sign-in-routes.ts'
import { registerSecurityLogRoutes } from './features/account/security-log-routes.ts'
import { registerSessionRoutes } from './features/account/session-routes.ts'
import { registerSignUpRoutes } from './features/account/sign-up-routes.ts'
import { registerTwoFactorVerificationRoutes } from './features/account/two-factor-authentication-routes.ts'
import { registerUsernameRoutes } from './features/account/username-routes.ts'
import { registerInstanceRoutes } from './features/admin/instance-routes.ts'
import { registerAdminMemberRoutes } from './features/admin/member-routes.ts'
import { registerOperatorActRoutes } from './features/admin/operator-act-routes.ts'
import { registerSuspensionProposalRoutes } from './features/admin/suspension-proposal-routes.ts'
import { registerConversationRoutes } from './features/chat/conversation-routes.ts'
import { registerMessageRequestRoutes } from './features/chat/message-request-routes.ts'
import { registerMessageRoutes } from './features/chat/message-routes.ts'
import { registerMessageSearchRoutes } from './features/chat/message-search-routes.ts'
import { registerReactionRoutes } from './features/chat/reaction-routes.ts'
import { collectionEffects } from './features/collection-effects.ts'
import { registerCommentRoutes } from './features/comments/comment-routes.ts'
import { registerMentionSuggestionRoutes } from './features/comments/mention-suggestion-routes.ts'
import { registerApplicationRoutes } from './features/community/application-routes.ts'
import { registerCommunityIdentityRoutes } from './features/community/community-identity-routes.ts'
import { registerCommunityRoutes } from './features/community/community-routes.ts'
import { registerInvitationRoutes } from './features/community/invitation-routes.ts'
import { registerOperatorFirstStepsRoutes } from './features/community/operator-first-steps-routes.ts'
import { registerCommunitySetupRoutes } from './features/community/setup-routes.ts'
import { registerWelcomeRoutes } from './features/community/welcome-routes.ts'
import { registerAccountExportRoutes } from './features/data-export/export-routes.ts'
import { startExportWorker } from './features/data-export/export-worker.ts'
import { registerAccountDeletionRoutes } from './features/deletion/deletion-routes.ts'
import { startDeletionWorker } from './features/deletion/deletion-worker.ts'
import { registerFileRoutes } from './features/files/file-routes.ts'
import { startGroupDeletionWorker } from './features/groups/group-deletion-worker.ts'
import { registerGroupMemberRoutes } from './features/groups/group-member-routes.ts'
import { registerGroupPostListRoutes } from './features/groups/group-post-list-routes.ts'
import { registerGroupRequestRoutes } from './features/groups/group-request-routes.ts'
import { registerGroupRoutes } from './features/groups/group-routes.ts'
import { registerModerationCaseRoutes } from './features/moderation/case-routes.ts'
import { registerGroupQueueRoutes } from './features/moderation/group-queue-routes.ts'
import { registerAppealRoutes } from './features/moderation/notice-and-appeal-routes.ts'
import { registerReportRoutes } from './features/moderation/report-routes.ts'
import { registerNotificationPreferenceRoutes } from './features/notifications/notification-preference-routes.ts'
import { registerNotificationRoutes } from './features/notifications/notification-routes.ts'
import { startNotificationWorker } from './features/notifications/notification-worker.ts'
import { registerDeliveryPreferenceRoutes } from './features/notifications/push/delivery-preference-routes.ts'
import { registerPushSubscriptionRoutes } from './features/notifications/push/push-subscription-routes.ts'
import { startPushWorker } from './features/notifications/push/push-worker.ts'
import { startFollowerApprovalWorker } from './features/people/approve-waiting-followers.ts'
import { registerBlockRoutes } from './features/people/block-routes.ts'
import { registerFollowRequestRoutes } from './features/people/follow-request-routes.ts'
import { registerInitialsRoutes } from './features/people/initials-routes.ts'
import { registerMuteRoutes } from './features/people/mute-routes.ts'
import { registerPeopleRoutes } from './features/people/people-routes.ts'
import { registerPrivacySettingsRoutes } from './features/people/privacy-settings-routes.ts'
import { registerRestrictionRoutes } from './features/people/restriction-routes.ts'
import { registerPhotoTagRoutes } from './features/photo-tags/photo-tag-routes.ts'
import { registerPhotosOfMeRoutes } from './features/photo-tags/photos-of-me-routes.ts'
import { registerAltTextReminderRoute } from './features/posts/alt-text-reminder-route.ts'
import { registerAudiencePreviewRoutes } from './features/posts/audience-preview-routes.ts'
import { registerHomeFeedRoutes } from './features/posts/home-feed-routes.ts'
import { registerLikeAndSaveRoutes } from './features/posts/like-and-save-routes.ts'
import { registerPlaceRoutes } from './features/posts/place-routes.ts'
import { registerPostEditRoutes } from './features/posts/post-edit-routes.ts'
import { registerPostListRoutes } from './features/posts/post-list-routes.ts'
import { registerPostRoutes } from './features/posts/post-routes.ts'
import { registerShareTargetRoutes } from './features/posts/share-target-routes.ts'
import { registerTagRoutes } from './features/posts/tag-routes.ts'
import { startTrendingWorker } from './features/posts/trending/trending-worker.ts'
import { registerRealtimeRoutes } from './features/realtime/realtime-routes.ts'
import { selectRequestedFileWithCaller } from './files/file-response.ts'
import { createUploadQuota } from './files/receive-upload-chunk.ts'
import { trackAllowedMethods } from './http/allowed-methods.ts'
import { createCallerConcurrencyLimit } from './http/caller-concurrency.ts'
import { createCommunityIdentityCache } from './http/community-identity.ts'
import { limitConnectionsPerAddress } from './http/connection-limit.ts'
import { registerCorsHooks } from './http/cors.ts'
import { answerMalformedHttpRequest, sendErrorResponse } from './http/error-responses.ts'
import { limitHeaderCount } from './http/header-limit.ts'
import { limitVisitorBodySize, registerJsonBodyParser } from './http/json-body.ts'
import { openRateCounterStore } from './http/rate-limit-store.ts'
import { createRateLimits } from './http/rate-limits.ts'
import {
  enforceBodyTimeout,
  enforceResponseTimeout,
  enforceVisitorBodyTimeout,
} from './http/request-timeouts.ts'
import { requireRouteMetadata } from './http/route-metadata.ts'
import { addSecurityHeaders, securityHeaders } from './http/security-headers.ts'
import { registerStaticWebRoutes } from './http/static-web.ts'
import { limitUnreadResponseBytes } from './http/unread-response-limit.ts'
import { generateId } from './ids.ts'
import { createImageProcessor, type ImageProcessor } from './images/image-processor.ts'
import type { ServerLogger } from './log.ts'
import { createCountryLookup } from './net/country-lookup.ts'
import type { OutboundNetwork } from './net/public-address.ts'
import { createSafeFetch } from './net/safe-fetch.ts'
import { registerApiDocsRoutes } from './ops/api-docs-routes.ts'
import { startBackupSchedule } from './ops/backup-schedule.ts'
import { registerDevOutboxRoute } from './ops/dev-outbox-route.ts'
import { registerHealthRoutes } from './ops/health-routes.ts'
import { registerMetricsRoute } from './ops/metrics-route.ts'
import { scheduleExpiredRowPurge } from './ops/retention.ts'
import { createChangeDelivery } from './realtime/outbox-delivery.ts'
import { loadPositionSeal } from './realtime/position-seal.ts'
import { createSocketServer } from './realtime/socket-server.ts'
import {
  assertCollectionsComplete,
  juntasCollectionDefinitions,
} from './store/assert-collections-complete.ts'
import { createTransactionalStore } from './store/store.ts'

const kilobyte = 1024
/** Leaves room for five thousand sockets and other requests (docs/topics/how-overload-is-handled.md). */
const mostConnections = 6000

const operator: readonly RouteRegistrar[] = [
  registerDevOutboxRoute,
  registerHealthRoutes,
  registerMetricsRoute,
  registerApiDocsRoutes,
]

/** The routes of each module of the contract. Omitting a module is a type error. */
const product: Record<keyof typeof contractModules, readonly RouteRegistrar[]> = {
  signUpAndSignIn: [registerSignUpRoutes, registerCurrentMemberRoutes, registerSessionRoutes],
  emailLinks: [registerEmailLinkRoutes],
  community: [registerCommunityRoutes, registerCommunitySetupRoutes],
  applications: [registerApplicationRoutes],
  communityIdentity: [registerCommunityIdentityRoutes],
  firstSteps: [registerOperatorFirstStepsRoutes],
  invitations: [registerInvitationRoutes],
  members: [registerAdminMemberRoutes],
  instance: [registerInstanceRoutes],
  operatorActs: [registerOperatorActRoutes],
  suspensionProposals: [registerSuspensionProposalRoutes],
  welcome: [registerWelcomeRoutes],
  accountSettings: [
    registerAccountSettingsRoutes,
    registerUsernameRoutes,
    registerDeviceRoutes,
    registerTwoFactorVerificationRoutes,
    registerSecurityLogRoutes,
  ],
  accountExport: [registerAccountExportRoutes],
  deletion: [registerAccountDeletionRoutes],
  passkeys: [registerPasskeyRoutes],
  providerSignIn: [registerProviderSignInRoutes, registerConnectedIdentityRoutes],
  people: [registerPeopleRoutes, registerInitialsRoutes],
  privacySettings: [registerPrivacySettingsRoutes],
  followRequests: [registerFollowRequestRoutes],
  blocks: [registerBlockRoutes],
  mutesAndRestrictions: [registerMuteRoutes, registerRestrictionRoutes],
  reports: [registerReportRoutes],
  cases: [registerModerationCaseRoutes],
  groupCases: [registerGroupQueueRoutes],
  moderationNoticesAndAppeals: [registerAppealRoutes],
  files: [registerFileRoutes],
  audiencePreview: [registerAudiencePreviewRoutes],
  posts: [registerHomeFeedRoutes, registerPostRoutes, registerPostListRoutes, registerLikeAndSaveRoutes],
  postEdits: [registerPostEditRoutes],
  postPreferences: [registerAltTextReminderRoute],
  postsByTagOrPlace: [registerTagRoutes, registerPlaceRoutes],
  comments: [registerCommentRoutes],
  mentions: [registerMentionSuggestionRoutes],
  messageSearch: [registerMessageSearchRoutes],
  photoTags: [registerPhotoTagRoutes, registerPhotosOfMeRoutes],
  groups: [registerGroupRoutes, registerGroupPostListRoutes],
  groupRequests: [registerGroupRequestRoutes],
  groupMembers: [registerGroupMemberRoutes],
  conversations: [registerConversationRoutes],
  messages: [registerMessageRoutes],
  messageRequests: [registerMessageRequestRoutes],
  reactions: [registerReactionRoutes],
  shareTargets: [registerShareTargetRoutes],
  notifications: [registerNotificationRoutes],
  notificationPreferences: [registerNotificationPreferenceRoutes],
  notificationDelivery: [registerDeliveryPreferenceRoutes],
  push: [registerPushSubscriptionRoutes],
  realtime: [registerRealtimeRoutes],
}

export async function buildApp(given: {
  config: Config
  log: ServerLogger
  database: Database
  /** Tests pass this to replace the internet. */
  reach?: OutboundNetwork
  /** Aborted when a stop is requested, before `close`. */
  stopping?: AbortSignal
  appwrite?: AppwriteApi | null
  images?: ImageProcessor
}): Promise<FastifyInstance> {
  const { config, log, database, appwrite = appwriteApi, images = createImageProcessor() } = given
  const app: FastifyInstance = fastify({
    loggerInstance: log as FastifyBaseLogger,
    genReqId: () => generateId(12),
    requestIdHeader: false,
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    bodyLimit: 256 * kilobyte,
    // Must suffice for an upload chunk on a slow line. http/request-timeouts.ts limits all other requests.
    requestTimeout: 600_000,
    keepAliveTimeout: 15_000,
    maxRequestsPerSocket: 1000,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 2000, maxHeaderSize: 16 * kilobyte },
    routerOptions: { maxParamLength: 128 },
    // The contract validates requests and responses. Fastify would otherwise load its own compilers at every
    // start.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    forceCloseConnections: 'idle',
    // During a shutdown, requests on open connections still get a normal response.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => answerMalformedHttpRequest(config, error, socket),
    // Paths that cannot be decoded bypass the hooks.
    frameworkErrors: (error, request, reply) => {
      reply.headers(securityHeaders(config))
      sendErrorResponse(error, request, reply)
    },
  })
  app.server.maxConnections = mostConnections
  limitConnectionsPerAddress(app.server, config)
  const counters = await openRateCounterStore({ config, database, log })
  const limits = createRateLimits(config, counters)
  app.addHook('onClose', async () => counters.close())
  assertCollectionsComplete({ ...juntasCollectionDefinitions, documents: appwrite?.documents })
  requireRouteMetadata(app)
  const methodsAt = trackAllowedMethods(app)
  const instanceKey = createInstanceKey(config, database)
  await instanceKey.assertMatchesDatabase()
  await instanceKey.registerForOtherNodes()
  await assertPasskeyHostUnchanged(config, database.kysely)
  await storeIssuersOfEarlierIdentities(config, database.kysely, log)
  const outbox = config.production ? null : createDevOutbox()
  const positions = await loadPositionSeal(database.kysely)
  const live = await createChangeDelivery({ config, log, database, positions })
  const notifications = startNotificationWorker({ database, log, notify: live.notify })
  const store = createTransactionalStore(database, collectionEffects, (changes) => {
    live.notify(changes)
    notifications.wake()
    if (changes.some(({ collection, kind }) => collection === 'groups' && kind === 'delete'))
      groupDeletion.wake()
  })
  const groupDeletion = startGroupDeletionWorker({ log, store })
  const followerApproval = startFollowerApprovalWorker({ database, log, store })
  const identity = createCommunityIdentityCache(database.kysely)
  await identity.read()
  const emails = await createEmailSender(config, log, outbox, { database, instanceKey }, identity)
  const blobs = await openBlobStore(config)
  const erasing = startDeletionWorker({ config, log, database, store, blobs, emails, limits, instanceKey })
  const trending = startTrendingWorker({ database, log })
  const exporting = startExportWorker({
    config,
    log,
    database,
    store,
    blobs,
    emails,
    identity,
    limits,
    notify: live.notify,
  })
  const vapid = createVapidSigner(config, instanceKey)
  const fetch = createSafeFetch(config.publicUrl ? [new URL(config.publicUrl).hostname] : [], given.reach)
  const pushing = startPushWorker({ config, log, database, identity, vapid, fetch, emails, instanceKey })
  const context: AppContext = {
    config,
    log,
    database,
    limits,
    callerConcurrency: createCallerConcurrencyLimit(config, database.pool.options.max),
    lists: createExpensiveListQueryLimiter(database),
    live,
    notifications,
    erasing,
    exporting,
    sockets: createSocketServer(app, { config, log, database, live }),
    emails,
    sms: createSmsSender(config, log, outbox, identity),
    identity,
    store,
    blobs,
    images,
    uploadSlots: createUploadQuota(),
    instanceKey,
    positions,
    vapid,
    countries: createCountryLookup(config, log),
    fetch,
    outbox,
    reach: given.reach,
    stopping: given.stopping ?? new AbortController().signal,
  }

  app.setErrorHandler<FastifyError>((error, request, reply) =>
    sendErrorResponse(error, request, reply, identity),
  )
  enforceBodyTimeout(app)
  enforceResponseTimeout(app)
  limitUnreadResponseBytes(app)
  registerJsonBodyParser(app)
  addSecurityHeaders(app, config)
  limitHeaderCount(app)
  appwrite?.guard(app, config)
  registerCorsHooks(app, config)
  await app.register(cookie)
  app.decorateRequest('caller', null)
  app.decorateRequest('pendingCaller', null)
  app.decorateRequest('closingCaller', null)
  app.addHook('preParsing', async (request) => {
    if (request.routeOptions.config.authenticates === false) return
    const served = selectRequestedFileWithCaller(request, database.kysely)
    Object.assign(request, await authenticateRequest(request, config, database, served))
  })
  enforceVisitorBodyTimeout(app)
  limitVisitorBodySize(app)

  app.addHook('onClose', async () => {
    await Promise.all([context.emails.drain(), context.sms.drain()])
  })
  for (const register of [...operator, ...Object.values(product).flat(), ...(appwrite?.routes ?? [])])
    register(app, context)
  app.addHook('onClose', scheduleExpiredRowPurge(context))
  const backups = await startBackupSchedule(context)
  app.addHook('onClose', () => backups?.close())
  app.addHook('onClose', () => notifications.close())
  app.addHook('onClose', () => erasing.close())
  app.addHook('onClose', () => groupDeletion.close())
  app.addHook('onClose', () => followerApproval.close())
  app.addHook('onClose', () => trending.close())
  app.addHook('onClose', () => exporting.close())
  app.addHook('onClose', () => pushing.close())
  app.addHook('onClose', async () => context.images.close())
  await registerStaticWebRoutes(app, config, methodsAt, identity)
  return app
}

function noSchemas(): never {
  throw new Error('A route has a JSON schema.')
}
