/** The addresses of the web app: the links that are made of the screens' patterns. */
import { type ScreenName, screenRoutes } from '#contract/screen-routes.ts'

type Screens = typeof screenRoutes

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
