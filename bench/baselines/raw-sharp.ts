/** sharp renders the four variants of several pictures at once. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { getUploadVariantWidths } from '#server/images/variant-widths.ts'

const picture = process.env.BENCH_PICTURE ?? ''
const folder = mkdtempSync(join(tmpdir(), 'juntas-raw-'))
sharp.cache(false)

const server = createServer(async (request, response) => {
  const [count = 0, atOnce = 0] = (request.url ?? '').slice(1).split('/').map(Number)
  let left = count
  const some = async () => {
    while (left > 0) {
      left -= 1
      await variants(join(folder, String(left)))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, some))
  response.end('done')
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
})
process.on('SIGTERM', () => {
  rmSync(folder, { recursive: true, force: true })
  process.exit(0)
})

async function variants(name: string): Promise<void> {
  const upright = sharp(picture).autoOrient()
  const { autoOrient } = await upright.metadata()
  await Promise.all(
    getUploadVariantWidths(autoOrient.width).map((width) =>
      upright.clone().resize({ width }).webp({ quality: 80 }).toFile(`${name}-${width}.webp`),
    ),
  )
}
