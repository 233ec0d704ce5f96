/** Deployment files only name existing settings and scripts. */
import { existsSync, readFileSync } from 'node:fs'
import { join, matchesGlob, relative, sep } from 'node:path'
import { rolldown } from 'rolldown'
import { describe, expect, test } from 'vitest'
import { environmentSettingsSchema, readConfig } from '#server/config.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const known = Object.keys(environmentSettingsSchema.shape)
/** Variables of other programs, and of compose.yaml's operator. */
const foreign = new Set([
  'NODE_COMPILE_CACHE',
  'TMPDIR',
  'POSTGRES_USER',
  'POSTGRES_DB',
  'POSTGRES_PASSWORD',
  'DOMAIN',
])

test.each([
  ['Dockerfile', /\b([A-Z][A-Z0-9_]{2,})=/g],
  ['compose.yaml', /^ {6}([A-Z][A-Z0-9_]+):/gm],
  ['deploy/juntas.service', /(?<=Environment=.*)\b([A-Z][A-Z0-9_]{2,})=/g],
])('%s sets nothing that is no setting', (path, pattern) => {
  const named = [...read(path).matchAll(pattern)].map(([, name]) => name ?? '')
  expect(named.length).toBeGreaterThan(1)
  expect(named.filter((name) => !known.includes(name) && !foreign.has(name))).toEqual([])
})

test('.env.example names every setting', () => {
  const named = [...read('.env.example').matchAll(/^([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name ?? '')
  const expected = known.filter((name) => name !== 'JUNTAS_ENV_FILE')
  expect(expected.filter((name) => !named.includes(name))).toEqual([])
  expect(named.filter((name) => !known.includes(name) && !name.startsWith('OAUTH_'))).toEqual([])
})

test('what compose.yaml sets makes a production that starts', () => {
  const lines = [...read('compose.yaml').matchAll(/^ {6}([A-Z][A-Z0-9_]+): (.+)$/gm)]
  const filled = lines.map(([, name = '', value = '']) => [
    name,
    value.replace(
      /\$\{(\w+):[?-][^}]*\}/g,
      (_, variable) =>
        ({ DOMAIN: 'juntas.example', SECRET_KEY: Buffer.alloc(32).toString('base64') })[String(variable)] ??
        'word',
    ),
  ])
  const config = readConfig({ ...Object.fromEntries(filled), SMTP_URL: '', NODE_ENV: 'production' })
  expect(config.publicUrl).toBe('https://juntas.example')
  expect(config.trustedProxies).toEqual(['172.31.77.0/24'])
})

describe('the image', () => {
  const stage =
    read('Dockerfile')
      .split(/^FROM /m)
      .at(-1) ?? ''
  const copied = [...stage.matchAll(/^COPY (?:--from=build )?(?:\/app\/)?(\S+)/gm)].map(
    ([, path = '']) => path,
  )
  const locked: Record<string, Entry> = JSON.parse(read('package-lock.json')).packages
  /** The server, and commands that need no development packages. */
  const programs = [
    'server/main.ts',
    ...[...read('scripts/run-task.mjs').matchAll(/script: '(scripts\/[^']+)'.*production: true/g)].map(
      ([, script = '']) => script,
    ),
  ]
  const parts = new Map<string, Promise<Parts>>()
  const partsOf = (program: string) => parts.get(program) ?? remember(program)
  const remember = (program: string) => {
    const found = findParts(program)
    parts.set(program, found)
    return found
  }

  test('is copied from what is there and is sent to the builder', () => {
    const sent = read('.dockerignore')
    expect(copied.length).toBeGreaterThan(5)
    for (const path of copied.filter((name) => !/^(node_modules|dist)$/.test(name))) {
      expect(existsSync(join(root, path)), path).toBe(true)
      expect(sent).toContain(`!${path}`)
    }
  })

  test('knows the commands of operators', () => {
    expect(programs).toEqual(
      expect.arrayContaining(['scripts/seed.ts', 'scripts/backup.ts', 'scripts/doctor.ts']),
    )
  })

  test.each(programs)('has every file that %s is made of', async (program) => {
    const { files } = await partsOf(program)
    expect(files).toContain(program)
    const isIn = (file: string) => copied.some((path) => file === path || file.startsWith(`${path}/`))
    expect(files.filter((file) => !isIn(file))).toEqual([])
  })

  test.each(programs)('has every package that %s loads', async (program) => {
    const { packages } = await partsOf(program)
    const removed = (/rm -rf ([^&]*?)\n\n/s.exec(read('Dockerfile'))?.[1] ?? '')
      .split(/[\s\\]+/)
      .filter(Boolean)
    expect(removed).toContain('node_modules/vite')
    const needed = withTheirOwn(packages, locked)
    const isOut = (path: string) => locked[path]?.dev || removed.some((pattern) => matchesGlob(path, pattern))
    expect(needed.length).toBeGreaterThan(packages.length)
    expect(needed.filter(isOut)).toEqual([])
  })
})

type Entry = { dev?: true; dependencies?: Record<string, string> }
/** Project files and package names. */
type Parts = { files: string[]; packages: string[] }

/** Follows a program's runtime imports, without types. */
async function findParts(program: string): Promise<Parts> {
  const isPackage = /^(?![.#/]|node:)/
  const bundle = await rolldown({
    cwd: root,
    input: program,
    platform: 'node',
    external: (id, _, isResolved) =>
      !isResolved && (isPackage.test(id) || id.startsWith('node:')) && id !== program,
  })
  const { output } = await bundle.generate({ format: 'esm' })
  await bundle.close()
  const chunks = output.filter((file) => file.type === 'chunk')
  const files = chunks.flatMap(({ moduleIds }) => moduleIds.filter((id) => id.startsWith(root)))
  const imported = chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
  const own = new Set(chunks.map(({ fileName }) => fileName))
  return {
    files: files.map((file) => relative(root, file).split(sep).join('/')),
    packages: [
      ...new Set(
        imported
          .filter((id) => isPackage.test(id) && !own.has(id))
          .map((id) => id.split('/', id.startsWith('@') ? 2 : 1).join('/')),
      ),
    ],
  }
}

/** Packages and their dependencies as lock paths. */
function withTheirOwn(packages: string[], locked: Record<string, Entry>): string[] {
  const found = new Set<string>()
  const follow = (name: string, from: string) => {
    let folder = from
    while (folder && !locked[`${folder}/node_modules/${name}`]) folder = dirnameOfPackage(folder)
    const path = folder ? `${folder}/node_modules/${name}` : `node_modules/${name}`
    if (found.has(path)) return
    found.add(path)
    for (const other of Object.keys(locked[path]?.dependencies ?? {})) follow(other, path)
  }
  for (const name of packages) follow(name, '')
  return [...found]
}

/** A nested package's parent; empty at the top. */
function dirnameOfPackage(path: string): string {
  return path.split('/node_modules/').slice(0, -1).join('/node_modules/')
}
