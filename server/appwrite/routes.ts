/** Code outside `appwrite/` imports only this module. */
import type { FastifyInstance } from 'fastify'
import type { AppContext, RouteRegistrar } from '../app-context.ts'
import type { Config } from '../config.ts'
import { noRouteInput, registerRoute } from '../route.ts'
import type { CollectionsToCheck } from '../store/assert-collections-complete.ts'
import { registerAppwriteAccountRoutes } from './account/account-routes.ts'
import { registerAppwriteCredentialChangeRoutes } from './account/credential-change-routes.ts'
import { registerAppwriteEmailLinkPageRoutes } from './account/email-link-page-routes.ts'
import { registerAppwriteIdentityRoutes } from './account/identity-routes.ts'
import { registerAppwriteJwtRoutes } from './account/jwt-routes.ts'
import { registerAppwriteLogRoutes } from './account/log-routes.ts'
import { registerAppwriteMfaRoutes } from './account/mfa-routes.ts'
import { registerAppwriteOAuth2Routes } from './account/oauth2-routes.ts'
import { registerAppwriteRecoveryRoutes } from './account/recovery-routes.ts'
import { registerAppwriteSessionRoutes } from './account/session-routes.ts'
import { registerAppwriteTokenRoutes } from './account/token-routes.ts'
import { registerAppwriteVerificationRoutes } from './account/verification-routes.ts'
import { registerAppwriteRemoteImageRoutes } from './avatars/remote-image-routes.ts'
import { registerAppwriteAvatarRoutes } from './avatars/routes.ts'
import { documentCollections } from './documents/document-collections.ts'
import { registerAppwriteDocumentRoutes } from './documents/routes.ts'
import { addAppwriteProjectGuard } from './project-guard.ts'
import { registerAppwriteRealtimeProtocol } from './realtime/socket-protocol.ts'
import { registerAppwriteStorageRoutes } from './storage/routes.ts'

export type AppwriteApi = {
  documents: CollectionsToCheck['documents']
  guard(app: FastifyInstance, config: Config): void
  routes: readonly RouteRegistrar[]
}

const routes: readonly RouteRegistrar[] = [
  registerPing,
  closeEndedSockets,
  registerAppwriteAccountRoutes,
  registerAppwriteCredentialChangeRoutes,
  registerAppwriteSessionRoutes,
  registerAppwriteTokenRoutes,
  registerAppwriteRecoveryRoutes,
  registerAppwriteVerificationRoutes,
  registerAppwriteJwtRoutes,
  registerAppwriteOAuth2Routes,
  registerAppwriteIdentityRoutes,
  registerAppwriteLogRoutes,
  registerAppwriteMfaRoutes,
  registerAppwriteEmailLinkPageRoutes,
  registerAppwriteDocumentRoutes,
  registerAppwriteRealtimeProtocol,
  registerAppwriteStorageRoutes,
  registerAppwriteAvatarRoutes,
  registerAppwriteRemoteImageRoutes,
]

export const appwriteApi: AppwriteApi = {
  documents: documentCollections,
  guard: addAppwriteProjectGuard,
  routes,
}

function registerPing(app: FastifyInstance, context: AppContext): void {
  const ping = {
    method: 'GET',
    url: '/v1/ping',
    who: 'visitor',
    limit: [],
    status: 200,
    input: noRouteInput,
  } as const
  registerRoute(app, context, ping, async () => 'Pong!')
}

/** Account calls bypass the store, so the sockets of ended sessions must be closed here. */
function closeEndedSockets(app: FastifyInstance, { live }: AppContext): void {
  app.addHook('onResponse', async (request, reply) => {
    const wrote = request.method !== 'GET' && reply.statusCode < 400
    if (wrote && /^\/v1\/(account|auth)/.test(request.url)) live.notify([])
  })
}
