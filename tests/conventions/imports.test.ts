import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')

const imports = importsOf(
  globSync('{server,web,contract}/**/*.{ts,tsx}', { cwd: root }).filter(
    (path) => !/\.test\.tsx?$/.test(path),
  ),
)

/** The folders are in the order of imports. All features count as one folder. */
const folders = [
  ...[
    'version.ts',
    'loopback-name.ts',
    'require-service-tls.ts',
    'ids.ts',
    'config.ts',
    'startup-error.ts',
    'translated-messages.ts',
    'log.ts',
  ],
  ...[
    'database',
    'errors.ts',
    'concurrency',
    'net',
    'blobs',
    'http',
    'auth',
    'images',
    'backup',
    'policy',
    'files',
  ],
  ...['email', 'doctor', 'store', 'realtime', 'app-context.ts', 'route.ts', 'features', 'appwrite', 'ops'],
  ...['app.ts', 'main.ts'],
]

function importsOf(paths: readonly string[]): Map<string, string[]> {
  const known = new Set(paths)
  const target = (from: string, specifier: string) =>
    specifier.startsWith('#') ? specifier.slice(1) : relative(root, resolve(root, dirname(from), specifier))
  return new Map(
    paths.map((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*'([#.][^']+)'/g)].map(
        ([, name = '']) => name,
      )
      return [path, [...new Set(specifiers.map((name) => target(path, name)))].filter((to) => known.has(to))]
    }),
  )
}

/** Tarjan's algorithm for strongly connected components. */
function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = []
  const number = new Map<string, number>()
  const path: string[] = []
  const visit = (file: string): number => {
    number.set(file, number.size)
    let low = number.size - 1
    path.push(file)
    for (const next of graph.get(file) ?? []) {
      if (!number.has(next)) low = Math.min(low, visit(next))
      else if (path.includes(next)) low = Math.min(low, number.get(next) as number)
    }
    if (low === number.get(file)) {
      const cycle = path.splice(path.indexOf(file))
      if (cycle.length > 1 || graph.get(file)?.includes(file)) found.push(cycle.sort())
    }
    return low
  }
  for (const file of graph.keys()) if (!number.has(file)) visit(file)
  return found
}

const roomOf = (path: string) => relative('server', path).split('/')[0] ?? ''

test('no file imports itself through other files', () => {
  expect(imports.size).toBeGreaterThan(400)
  expect(cyclesOf(imports)).toEqual([])
})

test('the check finds a planted import cycle', () => {
  const graph = new Map(Object.entries({ a: ['b'], b: ['c', 'd'], c: ['a'], d: ['d'], e: ['a'] }))
  expect(cyclesOf(graph)).toEqual([['d'], ['a', 'b', 'c']])
})

test('every server directory has a place in the import order', () => {
  const present = new Set([...imports.keys()].filter((path) => path.startsWith('server/')).map(roomOf))
  expect([...present].sort()).toEqual([...folders].sort())
})

/** These imports should be reversed: the store imports features for their photos. */
const backwards = [
  'server/store/store.ts imports server/features/chat/message-photos.ts',
  'server/store/store.ts imports server/features/posts/post-photos.ts',
]

test('a server directory imports only from itself and from earlier directories', () => {
  const found = [...imports].flatMap(([path, targets]) =>
    path.startsWith('server/')
      ? targets
          .filter(
            (to) => to.startsWith('server/') && folders.indexOf(roomOf(to)) > folders.indexOf(roomOf(path)),
          )
          .map((to) => `${path} imports ${to}`)
      : [],
  )
  expect(found.sort()).toEqual(backwards)
})

const appwriteTools = ['scripts/docs/collections-page.ts', 'scripts/fuzz/fuzz-query-parser.ts']

test('only app.ts imports the Appwrite API, through its entry file', () => {
  const everything = importsOf(
    globSync('{api-client,bench,contract,scripts,server,web}/**/*.{ts,tsx,mjs}', { cwd: root }).filter(
      (path) => !/\.test\.tsx?$/.test(path),
    ),
  )
  const importersOf = (isTarget: (path: string) => boolean) =>
    [...everything].flatMap(([path, targets]) =>
      !path.startsWith('server/appwrite/') && targets.some(isTarget) ? [path] : [],
    )
  expect(importersOf((path) => path === 'server/appwrite/routes.ts')).toEqual(['server/app.ts'])
  expect(
    importersOf((path) => path.startsWith('server/appwrite/') && path !== 'server/appwrite/routes.ts').sort(),
  ).toEqual(appwriteTools)
})
