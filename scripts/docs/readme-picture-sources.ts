import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRootPath } from '../run-tool.ts'

export const readmePicturesFolder = join(projectRootPath, 'docs/images')
export const picturedSourcesHashPath = join(readmePicturesFolder, 'pictured-sources.sha256')

/** Texts and queries of the screens are left out. */
const pictured = [
  'web/styles/*.css',
  'web/layout/{member-layout,sidebar,mobile-top-bar,bottom-nav}.tsx',
  'web/features/posts/feeds/home-screen.tsx',
  'web/features/posts/post-card.tsx',
  'web/features/groups/group-screen.tsx',
  'web/features/chat/conversation-view.tsx',
]

/** @returns the hash in hex; if it differs from the stored one, run `npm run screens -- readme` */
export function hashPicturedSources(): string {
  const hash = createHash('sha256')
  for (const file of globSync(pictured, { cwd: projectRootPath }).toSorted())
    hash.update(file).update(readFileSync(join(projectRootPath, file)))
  return hash.digest('hex')
}
