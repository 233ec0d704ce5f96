/** The addresses of the web app's screens, and which addresses are a page of it: for the server, the service worker and the web. */

/**
 * The screens by name: the pattern of React Router, and whether pulling the screen down reloads its lists. `web/app.tsx`
 * says what shows at each.
 */
export const screenRoutes = {
  signIn: { path: '/sign-in' },
  signUp: { path: '/sign-up' },
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
  settings: { path: '/settings/*' },
  moderation: { path: '/moderation/:caseId?' },
} as const

export type ScreenName = keyof typeof screenRoutes

/** Paths that are never a page of the app. */
const nonPagePaths = /^\/(v1|dev|assets|health|metrics)(\/|$)/

/**
 * Tells whether a screen's address with an id is another screen's own, as `/groups/create` is: what has that id could not be opened.
 * Addresses are compared as React Router does, whatever the case of their letters.
 */
export function isAddressOfOtherScreen(name: ScreenName, id: string): boolean {
  const address = screenRoutes[name].path
    .replace(/\/\*$/, '')
    .replace(/:\w+\??/, id)
    .toLowerCase()
  return Object.values(screenRoutes).some(({ path }) => path.toLowerCase() === address)
}

let anyScreen: RegExp | undefined

/** Builds the expression for whatever a pattern of the screens matches, as React Router reads them. */
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
 * Tells whether a path is a page of the app: one of a screen, whatever stands in it, or any other whose last part has no extension, for
 * which the app has a page that says so. The rest are files.
 */
export function isAppPage(path: string): boolean {
  if (nonPagePaths.test(path)) return false
  if (!path.includes('.', path.lastIndexOf('/'))) return true
  anyScreen ??= buildScreenExpression()
  return anyScreen.test(path)
}
