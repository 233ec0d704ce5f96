/** Functions that build links from the route patterns of the screens. */
import { type ScreenName, screenRoutes } from '#contract/screen-routes.ts'

type Screens = typeof screenRoutes

/** If a route pattern contains an id, its link function takes that id. */
type Links = {
  [Name in ScreenName]: Screens[Name]['path'] extends `${string}?`
    ? (id?: string) => string
    : Screens[Name]['path'] extends `${string}:${string}`
      ? (id: string) => string
      : () => string
}

/** Inserts the encoded id as one path segment. Optional segments and `*` are dropped if they have no value. */
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

/** The last path segment of the profile tab that only its owner sees. */
export const likedPostsTab = 'liked-posts'

/** Whether a text can be a path segment. Browsers drop `.` and resolve `..` to the parent path. */
export const isPathSegment = (text: string): boolean => text !== '.' && text !== '..'

/** All code must use these functions to link to screens. */
export const screenPaths = {
  ...links,
  /** The chat with a conversation that the query string selects, as after choosing a person. */
  pickedConversation: (id: string) => `${links.chat()}?conversation=${encodeURIComponent(id)}`,
  exploreSearch: (term: string) => `${links.explore()}?search=${encodeURIComponent(term)}`,
  /** A section of the settings, or a page below a section. */
  settingsPage: (name: string) => `${links.settings()}/${name}`,
  /** A section of administration, or a page below a section. */
  adminPage: (name: string) => `${links.admin()}/${name}`,
  likedPosts: (personId: string) => `${links.profile(personId)}/${likedPostsTab}`,
}
