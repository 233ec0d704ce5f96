/**
 * React Router patterns, and whether pull-to-refresh reloads lists. `web/app.tsx` maps them to components.
 */
export const screenRoutes = {
  signIn: { path: '/sign-in' },
  signUp: { path: '/sign-up' },
  confirmApplication: { path: '/sign-up/confirm' },
  signInLink: { path: '/sign-in/:way' },
  recovery: { path: '/recovery' },
  newPassword: { path: '/recovery/new' },
  verifyEmail: { path: '/verify' },
  undoEmail: { path: '/email-undo' },
  unsubscribe: { path: '/unsubscribe/:secret' },
  join: { path: '/join/:code' },
  houseRules: { path: '/rules' },
  setup: { path: '/setup/:secret' },
  receipt: { path: '/receipt/:receiptId' },
  home: { path: '/', reloads: true },
  explore: { path: '/explore', reloads: true },
  tag: { path: '/tags/:tag', reloads: true },
  place: { path: '/places/:place', reloads: true },
  people: { path: '/all-users', reloads: true },
  followRequests: { path: '/follow-requests', reloads: true },
  groups: { path: '/groups', reloads: true },
  createGroup: { path: '/groups/create' },
  group: { path: '/groups/:groupId/*', reloads: true },
  groupRequests: { path: '/groups/:groupId/requests', reloads: true },
  updateGroup: { path: '/update-group/:groupId' },
  chat: { path: '/chat/:conversationId?' },
  messageRequests: { path: '/message-requests', reloads: true },
  saved: { path: '/saved', reloads: true },
  photosOfYou: { path: '/photos-of-you', reloads: true },
  createPost: { path: '/create-post' },
  updatePost: { path: '/update-post/:postId' },
  post: { path: '/posts/:postId', reloads: true },
  profile: { path: '/profile/:personId/*', reloads: true },
  updateProfile: { path: '/update-profile/:personId' },
  notifications: { path: '/notifications', reloads: true },
  vouchRequests: { path: '/vouch-requests', reloads: true },
  settings: { path: '/settings/*' },
  admin: { path: '/admin/*', reloads: true },
  operatorActs: { path: '/operators', reloads: true },
  moderation: { path: '/moderation/:caseId?' },
} as const

export type ScreenName = keyof typeof screenRoutes

const nonPagePaths = /^\/(v1|dev|assets|health|metrics)(\/|$)/

/**
 * True if the id would give the path of another screen, such as `/groups/create`. Ignores case, as React
 * Router does.
 */
export function isAddressOfOtherScreen(name: ScreenName, id: string): boolean {
  const address = screenRoutes[name].path
    .replace(/\/\*$/, '')
    .replace(/:\w+\??/, id)
    .toLowerCase()
  return Object.values(screenRoutes).some(({ path }) => path.toLowerCase() === address)
}

let anyScreen: RegExp | undefined

/** Builds an expression that reads patterns as React Router does. */
const buildScreenExpression = (): RegExp => {
  const patterns = Object.values(screenRoutes).map(({ path }) =>
    path
      .replace(/\/:\w+\?/g, '(?:/[^/]+)?')
      .replace(/\/:\w+/g, '/[^/]+')
      .replace(/\/\*$/, '(?:/.*)?'),
  )
  return new RegExp(`^(?:${patterns.join('|')})/?$`, 'i')
}

/**
 * True for any route, and for a path whose last segment has no extension, so that the app shows its not-found
 * page.
 */
export function isAppPage(path: string): boolean {
  if (nonPagePaths.test(path)) return false
  if (!path.includes('.', path.lastIndexOf('/'))) return true
  anyScreen ??= buildScreenExpression()
  return anyScreen.test(path)
}
