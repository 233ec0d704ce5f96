import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os, { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import sharp from 'sharp'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import {
  createJpeg,
  createNoisePng,
  createPhoneJpegWithGps,
  createPng,
  gpsPositionFixture,
} from '#scripts/harness/image-fixtures.ts'
import {
  createHugePngHeader,
  createManyScanJpeg,
  createPngColorProfileBomb,
  createPngTextBomb,
  maliciousSvgFixture,
} from '#scripts/harness/malicious-images.ts'
import { signalProcesses } from '#scripts/harness/server-process.ts'
import { patienceMs } from '#tests/support/wait-for.ts'
import { encodePngChunk } from './encode-png-chunk.ts'
import { createImageProcessor, type ImageProcessor } from './image-processor.ts'
import type { ImageWorkerJob } from './worker-loop.ts'
import { createImageWorkerPool, type ImageWorkerLimits, type ImageWorkerPool } from './worker-pool.ts'

const root = mkdtempSync(join(tmpdir(), 'juntas-images-'))
afterAll(() => rmSync(root, { recursive: true }))

let images: ImageProcessor | undefined
afterEach(() => {
  images?.close()
  images = undefined
})

const [ana, bea] = [1, 2]
const megabyte = 1e6
let jobs = 0

function place(bytes: Buffer): { input: string; folder: string } {
  jobs += 1
  const folder = join(root, `job-${jobs}`)
  mkdirSync(folder)
  writeFileSync(`${folder}.upload`, bytes)
  return { input: `${folder}.upload`, folder }
}

async function take(bytes: Buffer, member = ana) {
  images ??= createImageProcessor()
  const { input, folder } = place(bytes)
  return { folder, ...(await images.ingest(member, input, folder)) }
}

/** @param overtakeAfterMs long by default, so that one worker determines the order */
const allLimited = (limits: ImageWorkerLimits, overtakeAfterMs = 60_000) => ({
  ordinary: limits,
  small: limits,
  expensive: limits,
  overtakeAfterMs,
})

const fresh = (given: Partial<{ memory: number; time: number; idle: number }>) => {
  const limits = { memory: 600 * megabyte, time: 20_000, idle: 60_000, ...given }
  images = createImageProcessor({ limits: allLimited(limits) })
}

test('a picture is processed even if the system forbids workers to lower their priority', async () => {
  const forbidden = vi.spyOn(os, 'setPriority').mockImplementation(() => {
    throw new Error('EPERM')
  })
  try {
    expect(await take(await createJpeg())).toMatchObject({ mime: 'image/jpeg' })
    expect(forbidden).toHaveBeenCalled()
  } finally {
    forbidden.mockRestore()
  }
})

test("ana's rotated picture is upright in every variant and does not contain her location", async () => {
  const picture = await take(await createPhoneJpegWithGps())
  expect(picture).toMatchObject({ mime: 'image/jpeg', width: 3024, height: 4032 })
  expect(Object.keys(picture.files)).toEqual(['original', '1280.webp', '640.webp', '320.webp', '64.webp'])
  for (const [name, path] of Object.entries(picture.files)) {
    const bytes = readFileSync(path)
    expect(bytes.toString('latin1')).not.toContain(gpsPositionFixture)
    if (name === 'original') continue
    const { width, height, format, space, exif, icc } = await sharp(bytes).metadata()
    expect({ name: `${width}.${format}`, space, exif, icc }).toEqual({ name, space: 'srgb' })
    expect((height as number) > (width as number)).toBe(true)
    // The upper part is red and the lower part is blue.
    const [top, bottom] = await Promise.all(
      [0, 0.9].map(async (share) => {
        const at = { left: 0, top: Math.floor((height as number) * share), width: width as number, height: 3 }
        const { channels } = await sharp(await sharp(bytes).extract(at).png().toBuffer()).stats()
        return channels.map(({ mean }) => mean)
      }),
    )
    expect(top?.[0]).toBeGreaterThan(top?.[2] as number)
    expect(bottom?.[2]).toBeGreaterThan(bottom?.[0] as number)
  }
})

test('a small picture is never enlarged', async () => {
  const { files, width, height } = await take(await createPng('#123456', 100, 50))
  expect([width, height]).toEqual([100, 50])
  expect(Object.keys(files)).toEqual(['original', '128.webp', '64.webp'])
  expect((await sharp(files['128.webp']).metadata()).width).toBe(100)
})

test('a new width, or a JPEG for a client without WebP, is rendered from the original', async () => {
  const { folder, files } = await take(await createPng('#00ff00', 800, 400))
  const output = join(folder, 'more.jpg')
  await (images as ImageProcessor).resize(ana, files.original as string, output, {
    width: 480,
    format: 'jpg',
  })
  expect(await sharp(output).metadata()).toMatchObject({ format: 'jpeg', width: 480, height: 240 })
})

test('transparency becomes white in a format without transparency', async () => {
  const glass = await sharp({
    create: { width: 90, height: 90, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
  })
    .png()
    .toBuffer()
  const { folder, files } = await take(glass)
  expect((await sharp(files['64.webp']).metadata()).hasAlpha).toBe(true)
  const output = join(folder, 'more.jpg')
  await (images as ImageProcessor).resize(ana, files.original as string, output, { width: 64, format: 'jpg' })
  expect((await sharp(output).stats()).channels.map(({ min }) => min)).toEqual([255, 255, 255])
})

test('a complete file with broken pixel data is refused', async () => {
  const bytes = await createPng()
  const pixels = bytes.indexOf('IDAT')
  const length = bytes.readUInt32BE(pixels - 4)
  const broken = encodePngChunk('IDAT', bytes.subarray(pixels + 4, pixels + 4 + length / 2))
  const whole = Buffer.concat([bytes.subarray(0, pixels - 4), broken, bytes.subarray(-12)])
  await expect(take(whole)).rejects.toMatchObject({ type: 'storage_file_damaged' })
})

test('a JPEG with truncated pixels is refused despite its end marker, and an unusual JPEG of a phone is accepted', async () => {
  for (const progressive of [false, true]) {
    const bytes = await sharp(await createNoisePng(400, 300))
      .jpeg({ progressive })
      .toBuffer()
    expect(await take(bytes)).toMatchObject({ width: 400 })
    const half = Buffer.concat([bytes.subarray(0, bytes.length / 2), Buffer.of(0xff, 0xd9)])
    await expect(take(half)).rejects.toMatchObject({ type: 'storage_file_damaged' })
  }
  // Some phones write 0 as the end of a baseline scan's spectral selection. libjpeg warns, but every browser shows the
  // image.
  const odd = await createJpeg()
  const scan = odd.indexOf(Buffer.of(0xff, 0xda))
  odd[scan + 2 + odd.readUInt16BE(scan + 2) - 2] = 0
  expect(await take(odd)).toMatchObject({ width: 640, height: 480 })
})

test.each([
  ['an SVG', async () => maliciousSvgFixture, 'storage_file_type_unsupported'],
  ['thirty thousand pixels squared', () => createHugePngHeader(30_000, 30_000), 'storage_image_too_large'],
  ['a header without its pixels', () => createHugePngHeader(5_000, 5_000), 'storage_file_damaged'],
  ['two hundred scans', () => createManyScanJpeg(200), 'storage_file_damaged'],
])('F08 %s is refused', async (_, make, type) => {
  await expect(take(await make())).rejects.toMatchObject({ type, status: 400 })
})

test('F08 text and profile bombs are refused, and the memory of the server process does not grow', async () => {
  const bombs = [
    await createPngTextBomb('zTXt'),
    await createPngTextBomb('iTXt'),
    await createPngColorProfileBomb(),
  ]
  await take(await createPng())
  const before = process.memoryUsage().rss
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 5)
  for (const bomb of bombs) {
    await expect(take(bomb)).rejects.toMatchObject({ type: 'storage_file_damaged' })
  }
  clearInterval(watch)
  expect(peak - before).toBeLessThan(50 * megabyte)
})

test('a picture that needs too much memory is refused, and the next picture is accepted', async () => {
  fresh({ memory: 130 * megabyte })
  const large = await sharp({ create: { width: 5000, height: 5000, channels: 4, background: '#12345678' } })
    .png({ progressive: true, compressionLevel: 1 })
    .toBuffer()
  await expect(take(large)).rejects.toMatchObject({ type: 'storage_image_too_large' })
  expect(await take(await createPng())).toMatchObject({ width: 640 })
})

test('a picture that takes too long is refused, and the queue continues', async () => {
  fresh({ time: 1 })
  const bytes = await createPng()
  const outcomes = await Promise.allSettled([take(bytes), take(bytes, bea)])
  expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.type)).toEqual([
    'storage_image_too_large',
    'storage_image_too_large',
  ])
})

/** @param work the body of a function that returns the job's result; null for a process that ends at once */
function startWorkerThatDoes(work: string | null): ImageWorkerPool {
  jobs += 1
  const program = pathToFileURL(join(root, `worker-${jobs}.ts`))
  const loop = new URL('./worker-loop.ts', import.meta.url)
  const run = `import { runImageWorkerLoop } from '${loop}'\nrunImageWorkerLoop(async () => { ${work} })`
  writeFileSync(program, work === null ? `process.kill(process.pid, 'SIGKILL')` : run)
  return createImageWorkerPool(program, { memory: 600 * megabyte, time: 500, idle: 60_000 }, 1)
}
const anyJob: ImageWorkerJob = {
  kind: 'draw',
  drawing: { kind: 'qr', text: 'Juntas', size: 100, margin: 1 },
}

test.runIf(process.platform === 'linux')(
  "a worker that waits for a busy machine may take longer than the picture's processor time",
  async () => {
    const workers = startWorkerThatDoes('await new Promise((done) => setTimeout(done, 1500)); return true')
    expect(await workers.run(ana, anyJob)).toMatchObject({ done: true })
    workers.close()
  },
)

test('a worker that computes longer than its limit is stopped', async () => {
  const workers = startWorkerThatDoes('while (true);')
  await expect(workers.run(ana, anyJob)).rejects.toMatchObject({ type: 'storage_image_too_large' })
  workers.close()
})

test('a worker that cannot start makes the server busy, and does not refuse the picture', async () => {
  const workers = startWorkerThatDoes(null)
  await expect(workers.run(ana, anyJob)).rejects.toMatchObject({ type: 'general_service_unavailable' })
  workers.close()
})

test('if too many pictures are waiting, the next request is asked to retry', async () => {
  const bytes = await createPng()
  const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => take(bytes)))
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(refused.length).toBeGreaterThan(0)
  for (const { reason } of refused) {
    expect(reason).toMatchObject({ type: 'general_service_unavailable', status: 503, retryAfter: 5 })
  }
  expect(outcomes.length - refused.length).toBeGreaterThanOrEqual(20)
})

test("D07 bea's upload is processed next, however many pictures ana requested before", async () => {
  const limits = { memory: 300 * megabyte, time: 700, idle: 60_000 }
  const { folder, files } = await take(await createJpeg('#3c8c50', 2000, 1500))
  const beas = await createJpeg()
  // Creates another processor. While its worker starts for ana's first upload, bea's upload joins the queue.
  images?.close()
  images = createImageProcessor({ processes: 1, limits: allLimited(limits) })
  const one = images
  const made: string[] = []
  const asked = Array.from({ length: 100 }, async (_, n) => {
    const output = join(folder, `${n}.webp`)
    await one.resize(ana, files.original as string, output, { width: 100 + n, format: 'webp' })
    made.push(`ana ${n}`)
  })
  const upload = take(beas, bea).then(() => made.push('bea'))
  const outcomes = Promise.allSettled([...asked, upload])
  await expect.poll(() => one.waiting()).toBe(20 + 1)
  expect(made).toEqual([])
  const refused = (await outcomes).filter((outcome) => outcome.status === 'rejected')
  for (const { reason } of refused) expect(reason).toMatchObject({ status: 503, retryAfter: 5 })
  // The job that was already running finished first.
  expect(made.indexOf('bea')).toBe(1)
  expect(made).toHaveLength(1 + 20 + 1)
})

test("D07 six members who use up their limits leave room for bea's picture", async () => {
  const { folder, files } = await take(await createJpeg('#3c8c50', 2000, 1500))
  images?.close()
  images = createImageProcessor({ processes: 1 })
  const one = images
  const look = (member: number, width: number) => {
    const output = join(folder, `${member}-${width}.webp`)
    return one.resize(member, files.original as string, output, { width, format: 'webp' })
  }
  const six = [11, 12, 13, 14, 15, 16].flatMap((member) =>
    Array.from({ length: 20 }, (_, width) => look(member, 100 + width)),
  )
  const all = Promise.allSettled(six)
  await expect.poll(() => one.waiting()).toBe(100)
  await look(bea, 100)
  const refused = (await all).filter((outcome) => outcome.status === 'rejected')
  for (const { reason } of refused) expect(reason).toMatchObject({ status: 503, retryAfter: 5 })
})

/** Creates an image of the maximum size in a small file. */
let expensivePicture = (): Promise<Buffer> => {
  const made = sharp({ create: { width: 7000, height: 7000, channels: 3, background: '#345' } })
    .toColourspace('rgb16')
    .png()
    .toBuffer()
  expensivePicture = () => made
  return made
}
let phonePhoto = (): Promise<Buffer> => {
  const made = createPhoneJpegWithGps()
  phonePhoto = () => made
  return made
}

const usualLimits = { memory: 600 * megabyte, time: 20_000, idle: 60_000 }

test("D07 bea's photo does not wait for ana's running and queued expensive pictures", async () => {
  images = createImageProcessor({
    processes: 1,
    limits: allLimited({ ...usualLimits, time: patienceMs, niceness: 1 }),
  })
  const one = images
  const prioritized = vi.spyOn(os, 'setPriority')
  const [expensive, photo] = await Promise.all([expensivePicture(), phonePhoto()])
  await take(expensive)
  // Each starting process lowers its priority.
  const pid = prioritized.mock.calls[0]?.[0] ?? Number.NaN
  expect(prioritized).toHaveBeenCalledTimes(1)
  prioritized.mockRestore()
  signalProcesses('SIGSTOP', [pid])
  try {
    const made: string[] = []
    const anas = Array.from({ length: 3 }, () => take(expensive).then(() => made.push('ana')))
    await expect.poll(() => one.waiting()).toBe(2)
    for (let photos = 0; photos < 2; photos += 1) await take(photo, bea).then(() => made.push('bea'))
    expect(made).toEqual(['bea', 'bea'])
    signalProcesses('SIGCONT', [pid])
    await Promise.all(anas)
  } finally {
    signalProcesses('SIGCONT', [pid])
  }
})

test("D07 bea's photo does not wait for an expensive picture that ana views in new widths", async () => {
  images = createImageProcessor({ processes: 1, limits: allLimited(usualLimits) })
  const one = images
  const photo = await createJpeg()
  const [{ folder, files }] = await Promise.all([take(await expensivePicture()), take(photo, bea)])
  const made: string[] = []
  const looks = [480, 960, 1920].map(async (width) => {
    const output = join(folder, `${width}.webp`)
    await one.resize(ana, files.original as string, output, { width, format: 'webp' })
    made.push('ana')
  })
  await take(photo, bea).then(() => made.push('bea'))
  await Promise.all(looks)
  expect(made).toEqual(['bea', 'ana', 'ana', 'ana'])
})

test("D07 bea's small picture does not wait for ana's running and queued photos", async () => {
  images = createImageProcessor({ processes: 1, limits: allLimited(usualLimits, 0) })
  const one = images
  const photo = await phonePhoto()
  const small = await createJpeg()
  const made: string[] = []
  const beasAmong = async (photos: number) => {
    const anas = Array.from({ length: photos }, () => take(photo).then(() => made.push('ana')))
    await expect.poll(() => one.waiting()).toBe(photos - 1)
    const beas = await take(small, bea).finally(() => made.push('bea'))
    await Promise.all(anas)
    return beas
  }
  // Starts both processes first, because starting takes longer than processing either picture.
  await beasAmong(2)
  made.length = 0
  const { width, files } = await beasAmong(4)
  expect([width, Object.keys(files).length]).toEqual([640, 4])
  expect(made).toEqual(['bea', 'ana', 'ana', 'ana', 'ana'])
})

test.each([
  ['small', { small: { ...usualLimits, time: 1 } }, () => createJpeg()],
  ['ordinary', { ordinary: { ...usualLimits, time: 1 } }, () => phonePhoto()],
])(
  'D07 a file announced as %s that costs more is rendered in the pool for expensive pictures',
  async (_, short, make) => {
    images = createImageProcessor({ processes: 1, limits: { ...allLimited(usualLimits, 0), ...short } })
    const anas = take(await phonePhoto())
    const { width, files } = await take(await make(), bea)
    expect(width).toBeGreaterThan(0)
    for (const path of Object.values(files)) expect(existsSync(path)).toBe(true)
    await anas
  },
)

test('D07 all uploads of a member who understated a cost use the expensive pool, and uploads of her viewers do not', async () => {
  // The expensive pool refuses everything, which shows which jobs are sent to it.
  const limits = allLimited({ ...usualLimits, memory: 130 * megabyte })
  images = createImageProcessor({
    processes: 1,
    limits: { ...limits, expensive: { ...usualLimits, time: 1 } },
  })
  const one = images
  const much = await sharp({ create: { width: 3100, height: 3100, channels: 4, background: '#12345678' } })
    .png({ progressive: true, compressionLevel: 1 })
    .toBuffer()
  const photo = await createJpeg()
  await expect(take(much)).rejects.toMatchObject({ type: 'storage_image_too_large' })
  await expect(take(photo)).rejects.toMatchObject({ type: 'storage_image_too_large' })
  const { input, folder } = place(much)
  const look = one.resize(bea, input, join(folder, '64.webp'), { width: 64, format: 'webp' })
  await expect(look).rejects.toMatchObject({ type: 'storage_image_too_large' })
  expect(await take(photo, bea)).toMatchObject({ width: 640 })
})

test('D07 a picture whose requester has left is not rendered unless rendering has started', async () => {
  images = createImageProcessor({ processes: 1 })
  const one = images
  const { folder, files } = await take(await expensivePicture())
  const gone = new AbortController()
  const vary = (member: number, name: string, unwanted?: AbortSignal) =>
    one.resize(member, files.original as string, join(folder, name), { width: 480, format: 'jpg' }, unwanted)
  const names = ['one.jpg', 'two.jpg', 'three.jpg', 'four.jpg']
  const looks = Promise.allSettled(names.map((name) => vary(ana, name, gone.signal)))
  await expect.poll(() => one.waiting()).toBe(3)
  gone.abort()
  expect(one.waiting()).toBe(0)
  await expect(vary(ana, 'too-late.jpg', gone.signal)).rejects.toBe(gone.signal.reason)
  await vary(ana, 'wanted.jpg')
  const rejected = (await looks).filter((look) => look.status === 'rejected')
  expect(rejected.map(({ reason }) => reason)).toEqual(Array(3).fill(gone.signal.reason))
  const there = (name: string) => existsSync(join(folder, name))
  expect([names.filter(there).length, there('too-late.jpg'), there('wanted.jpg')]).toEqual([1, false, true])
})

test("D07 bea's initials are drawn next, however many pictures ana requested before", async () => {
  images = createImageProcessor()
  const one = images
  const initials = (width: number) =>
    ({ kind: 'initials', initials: 'BL', width, height: 40, background: 'fe9567', bold: true }) as const
  // Starts the process first, because drawings must finish within `imageRenderTimeoutMs`.
  const isDrawn = () =>
    one.draw(ana, initials(99)).then(
      () => true,
      () => false,
    )
  await expect.poll(isDrawn).toBe(true)
  const made: string[] = []
  const asked = Array.from({ length: 120 }, async (_, n) => {
    await one.draw(ana, initials(100 + n))
    made.push(`ana ${n}`)
  })
  const beas = one.draw(bea, initials(500)).then(() => made.push('bea'))
  const outcomes = await Promise.allSettled([...asked, beas])
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  for (const { reason } of refused) expect(reason).toMatchObject({ status: 503, retryAfter: 5 })
  expect(made.slice(0, 3)).toEqual(['ana 0', 'bea', 'ana 1'])
  expect(made).toHaveLength(1 + 100 + 1)
})

test('closing the processor refuses every waiting picture', async () => {
  const bytes = await createPng()
  const waiting = [take(bytes), take(bytes)]
  images?.close()
  const outcomes = await Promise.allSettled(waiting)
  expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.type)).toEqual([
    'general_service_unavailable',
    'general_service_unavailable',
  ])
})

// Uses a full device, which only Linux has.
test.runIf(existsSync('/dev/full'))(
  'T11 a full disk is reported as a full disk, not as a damaged picture',
  async () => {
    const { folder } = await take(await createPng())
    const full = images?.resize(ana, join(folder, 'original'), '/dev/full', { width: 320, format: 'webp' })
    await expect(full).rejects.toMatchObject({ type: 'storage_device_full', status: 507 })
  },
)
