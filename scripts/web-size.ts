/** What a browser has to load before it shows a page, against the budgets of reading W-04. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { root } from './tools.ts'

const kilobyte = 1000
const budgets = [
  { page: 'sign-in', screen: /sign-in-screen\.tsx$/, limit: 110 * kilobyte },
  { page: 'home', screen: /^_member-.*\.js$/, limit: 135 * kilobyte },
]
const fontLimit = 65 * kilobyte

type Chunk = { file: string; isEntry?: boolean; imports?: string[]; css?: string[] }
type Manifest = Record<string, Chunk>
export type Size = { what: string; bytes: number; limit: number }

const built = join(root, 'dist/web')

/** @returns null while there is no built web app */
export function webSizes(): Size[] | null {
  const path = join(built, '.vite/manifest.json')
  if (!existsSync(path)) return null
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest
  const entry = Object.keys(manifest).filter((key) => manifest[key]?.isEntry)
  const pages = budgets.map(({ page, screen, limit }) => {
    const first = [...entry, ...Object.keys(manifest).filter((key) => screen.test(key))]
    return { what: page, bytes: sum([...filesOf(manifest, first)].map(gzipped)), limit }
  })
  return [...pages, { what: 'Latin fonts', bytes: latinFonts(), limit: fontLimit }]
}

/** Scripts and styles of these chunks and of all that they import before they run. */
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

const gzipped = (file: string) => gzipSync(readFileSync(join(built, file))).length

function latinFonts(): number {
  const assets = join(built, 'assets')
  const fonts = readdirSync(assets).filter((file) => /-latin-wght-normal-.*\.woff2$/.test(file))
  return sum(fonts.map((file) => statSync(join(assets, file)).size))
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
