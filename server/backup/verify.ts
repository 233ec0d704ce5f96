/** Whether a backup is whole: everything it lists is there, byte for byte. Nothing is restored from one that is not. */
import {
  BadBackup,
  digestOf,
  listFile,
  type Manifest,
  pictureFile,
  readManifest,
  tableFile,
} from './manifest.ts'
import { eachPicture, listed } from './pictures.ts'

/** @throws BadBackup naming the first thing that is missing or is not as it was written */
export async function verifyBackup(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder)
  for (const [table, { sha256 }] of Object.entries(manifest.tables)) {
    await check(tableFile(folder, table), `database/${table}.copy.gz`, sha256)
  }
  await check(listFile(folder), 'files.jsonl.gz', manifest.pictures.sha256)
  await eachPicture(listed(folder), async ({ key, blobs }) => {
    for (const { name, sha256 } of blobs) {
      await check(pictureFile(folder, key, name), `files/${key.slice(0, 2)}/${key}/${name}`, sha256)
    }
  })
  return manifest
}

async function check(path: string, name: string, sha256: string): Promise<void> {
  const found = await digestOf(path)
  if (found === null) throw new BadBackup(`The backup is damaged: ${name} is missing.`)
  if (found.sha256 !== sha256) throw new BadBackup(`The backup is damaged: ${name} is not as it was written.`)
}
