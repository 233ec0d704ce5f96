/** The README's pictures, and the sources whose screens they show. */
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRootPath } from '../run-tool.ts'

export const readmePicturesFolder = join(projectRootPath, 'docs/images')
export const picturedSourcesHashPath = join(readmePicturesFolder, 'pictured-sources.sha256')

/** Colours, the frame around screens, and the pictured screens; not their words and queries. */
const pictured = [
  'web/styles/*.css',
  'web/layout/{member-layout,sidebar,mobile-top-bar,bottom-nav}.tsx',
  'web/features/posts/feeds/home-screen.tsx',
  'web/features/posts/post-card.tsx',
  'web/features/groups/group-screen.tsx',
  'web/features/chat/conversation-thread.tsx',
]

/** @returns hex; another one means that `npm run screens -- readme` should be run */
export function hashPicturedSources(): string {
  const hash = createHash('sha256')
  for (const file of globSync(pictured, { cwd: projectRootPath }).toSorted())
    hash.update(file).update(readFileSync(join(projectRootPath, file)))
  return hash.digest('hex')
}
