/** The addresses of the web app: one pattern for each screen, and the links that are made of them. */

/**
 * The screens by name: the pattern of React Router, and whether pulling the screen down reloads its lists. `app.tsx` says
 * what shows at each.
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

type Screens = typeof screenRoutes
export type ScreenName = keyof Screens

/** A link takes the id its pattern has a place for. */
type Links = {
  [Name in ScreenName]: Screens[Name]['path'] extends `${string}?`
    ? (id?: string) => string
    : Screens[Name]['path'] extends `${string}:${string}`
      ? (id: string) => string
      : () => string
}

/** Fills in the id, encoded so that it stays one segment; an optional segment and a `*` without a value go. */
const linkTo =
  (pattern: string) =>
  (id = ''): string =>
    pattern
      .replace(/\/\*$/, '')
      .replace(/:\w+\??/, encodeURIComponent(id))
      .replace(/(.)\/$/, '$1')

const links = Object.fromEntries(
  Object.entries(screenRoutes).map(([name, { path }]) => [name, linkTo(path)]),
) as Links

/** The last segment of the profile tab that only its owner has. */
export const likedPostsTab = 'liked-posts'

/** Tells whether a text can be a segment of an address: to a browser one dot is nothing, and two lead up. */
export const isPathSegment = (text: string): boolean => text !== '.' && text !== '..'

/** Links to the screens. Code links through these alone. */
export const screenPaths = {
  ...links,
  /** The chat with a conversation selected by query string, as after picking a person. */
  pickedConversation: (id: string) => `${links.chat()}?conversation=${encodeURIComponent(id)}`,
  /** A section of the settings, or a page under one. */
  settingsPage: (name: string) => `${links.settings()}/${name}`,
  likedPosts: (personId: string) => `${links.profile(personId)}/${likedPostsTab}`,
}
