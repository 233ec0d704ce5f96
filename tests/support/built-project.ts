import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { hashSources, parts, stampPath } from '#server/ops/source-hash.mjs'

/** Creates a folder with one file for each source and a build of them. The caller removes the folder. */
export function createBuiltProject(): string {
  const root = mkdtempSync(join(tmpdir(), 'juntas-sources-'))
  for (const path of [...parts.web.sources, ...parts.server.sources]) {
    const file = join(root, /\.\w+$/.test(path) ? path : `${path}/main.ts`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, 'one')
  }
  for (const part of ['web', 'server'] as const) {
    mkdirSync(join(root, 'dist', part), { recursive: true })
    writeFileSync(stampPath(root, part), hashSources(root, part))
  }
  return root
}
