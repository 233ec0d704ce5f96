/** Paths that are never a page of the app, as the server has them (server/http/static-web.ts). */
const otherPaths = /^\/(v1|dev|assets|health|metrics|share)(\/|$)/

/** Whether a path is one of the app's screens: an answer of the API and a file have their own, and are never replaced by the page. */
export const isAppPage = (path: string): boolean =>
  !otherPaths.test(path) && !path.includes('.', path.lastIndexOf('/'))
