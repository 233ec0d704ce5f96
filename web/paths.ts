import { type ScreenName, screenRoutes } from '#contract/screen-routes.ts'

type Screens = typeof screenRoutes

type Links = {
  [Name in ScreenName]: Screens[Name]['path'] extends `${string}?`
    ? (id?: string) => string
    : Screens[Name]['path'] extends `${string}:${string}`
      ? (id: string) => string
      : () => string
}

/** The id is one encoded path segment. Optional segments and `*` are dropped without a value. */
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

/** Only the profile's owner has this tab. */
export const likedPostsTab = 'liked-posts'

/** Browsers drop `.` and resolve `..` to the parent path. */
export const isPathSegment = (text: string): boolean => text !== '.' && text !== '..'

/** All links to screens must use these functions. */
export const screenPaths = {
  ...links,
  pickedConversation: (id: string) => `${links.chat()}?conversation=${encodeURIComponent(id)}`,
  exploreSearch: (term: string) => `${links.explore()}?search=${encodeURIComponent(term)}`,
  settingsPage: (name: string) => `${links.settings()}/${name}`,
  adminPage: (name: string) => `${links.admin()}/${name}`,
  likedPosts: (personId: string) => `${links.profile(personId)}/${likedPostsTab}`,
}
