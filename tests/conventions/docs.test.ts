/** Links and paths must exist, and every decision needs its own number. */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { renderDecisionsPage } from '../../scripts/docs/decisions-page.ts'
import { hashPicturedSources, picturedSourcesHashPath } from '../../scripts/docs/readme-picture-sources.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...globSync('docs/**/*.md', { cwd: root }),
]
/** Decisions are historical, and acceptance rows and Appwrite pages use the clients' words. */
const current = pages.filter((page) => !/^docs\/(?:decisions|acceptance|appwrite)/.test(page))

const withoutCode = (text: string) => text.replace(/`[^`\n]*`/g, '')

const decisions = readdirSync(join(root, 'docs/decisions'))
  .filter((name) => /^\d{4}-/.test(name))
  .toSorted()

describe('written pages', () => {
  test('every relative link points to a file', () => {
    const broken = pages.flatMap((page) =>
      [...withoutCode(read(page)).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
        .map(([, target]) => String(target))
        .filter((target) => !existsSync(join(root, dirname(page), target)))
        .map((target) => `${page}: ${target}`),
    )
    expect(broken).toEqual([])
  })

  test('the README’s pictures match the sources (`npm run screens -- readme` updates the pictures)', () => {
    const pictures = [...read('README.md').matchAll(/(?:srcset|src)="([^"]+)"/g)].map(([, path]) =>
      String(path),
    )
    expect(pictures.filter((path) => !existsSync(join(root, path)))).toEqual([])
    expect(pictures).not.toEqual([])
    expect(readFileSync(picturedSourcesHashPath, 'utf8').trim()).toBe(hashPicturedSources())
  })

  test('every npm command that a page names exists', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    const broken = current.flatMap((page) =>
      [...read(page).matchAll(/\bnpm run ([a-z][\w-]*)/g)]
        .map(([, name]) => String(name))
        .filter((name) => !Object.hasOwn(scripts, name))
        .map((name) => `${page}: npm run ${name}`),
    )
    expect(broken).toEqual([])
  })

  test('every topic page and decision that a comment cites exists', () => {
    const sources = globSync('{contract,server,web,tests,scripts,bench,api-client}/**/*.{ts,tsx,mjs,css}', {
      cwd: root,
    })
    const broken = sources.flatMap((file) =>
      [...read(file).matchAll(/\bdocs\/(?:topics|decisions)\/[a-z0-9-]+\.md/g)]
        .map(([path]) => path)
        .filter((path) => !existsSync(join(root, path)))
        .map((path) => `${file}: ${path}`),
    )
    expect(broken).toEqual([])
  })

  test('every source path that a page names in backticks exists', () => {
    const inSources = /`((?:contract|server|web|tests|scripts|bench|deploy|docs)\/[^`\s<>…]+)`/g
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(inSources)]
        .map(([, path]) => String(path))
        .filter((path) => globSync(path, { cwd: root }).length === 0)
        .map((path) => `${page}: ${path}`),
    )
    expect(broken).toEqual([])
  })
})

describe('names in written pages', () => {
  const sources = globSync(
    '{contract,server,web,tests,scripts,bench,api-client}/**/*.{ts,tsx,mjs,sql,css,json}',
    {
      cwd: root,
    },
  )
  const inCode = (page: string) => [...read(page).matchAll(/`([^`\n]+)`/g)].map(([, code]) => String(code))

  test('every file that a page names without its folder exists', () => {
    const known = new Set(sources.map((path) => basename(path)))
    const broken = current.flatMap((page) =>
      inCode(page)
        .filter((code) => /^[\w-]+\.(?:ts|tsx|mjs|sql|css)$/.test(code) && !known.has(code))
        .map((code) => `${page}: ${code}`),
    )
    expect(broken).toEqual([])
  })

  test('every function and constant that a page names exists', () => {
    const known = new Set(sources.flatMap((path) => read(path).match(/[A-Za-z_]\w+/g) ?? []))
    const broken = current.flatMap((page) =>
      inCode(page)
        .filter((code) => !code.startsWith('git '))
        .flatMap((code) => code.match(/\b[a-z]+[A-Z]\w+\b/g) ?? [])
        .filter((name) => !known.has(name))
        .map((name) => `${page}: ${name}`),
    )
    expect(broken).toEqual([])
  })
})

describe('decisions', () => {
  test('each decision has its own number', () => {
    const numbers = decisions.map((name) => name.slice(0, 4))
    expect(numbers).toEqual([...new Set(numbers)])
  })

  test('each decision has at most 40 lines', () => {
    const lineCount = (name: string) => read(join('docs/decisions', name)).trimEnd().split('\n').length
    expect(decisions.filter((name) => lineCount(name) > 40)).toEqual([])
  })

  test('the index lists the decisions with their titles and dates, and the topic pages', () => {
    expect(read('docs/decisions/README.md')).toBe(renderDecisionsPage())
  })

  test('pages and sources cite only decisions that exist', () => {
    const numbers = new Set(decisions.map((name) => name.slice(0, 4)))
    const sources = globSync('{contract,server,web,tests,scripts,bench}/**/*.{ts,tsx,mjs,sql,css}', {
      cwd: root,
    })
    const broken = [...pages, ...sources].flatMap((file) =>
      [...read(file).matchAll(/\bdecisions? (\d{4}(?:(?:,| and) \d{4})*)\b/gi)]
        .flatMap(([, numbers]) => String(numbers).match(/\d{4}/g) ?? [])
        .filter((number) => !numbers.has(number))
        .map((number) => `${file}: ${number}`),
    )
    expect(broken).toEqual([])
  })
})
