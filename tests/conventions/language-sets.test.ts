import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { languages } from '#contract/language.ts'
import { measureWebBundleSizes } from '#scripts/web-bundle-size.ts'

const built = join(import.meta.dirname, '..', '..', 'dist/web')
const read = (file: string) => readFileSync(join(built, file), 'utf8')

test('LANG-07 all language sets have the same chunks, which load each other, and first loads stay small', () => {
  // There is nothing to check without a build. `npm test` and `.ci/run` build first.
  if (!existsSync(join(built, 'index.es.html'))) return
  const parts = Object.values(JSON.parse(read('.vite/manifest.json')) as Record<string, { file: string }>)
    .map(({ file }) => file)
    .filter((file) => file.endsWith('.js') && !/(before-first-paint|heif-to-jpeg-worker)-/.test(file))
  expect(parts.length).toBeGreaterThan(50)
  for (const language of languages) {
    const inSet = (file: string) => file.replace(/^assets\//, `assets/${language}/`)
    const found = globSync(`assets/${language}/*.js`, { cwd: built })
    expect(parts.map(inSet).filter((part) => !found.includes(part))).toEqual([])
    for (const file of found) {
      const code = read(file)
      expect(code.includes('__juntas'), file).toBe(false)
      for (const part of parts) expect(code.includes(`"${part}"`), `${file} names ${part}`).toBe(false)
      expect(existsSync(join(built, `${file}.br`)), file).toBe(true)
    }
    const page = read(`index.${language}.html`)
    const asItComes = parts.reduce(
      (text, part) => text.replaceAll(`"/${inSet(part)}"`, `"/${part}"`),
      page.replace(`<html lang="${language}">`, '<html lang="en">'),
    )
    expect(asItComes).toBe(read('index.html'))
  }
  for (const { what, bytes, limit } of measureWebBundleSizes() ?? [])
    expect(bytes, what).toBeLessThanOrEqual(limit)
})
