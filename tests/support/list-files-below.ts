/** Looks at what a server has stored on its disk. */
import { readdirSync } from 'node:fs'

/** Lists the paths of all files below a folder. */
export const listFilePathsBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => `${each.parentPath}/${each.name}`)
