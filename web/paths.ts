/** Links built from the screens' route patterns. */
import { type ScreenName, screenRoutes } from '#contract/screen-routes.ts'

type Screens = typeof screenRoutes

/** A link takes the id that its pattern needs. */
type Links = {
  [Name in ScreenName]: Screens[Name]['path'] extends `${string}?`
    ? (id?: string) => string
    : Screens[Name]['path'] extends `${string}:${string}`
      ? (id: string) => string
      : () => string
}

/** Fills in the encoded id as one segment; optional segments and `*` without a value are dropped. */
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

/** The owner-only profile tab's last segment. */
export const likedPostsTab = 'liked-posts'

/** Whether text can be a path segment: browsers drop `.` and resolve `..` upwards. */
export const isPathSegment = (text: string): boolean => text !== '.' && text !== '..'

/** Code links to screens only through these. */
export const screenPaths = {
  ...links,
  /** A conversation selected by query string, as after picking a person. */
  pickedConversation: (id: string) => `${links.chat()}?conversation=${encodeURIComponent(id)}`,
  exploreSearch: (term: string) => `${links.explore()}?search=${encodeURIComponent(term)}`,
  /** A settings section, or a page below one. */
  settingsPage: (name: string) => `${links.settings()}/${name}`,
  /** A section of administration, or a page below one. */
  adminPage: (name: string) => `${links.admin()}/${name}`,
  likedPosts: (personId: string) => `${links.profile(personId)}/${likedPostsTab}`,
}
