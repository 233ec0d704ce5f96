/** The server preloads these paths while scripts load. Tests compare them with server, web and screens. */
export const sessionPrefetchPath = '/me/session'
export const memberPrefetchPath = '/me'

/** The id of the script element in which Home's page contains its first responses. Its type makes it inert. */
export const pageResponsesId = 'answers'

const firstOf: readonly [page: RegExp, addresses: readonly string[]][] = [
  [/^\/$/, ['/feed', '/people?limit=10&who=others']],
  [/^\/(explore|saved|groups)$/, ['/$1']],
  [/^\/all-users$/, ['/people']],
  [/^\/chat$/, ['/conversations']],
  [/^\/(posts\/\w+)$/, ['/$1']],
  [/^\/(groups\/(?!create$)\w+)$/, ['/$1']],
  [/^\/profile\/(\w+)$/, ['/people/$1', '/people/$1/posts']],
]

/** Returns paths under `/v1`. An unknown page has none. */
export function listPagePrefetchPaths(pathname: string): string[] {
  for (const [page, addresses] of firstOf)
    if (page.test(pathname)) return addresses.map((address) => pathname.replace(page, address))
  return []
}
