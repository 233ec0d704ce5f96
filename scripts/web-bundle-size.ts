/** Checks the budgets for everything that loads before a page appears. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { fileInLanguageSet, languageSets } from '#contract/language.ts'
import { projectRootPath } from './run-tool.ts'

const kilobyte = 1000
const budgets = [
  { page: 'sign-in', screen: /sign-in-screen\.tsx$/, limit: 120 * kilobyte },
  { page: 'home', screen: /^_member-frame-.*\.js$/, limit: 150 * kilobyte },
]
const fontLimit = 65 * kilobyte
/**
 * The compressed limit of all scripts and styles except the administration's, because idle member pages load all
 * others.
 */
const wholeLimit = 490 * kilobyte

type Chunk = {
  file: string
  isEntry?: boolean
  imports?: string[]
  dynamicImports?: string[]
  css?: string[]
}
type Manifest = Record<string, Chunk>
export type BundleSize = { what: string; bytes: number; limit: number }

const built = join(projectRootPath, 'dist/web')

/** @returns null if the web app is not built */
export function measureWebBundleSizes(): BundleSize[] | null {
  const path = join(built, '.vite/manifest.json')
  if (!existsSync(path)) return null
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest
  const entry = Object.keys(manifest).filter((key) => manifest[key]?.isEntry)
  const pages = languageSets.flatMap((set) =>
    budgets.map(({ page, screen, limit }) => {
      const first = [...entry, ...Object.keys(manifest).filter((key) => screen.test(key))]
      const files = [...filesOf(manifest, first)].map((file) =>
        /\.js$/.test(file) ? fileInLanguageSet(file, set) : file,
      )
      const bytes = sum([...files, ...blockingScripts()].map(gzipped))
      return set === 'as-it-comes'
        ? { what: page, bytes, limit }
        : { what: `${page} (${set})`, bytes, limit: limit + kilobyte }
    }),
  )
  const keys = Object.keys(manifest)
  const ofAdministration = new Set(
    keys
      .filter((key) => key.startsWith('features/admin/'))
      .flatMap((key) => [key, ...(manifest[key]?.dynamicImports ?? [])]),
  )
  const all = filesOf(
    manifest,
    keys.filter((key) => !ofAdministration.has(key)),
  )
  const whole = sum([...all].filter((file) => /\.(?:js|css)$/.test(file)).map(compressed))
  return [
    ...pages,
    { what: 'all screens', bytes: whole, limit: wholeLimit },
    { what: 'Latin fonts', bytes: latinFonts(), limit: fontLimit },
  ]
}

function filesOf(manifest: Manifest, keys: string[], files = new Set<string>()): Set<string> {
  for (const key of keys) {
    const chunk = manifest[key]
    if (!chunk || files.has(chunk.file)) continue
    files.add(chunk.file)
    for (const style of chunk.css ?? []) files.add(style)
    filesOf(manifest, chunk.imports ?? [], files)
  }
  return files
}

/** The manifest does not list the scripts that precede the first paint. */
const blockingScripts = () =>
  readdirSync(join(built, 'assets'))
    .filter((file) => /^before-first-paint-[^.]*\.js$/.test(file))
    .map((file) => join('assets', file))

const gzipped = (file: string) => gzipSync(readFileSync(join(built, file))).length

/** Some files are too small to compress. */
function compressed(file: string): number {
  const path = join(built, file)
  return statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size
}

function latinFonts(): number {
  const assets = join(built, 'assets')
  const fonts = readdirSync(assets).filter((file) => /-latin-wght-normal-.*\.woff2$/.test(file))
  return sum(fonts.map((file) => statSync(join(assets, file)).size))
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
